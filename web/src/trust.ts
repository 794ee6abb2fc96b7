// SPDX-License-Identifier: MIT
/** How far the choice can be trusted, as the study says it (docs/formats.md, "trust"). */
import type { Team } from "./teams";

export type Interval = readonly [number, number];

export interface AccuracyFigures {
  correct: number;
  samples: number;
  accuracy: number;
  interval: Interval;
}

export interface SideBySide {
  name: string;
  team: Team;
  selection: AccuracyFigures;
  held_out: AccuracyFigures | null;
  optimism: number | null;
}

export interface Paired {
  samples: number;
  difference: number;
  interval: Interval;
  p_value: number;
}

export type VerdictWord = "better" | "as_good" | "worse" | "cannot_tell";

export interface Comparison {
  against: string;
  team: Team;
  selection: Paired;
  corrected: Interval;
  held_out: Paired | null;
  /** Under another merit than accuracy: what the verdict rests on. */
  merit?: { difference: number; interval: Interval };
  verdict: VerdictWord;
  samples: number;
  samples_needed: number | null;
  says: string;
}

export interface Stability {
  resamples: number;
  without_team: number;
  same_team: number;
  members: number[];
  kept: { metric: string; jaccard: number }[];
  teams: { team: Team; times: number }[];
  not_measured?: string;
}

interface BestTeam {
  team: Team;
  correct: number;
  test_correct?: number;
}

export interface PruningCheck {
  metric: string;
  not_measured?: string;
  tiers?: { size: number; pruned: number; violated: number }[];
  cut?: number;
  cut_in_upper_half?: number;
  best_kept?: BestTeam | null;
  best_thrown_away?: BestTeam | null;
}

export interface Trust {
  held_out: "nothing" | "half" | "share" | "folds" | "test";
  says: string;
  confidence: number;
  teams: SideBySide[];
  comparisons: Comparison[];
  chosen?: { interval: Interval; among: number; kept: number } | null;
  half?: { team: Team; selection: AccuracyFigures; held_out: AccuracyFigures };
  folds?: { team: Team; selection: AccuracyFigures; held_out: AccuracyFigures }[];
  stability?: Stability | null;
  pruning?: PruningCheck[];
}

/** "entire_ensemble" as people say it. */
export function rivalWords(name: string, team: Team): string {
  const words: Record<string, string> = {
    recommended: "the recommended team",
    entire_ensemble: `the entire ensemble of ${team.length}`,
    best_single: "the best single model",
    most_accurate: `the ${team.length} most accurate models`,
  };
  return words[name] ?? name.replaceAll("_", " ");
}

export const verdictSigns: Record<VerdictWord, string> = { better: "▲", as_good: "=", worse: "▼", cannot_tell: "?" };

/** "Better than", "As good as", ..; a sentence's beginning. */
export function verdictWords({ verdict, says }: Comparison): string {
  if (says === "the same team") return "The same team as";
  return { better: "Better than", as_good: "As good as", worse: "Worse than", cannot_tell: "Cannot be told from" }[verdict] ?? says;
}

/** The difference that the verdict rests on: of the merit asked for, on held-out samples, else corrected for the choice. */
export function judgedDifference({ merit, held_out, selection, corrected }: Comparison): { difference: number; interval: Interval } {
  return merit ?? held_out ?? { difference: selection.difference, interval: corrected };
}
