// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { percent, percentage, points } from "../../src/format";

/** Rounded half up in integers of any size. */
function exact(part: number, whole: number, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const rounded = (200n * unit * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole));
  const [before, after] = [rounded / unit, rounded % unit];
  return digits ? `${before}.${String(after).padStart(digits, "0")}` : String(before);
}

test("201 of 20,000 are 1.01 percent", () => {
  expect(percent(201 / 20_000, 2)).toBe("1.01 %");
  expect(points(201 / 20_000)).toBe("+1.01");
  expect(points(-201 / 20_000)).toBe("−1.01");
  expect(percent(-0.5, 0)).toBe("−50 %");
});

test("a quotient of counts is rounded half up as the exact one", () => {
  const wrong: string[] = [];
  for (let whole = 1; whole <= 400; whole++)
    for (let part = 0; part <= whole; part++)
      for (const digits of [0, 1, 2])
        if (percentage(part / whole, digits) !== exact(part, whole, digits)) wrong.push(`${part} of ${whole}, ${digits} digits`);
  expect(wrong).toEqual([]);
});

test("halves of a hundredth round up and their neighbours do not, however many samples there are", () => {
  const wrong: string[] = [];
  for (const whole of [60_000, 1_000_000, 2_000_000_000, 2_147_480_000])
    for (let odd = 1; odd < 20_000; odd += 2) {
      const half = (whole / 20_000) * odd;
      for (const part of [half - 1, half, half + 1])
        if (percentage(part / whole, 2) !== exact(part, whole, 2)) wrong.push(`${part} of ${whole}`);
    }
  expect(wrong).toEqual([]);
});
