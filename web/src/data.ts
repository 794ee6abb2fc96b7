// SPDX-License-Identifier: MIT
/** The study as the page sees it, and how it is read from the JSON (README.md, "Contract"). */
import { unpack, unpackIntegers, type Column } from "./columns";
import { isCascades, type Cascades } from "./cascade";
import type { Comparison } from "./comparison";
import type { Serving } from "./serving";
import { Teams, sameTeam, type Members, type Team, type TeamTier } from "./teams";
import type { Trust } from "./trust";

export const costNames = ["params", "gflops", "latency_ms", "memory_mb"] as const;
export type CostName = (typeof costNames)[number];
export type Costs = Partial<Record<CostName, number>>;

export interface Model {
  id: number;
  name: string;
  correct: number;
  costs?: Costs;
}

export interface Pool {
  name: string;
  kind: string;
  samples: number;
  class_count: number;
  models: Model[];
  classes?: string[];
  about?: string;
  licence?: string;
  source?: string;
}

export interface TeamFigures {
  team: Team;
  correct: number;
}

export interface SelectedTeam extends TeamFigures {
  score: number;
  votes?: number;
}

export interface Tier {
  size: number;
  candidates: number;
  pruned: number;
  cut: number | null;
  beta?: number;
}

export interface Quality {
  selected: number;
  good: number | null;
  true_positive: number;
  teams_of_size?: number | null;
  precision: number | null;
  recall: number | null;
  base_rate: number | null;
  correct_min: number | null;
  correct_max: number | null;
  cost_reduction: number | null;
  not_computed?: string;
}

export interface Selection extends Quality {
  metric: string;
  tiers?: Tier[];
  threshold?: number;
  teams: SelectedTeam[];
  distinct_metrics?: number;
  metrics?: number;
}

export interface Correlation {
  metric: string;
  /** The metric whose scored teams they are, where it is not `metric` itself. */
  teams_of?: string;
  size: number;
  teams: number;
  spearman: number | null;
  kendall: number | null;
}

export interface SweepRow {
  size: number;
  beta: number;
  metric: string;
  selected: number;
  precision: number | null;
  recall: number | null;
}

export interface DecidingSample {
  sample: number;
  truth: number;
  answer: number;
  repaired: boolean;
  members: { model: number; classes: number[]; confidences?: number[] }[];
}

/** Every team that one metric scored, as columns of equal length. */
export interface Scored {
  metric: string;
  teams: Teams;
  score: ArrayLike<number>;
  /** 1 = kept, 0 = pruned; nothing where the metric did not prune. */
  kept: ArrayLike<number> | null;
  /** Empty where the teams were too many to evaluate. */
  correct: ArrayLike<number>;
  testCorrect: ArrayLike<number> | null;
  /** True when the scores of pruned teams are rounded for drawing. */
  rounded: boolean;
}

export interface Baselines {
  best_single?: TeamFigures | null;
  most_accurate?: TeamFigures | null;
  best_of_size?: TeamFigures | null;
  best_of_size_not_computed?: string;
}

/** The same teams, counted on the test pool. */
export interface Test {
  pool: Pool;
  reference: { correct: number };
  selections: (Quality & { metric: string; teams: TeamFigures[] })[];
  consensus?: (Quality & { metric: string; teams: TeamFigures[] }) | null;
  baselines: Baselines;
  recommended?: TeamFigures | null;
}

export interface Alternative extends TeamFigures {
  role: "cheaper" | "most_accurate";
  names: string[];
  says: string;
}

export interface Recommended extends TeamFigures {
  why: string;
  from?: string;
  names?: string[];
  decision?: "team" | "single" | "entire";
  alternatives?: Alternative[];
  /** Where every member's is known; the parallel figures are those of the slowest member. */
  costs?: Partial<Record<CostName, { sum: number; reduction: number; parallel?: number; parallel_reduction?: number }>>;
  errors?: {
    error_correlation: number | null;
    posterior_error_correlation: number | null;
    added_error_ratio: number | null;
  };
  robustness?: { median_radius: number; certified: { radius: number; share: number }[] };
  serving?: Serving | null;
}

export interface Study {
  version?: string;
  pool: Pool;
  options: Record<string, unknown>;
  vote: string;
  desired_size?: number;
  reference: TeamFigures;
  selections: Selection[];
  consensus?: Selection | null;
  baselines: Baselines;
  recommended?: Recommended | null;
  warnings: string[];
  test?: Test;
  trust?: Trust;
  scored: Scored[];
  /** a_ij, row after row; t_fij, focal model after focal model. */
  co_failures?: number[];
  focal_co_failures?: number[];
  correlations: Correlation[];
  deciding_samples?: { team?: Team; repaired: number; broken: number; samples: DecidingSample[] };
  sweep?: SweepRow[];
}

interface PlainScored {
  metric: string;
  /** An earlier metric with the same teams and counts, in place of them. */
  teams_of?: string;
  teams?: number[][];
  score: number[];
  fate?: string;
  correct?: number[];
  test_correct?: number[];
}

interface PackedScored {
  metric: string;
  packed: {
    teams_of?: string;
    tiers?: { size: number; count: number }[];
    members?: Column;
    score: Column;
    score_rest?: Column;
    fate?: Column;
    correct?: Column;
    test_correct?: Column;
  };
}

type JsonStudy = Omit<Study, "scored" | "co_failures" | "focal_co_failures"> & {
  scored?: (PlainScored | PackedScored)[];
  co_failures?: number[][];
  focal_co_failures?: number[][][];
};

