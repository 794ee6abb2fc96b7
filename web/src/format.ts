// SPDX-License-Identifier: MIT
/** Numbers, names and teams as text. Percent exists only here: everything else is a fraction. */
import type { Team } from "./teams";

/** Digits after the point that the sample count can carry: one up to 1,000 samples, then two. */
export function percentDigits(samples: number): number {
  return Math.min(2, Math.max(1, Math.ceil(Math.log10(Math.max(samples, 1))) - 2));
}

/**
 * 100 |fraction| with so many digits, as the command rounds it: a quotient of counts below 2^31 as the exact quotient,
 * halves up. A half may come as a little less, by the rounding of the quotient and of the product: 2^-52 of it. What is
 * no half is further off than 2^-46 of it.
 */
export function percentage(fraction: number, digits: number): string {
  const rounded = Math.floor(Math.abs(fraction) * 10 ** (digits + 2) * (1 + 2 ** -50) + 0.5);
  return (rounded / 10 ** digits).toFixed(digits);
}

export function percent(fraction: number | null | undefined, digits = 1): string {
  return fraction == null ? "–" : `${fraction < 0 ? "−" : ""}${percentage(fraction, digits)} %`;
}

/** Whole percent of what is less: "62 %", and "99.8 %" where a whole number would say that nothing is left. */
export function lessPercent(fraction: number | null | undefined): string {
  let digits = 0;
  while (fraction != null && fraction < 1 && digits < 4 && Number(percentage(fraction, digits)) === 100) ++digits;
  return percent(fraction, digits);
}

/** "−62 %", "−99.8 %", "+5 %", "±0 %": how much less, as the command says it. */
export function reductionText(fraction: number): string {
  return withSign(-fraction, fraction > 0 ? lessPercent(fraction) : percent(-fraction, 0));
}

/** "+0.14", "−0.20", "±0.00": percentage points with a true minus sign. */
export function points(difference: number, digits = 2): string {
  return withSign(difference, percentage(difference, digits));
}

/** "+0.0123", "−0.0200": any difference, with a true minus sign. */
export function signed(difference: number, digits: number): string {
  return withSign(difference, Math.abs(difference).toFixed(digits));
}

const withSign = (value: number, text: string) => (Number.parseFloat(text) === 0 ? "±" : value > 0 ? "+" : "−") + text;

/** 1234567 -> "1,234,567". */
export function count(value: number | null | undefined): string {
  return value == null ? "–" : value.toLocaleString("en-US");
}

export function score(value: number | null | undefined, digits = 4): string {
  return value == null ? "–" : value.toFixed(digits).replace("-", "−");
}

/** 25600000 -> "25.6 M"; small values keep three significant digits. */
export function quantity(value: number): string {
  for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    if (Math.abs(value) >= unit) return `${significant(value / unit)} ${name}`;
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(2) : significant(value);
}

function significant(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** The command's spelling of a team: "0,2,5". */
export const teamKey = (team: Team) => team.join(",");

export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

/** At most `length` characters, the middle left out; never splits a surrogate pair. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const head = Math.ceil((length - 1) / 2);
  const tail = length - 1 - head;
  return `${characters.slice(0, head).join("")}…${tail ? characters.slice(-tail).join("") : ""}`;
}

/** A name from a file without control characters, which become spaces, and marks of direction. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ").replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** As visible, inside other text: Unicode isolates keep right-to-left text from turning its surroundings. */
export function isolate(text: string): string {
  return `\u2068${visible(text)}\u2069`;
}

/** A CSV field after RFC 4180; a leading formula character is defused for spreadsheets. */
export function csvField(value: string | number): string {
  let text = String(value);
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(csvField).join(",") + "\r\n").join("");
}
