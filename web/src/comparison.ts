// SPDX-License-Identifier: MIT
/** A tournament of methods as `hqe compare -o` saves it (docs/formats.md, "compare"). */
import type { Pool } from "./data";
import type { Team } from "./teams";

export interface ComparedMethod {
  method: string;
  title: string;
  team: Team | null;
  weights?: number[] | null;
  test_accuracy: number | null;
  interval: { low: number; high: number } | null;
  gain: number | null;
  mean_rank: number | null;
  /** Against the best by rank; null where it was not tested. */
  verdict: "best" | "better" | "same" | "worse" | "cannot_tell" | null;
  p_value: number | null;
  /** The difference of accuracies from which the test tells two methods apart. */
  detectable: number | null;
  seconds: number | null;
  size: number | null;
  certificate?: { upper_bound: number; is_proven: boolean; counted: number };
  note: string;
  not_computed: string;
}

export interface Comparison {
  version?: string;
  pool: Pool;
  vote: string;
  desired_size: number;
  judged_on: "splits" | "test";
  split_count: number;
  selection_samples: number;
  test_samples: number;
  reference: { team: Team; test_accuracy: number; interval: { low: number; high: number } };
  methods: ComparedMethod[];
  /** The test behind the verdicts; null where there is none. */
  significance_test: string | null;
  warnings: string[];
  test: Pool | null;
}

export interface RankedMethod extends ComparedMethod {
  mean_rank: number;
}

/** Those with a mean rank, best first. */
export const ranked = ({ methods }: Comparison): RankedMethod[] => methods.filter((each): each is RankedMethod => each.mean_rank !== null);

/** The verdict of a row, for people. */
export const verdictText = ({ verdict }: ComparedMethod): string => (verdict === null ? "not tested" : verdict.replace("_", " "));

/** The sentence on top: who is best, and who cannot be told apart from it. */
export function bestSentence(comparison: Comparison): { title: string; rank: string; rest: string } | null {
  const methods = ranked(comparison);
  if (!methods.length) return null;
  const [best, ...others] = methods;
  const tested = others.filter((each) => each.verdict !== null);
  const equals = tested.filter((each) => each.verdict !== "worse");
  const rest = !tested.length
    ? "One split cannot say how sure that is."
    : equals.length === tested.length
      ? "No other method is worse by more than chance."
      : equals.length === 0
        ? "All others are worse by more than chance."
        : `Of the ${tested.length} others, ${equals.length} cannot be told apart from it.`;
  return { title: best.title, rank: best.mean_rank.toFixed(2), rest };
}