/** Reads what a page holds: a study, a tournament of methods, or cascades. Rejects with a sentence for people when it is none. */
export async function readPage(text: string): Promise<Study | Comparison | Cascades> {
  if (!text.trimStart().startsWith("{")) throw new Error("This page holds no study yet.");
  const json = JSON.parse(text) as JsonStudy | Comparison | Cascades;
  if (isCascades(json)) {
    if (!json.pool?.models || !json.order || !json.rows?.length) throw new Error("This page holds JSON that is not a team's cascades.");
    return json;
  }
  if (!isComparison(json)) return studyOf(json);
  if (!json.pool?.models || !json.methods || !json.reference)
    throw new Error("This page holds JSON that is not a comparison of methods.");
  return json;
}

/** Reads a study. Rejects with a sentence for people when it is none. */
export async function readStudy(text: string): Promise<Study> {
  const page = await readPage(text);
  if (isComparison(page)) throw new Error("This page holds a comparison of methods.");
  if (isCascades(page)) throw new Error("This page holds a team's cascades.");
  return page;
}

export const isComparison = (page: object): page is Comparison => "command" in page && page.command === "compare";

async function studyOf(json: JsonStudy): Promise<Study> {
  if (!json.pool?.models || !json.selections)
    throw new Error("This page holds JSON that is not the study of a pruned pool.");
  const scored: Scored[] = [];
  for (const entry of json.scored ?? [])
    scored.push("packed" in entry ? await readPacked(entry, scored) : readPlain(entry, scored));
  return {
    ...json,
    scored,
    co_failures: json.co_failures?.flat(),
    focal_co_failures: json.focal_co_failures?.flat(2),
    correlations: json.correlations ?? [],
    warnings: json.warnings ?? [],
    baselines: json.baselines ?? {},
    options: json.options ?? {},
  };
}

function sharedWith(metric: string, name: string | undefined, earlier: readonly Scored[]): Scored | undefined {
  const shared = earlier.find((each) => each.metric === name);
  if (name !== undefined && !shared) throw new Error(`The scores of ${metric} name no teams.`);
  return shared;
}

function readPlain(entry: PlainScored, earlier: readonly Scored[]): Scored {
  const shared = sharedWith(entry.metric, entry.teams_of, earlier);
  return {
    metric: entry.metric,
    teams: shared?.teams ?? Teams.from(entry.teams ?? []),
    score: entry.score,
    kept: entry.fate ? Uint8Array.from(entry.fate, (letter) => Number(letter === "k")) : null,
    correct: shared?.correct ?? entry.correct ?? [],
    testCorrect: shared ? shared.testCorrect : entry.test_correct?.length ? entry.test_correct : null,
    rounded: false,
  };
}

async function readPacked({ metric, packed }: PackedScored, earlier: readonly Scored[]): Promise<Scored> {
  const shared = sharedWith(metric, packed.teams_of, earlier);
  const teams = shared?.teams ?? readTeams(packed.tiers ?? [], packed.members ? await unpackIntegers(packed.members) : new Uint8Array());
  const kept = packed.fate ? await unpackIntegers(packed.fate) : null;
  const score = await unpack(packed.score);
  const rest = packed.score_rest ? await unpack(packed.score_rest) : null;
  if (rest) addRest(score, rest, rest.length === score.length ? null : kept);
  return {
    metric,
    teams,
    score,
    kept,
    correct: shared?.correct ?? (packed.correct ? await unpack(packed.correct) : []),
    testCorrect: shared ? shared.testCorrect : packed.test_correct ? await unpack(packed.test_correct) : null,
    rounded: rest?.length !== score.length,
  };
}

/** Makes drawn scores exact to 12 decimals: all of them, or those of the kept teams. */
function addRest(score: Float64Array, rest: ArrayLike<number>, kept: ArrayLike<number> | null): void {
  let next = 0;
  for (let i = 0; i < score.length; i++)
    if (!kept || kept[i] === 1) score[i] = Math.round((score[i] + rest[next++]) * 1e12) / 1e12;
}

function readTeams(sizes: readonly { size: number; count: number }[], members: ArrayLike<number>): Teams {
  const columns = members as Members;
  const tiers: TeamTier[] = [];
  let [begin, place] = [0, 0];
  for (const { size, count } of sizes) {
    tiers.push({ size, begin, end: begin + count, columns: columns.subarray(place, place + size * count) });
    begin += count;
    place += size * count;
  }
  if (place !== columns.length) throw new Error("The packed teams do not fill their tiers.");
  return new Teams(tiers);
}

/** "F-GD" -> "GD"; a baseline stays as it is. */
export const baselineOf = (metric: string) => metric.replace(/^F-/, "");
export const isFocal = (metric: string) => metric.startsWith("F-");

/** What the sum over members of one cost is; nothing where a member's is unknown. */
export function teamCost(pool: Pool, team: Team, cost: CostName | "size"): number | undefined {
  if (cost === "size") return team.length;
  let sum = 0;
  for (const id of team) {
    const value = pool.models[id]?.costs?.[cost];
    if (value == null) return undefined;
    sum += value;
  }
  return sum;
}

/** The costs that are known for every model. */
export const knownCosts = (pool: Pool) =>
  costNames.filter((cost) => pool.models.every((model) => model.costs?.[cost] != null));

/** What is known of one team, from wherever in the study it stands. */
export function lookUp(study: Study, metric: string, team: Team) {
  const scored = study.scored.find((each) => each.metric === metric);
  const index = scored?.teams.find(team) ?? -1;
  const selection = study.selections.find((each) => each.metric === metric);
  const selected = selection?.teams.find((each) => sameTeam(each.team, team));
  if (!scored || index < 0) return { index: -1, selected };
  return {
    index,
    selected,
    score: selected?.score ?? scored.score[index],
    kept: scored.kept ? scored.kept[index] === 1 : undefined,
    correct: scored.correct[index],
    testCorrect: scored.testCorrect?.[index],
  };
}
