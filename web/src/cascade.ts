// SPDX-License-Identifier: MIT
/** A team's cascades as `hqe front --cascade` writes them (docs/formats.md, "cascade"). */
import type { Pool } from "./data";
import { plural, points } from "./format";
import { saved, type ExitCost } from "./serving";
import type { Team } from "./teams";

export interface CascadeRun {
  samples: number;
  expected_models: number;
  expected_cost: number;
  correct: number;
  accuracy: number;
  interval: { low: number; high: number };
  /** Of the accuracy against the full vote. */
  difference: number;
  /** Answers other than the full vote's. */
  changed: number;
}

export interface CascadeRow {
  rule: "exact" | "agreement" | "confidence";
  agreeing: number | null;
  confidence: number | null;
  says: string;
  is_exact: boolean;
  selection: CascadeRun;
  held_out: CascadeRun | null;
}

export interface Cascades {
  version?: string;
  pool: Pool;
  vote: string;
  team: Team;
  correct: number;
  is_recommended: boolean;
  order: number[];
  names: string[];
  cost: ExitCost;
  full_cost: number;
  judged_by: "test" | "half" | null;
  test: string | null;
  /** The exact exit first, then dearest first. */
  rows: CascadeRow[];
  warnings: string[];
}

export const isCascades = (page: object): page is Cascades => "command" in page && page.command === "cascade";

/** What judges a row: samples held out, else those that chose. */
export const judged = (row: CascadeRow): CascadeRun => row.held_out ?? row.selection;

/** "≥" for people. */
export const stopText = ({ says }: CascadeRow) => says.replace(">=", "≥");

/** What the exact exit saves, and what the cheapest cascade does at what price. */
export function cascadeSentence(cascades: Cascades, digits: number): string {
  const [exact, ...others] = cascades.rows;
  const exactText = `The exact exit runs ${judged(exact).expected_models.toFixed(2)} of ${plural(cascades.order.length, "model")} (${saved(judged(exact), cascades)}) and answers as the full vote does.`;
  const cheapest = others[others.length - 1];
  if (!cheapest) return `${exactText} No cascade costs less.`;
  const run = judged(cheapest);
  return `${exactText} The cheapest cascade runs ${run.expected_models.toFixed(2)} (${saved(run, cascades)}) for ${points(run.difference, digits)} points of accuracy, and is not exact.`;
}
