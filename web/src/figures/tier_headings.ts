// SPDX-License-Identifier: MIT
/** What stands above the tiers: candidates, kept, pruned and cut teams, in words that fit. */
import type { Tier } from "../data";
import { count, plural } from "../format";
import { widest } from "../parts/ruler";

/** The room of headings and shares; the teams begin below it. */
export const top = 92;

/** What stands above a tier's block: in long lines where all blocks have the room, else in short ones. */
export interface Heading {
  title: string;
  lines: string[];
}

function headings(tiers: readonly Tier[]): { long: Heading[]; short: Heading[] } {
  const numbers = (tier: Tier) => [`${count(tier.candidates - tier.pruned)} kept`, `${count(tier.pruned)} pruned`, ...(tier.cut == null ? [] : [`${count(tier.cut)} cut`])];
  return {
    long: tiers.map((tier) => ({ title: `Teams of ${tier.size}`, lines: [plural(tier.candidates, "candidate"), numbers(tier).join(", ")] })),
    short: tiers.map((tier) => ({ title: `S = ${tier.size}`, lines: numbers(tier) })),
  };
}

const headingWidth = (all: readonly Heading[]) => Math.ceil(Math.max(widest(all.map(({ title }) => title), { size: 14, bold: true }), widest(all.flatMap(({ lines }) => lines))));

/** The headings that fit, and the width of the figure that they need: the page's, or more where even short ones are too wide. */
export function headed(tiers: readonly Tier[], width: number, gap: number): { above: Heading[]; needed: number } {
  const { long, short } = headings(tiers);
  const needed = (all: Heading[]) => tiers.length * (headingWidth(all) + gap) - gap;
  return needed(long) <= width ? { above: long, needed: width } : { above: short, needed: Math.max(width, needed(short)) };
}
