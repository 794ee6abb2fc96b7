// SPDX-License-Identifier: MIT
/** How wide a text of a figure is in the font that this reader has: measured, since fonts differ by a fifth. */
import { isolate, shorten } from "../format";

interface Look {
  /** Pixels; figures write in 12 unless they say otherwise. */
  size?: number;
  bold?: boolean;
}

const widths = new Map<string, number>();
let ruler: SVGTextElement | null = null;

/** A text outside the page, in the style of every figure; laying it out again moves nothing else. */
function makeRuler(): SVGTextElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "ruler");
  svg.setAttribute("aria-hidden", "true");
  const text = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "text"));
  document.body.append(svg);
  return text;
}

/** Pixels from the text's beginning to its end. */
export function textWidth(text: string, { size = 12, bold = false }: Look = {}): number {
  const key = `${size} ${bold} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    ruler ??= makeRuler();
    ruler.setAttribute("font-size", String(size));
    ruler.setAttribute("font-weight", bold ? "700" : "400");
    ruler.textContent = text;
    widths.set(key, (width = ruler.getComputedTextLength()));
  }
  return width;
}

/** The width of the widest text; 0 of none. */
export const widest = (texts: readonly string[], look?: Look) => Math.max(0, ...texts.map((text) => textWidth(text, look)));

/** A name from a file, isolated, its middle left out until it is no wider than `room`. */
export function fitted(name: string, room: number, look?: Look): string {
  const whole = isolate(name);
  const width = textWidth(whole, look);
  if (width <= room) return whole;
  const at = (length: number) => isolate(shorten(name, length));
  const longest = Array.from(name).length;
  // A letter more is never narrower, so a step at a time from a good guess finds the last that fits.
  let length = Math.max(1, Math.min(longest, Math.floor((longest * room) / width)));
  while (length < longest && textWidth(at(length + 1), look) <= room) length++;
  while (length > 1 && textWidth(at(length), look) > room) length--;
  return at(length);
}

/** The first of some wordings, longest first, that is no wider than `room`; else the last. */
export function firstFitting(wordings: readonly string[], room: number, look?: Look): string {
  return wordings.find((words) => textWidth(words, look) <= room) ?? wordings[wordings.length - 1];
}
