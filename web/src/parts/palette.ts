// SPDX-License-Identifier: MIT
/** Colours of marks, each for a light and a dark page. The rest of the palette lives in style.css. */

export interface Colour {
  light: string;
  dark: string;
}

/** A colour for the style sheet, which knows the theme, also on paper. */
export const css = ({ light, dark }: Colour) => `light-dark(${light}, ${dark})`;

export const keptColour: Colour = { light: "#c4281c", dark: "#ff6b57" };
export const prunedColour: Colour = { light: "#8a919c", dark: "#8b94a1" };

const stops: Colour[] = [
  { light: "#46327e", dark: "#a08bea" },
  { light: "#365c8d", dark: "#6aa5e0" },
  { light: "#277f8e", dark: "#3cb8b2" },
  { light: "#1fa187", dark: "#6fce74" },
  { light: "#8fa51c", dark: "#f2e24b" },
];

/** Steps of a colour-blind-safe ramp, legible on the page's background. */
export function sizeColour(step: number, steps: number): Colour {
  const place = steps > 1 ? (step / (steps - 1)) * (stops.length - 1) : 0;
  const from = Math.min(stops.length - 2, Math.floor(place));
  const between = (theme: keyof Colour) => mix(stops[from][theme], stops[from + 1][theme], place - from);
  return { light: between("light"), dark: between("dark") };
}

function mix(a: string, b: string, share: number): string {
  const channel = (text: string, at: number) => Number.parseInt(text.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(a, at) * (1 - share) + channel(b, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
