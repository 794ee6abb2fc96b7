// SPDX-License-Identifier: MIT
/** The rows of the table of teams: which, in which order, as CSV. Pure. */
import { csv, teamKey } from "../format";
import type { Scored, Selection, Study, TeamFigures } from "../data";
import { compareTeams, containsTeam, sameTeam, type Team } from "../teams";
import type { Brush } from "../state";

export interface TeamRow {
  team: Team;
  score: number;
  correct?: number;
  testCorrect?: number;
  kept?: boolean;
  votes?: number;
}

/** "given" = as the engine ordered them. */
export type SortKey = "given" | "team" | "size" | "score" | "correct" | "testCorrect" | "votes" | "kept";

export interface Filter {
  members: Team;
  size: number;
}

/** At most this many rows are sorted and listed; a study may hold a million. */
export const rowLimit = 200_000;

export function selectionRows(selection: Selection, onTest?: readonly TeamFigures[]): TeamRow[] {
  return selection.teams.map((each, place) => {
    const test = onTest?.[place];
    return {
      team: each.team,
      score: each.score,
      correct: each.correct,
      testCorrect: test && sameTeam(test.team, each.team) ? test.correct : undefined,
      kept: true,
      votes: each.votes,
    };
  });
}

/** The scored teams inside the brush (or all) that pass the filter. */
export function scoredRows(
  scored: Scored,
  filter: Filter,
  brush: Brush | null,
  accuracy: (index: number) => number,
): { rows: TeamRow[]; total: number } {
  const rows: TeamRow[] = [];
  let total = 0;
  for (const tier of scored.teams.tiers) {
    if (filter.size && tier.size !== filter.size) continue;
    for (let i = tier.begin; i < tier.end; i++) {
      if (brush && !inside(brush, scored.score[i], accuracy(i))) continue;
      if (filter.members.length && !containsTeam(scored.teams.at(i), filter.members)) continue;
      total++;
      if (rows.length < rowLimit) rows.push(rowAt(scored, i));
    }
  }
  return { rows, total };
}

function inside({ score, accuracy }: Brush, x: number, y: number): boolean {
  return x >= score[0] && x <= score[1] && y >= accuracy[0] && y <= accuracy[1];
}

function rowAt(scored: Scored, index: number): TeamRow {
  return {
    team: scored.teams.at(index),
    score: scored.score[index],
    correct: scored.correct[index],
    testCorrect: scored.testCorrect?.[index],
    kept: scored.kept ? scored.kept[index] === 1 : undefined,
  };
}

export function filtered(rows: readonly TeamRow[], { members, size }: Filter): TeamRow[] {
  return rows.filter((row) => (!size || row.team.length === size) && containsTeam(row.team, members));
}

/** A stable order; equal rows stay in team order. Missing values come last. */
export function sorted(rows: readonly TeamRow[], key: SortKey, descending: boolean): TeamRow[] {
  if (key === "given") return [...rows];
  const sign = descending ? -1 : 1;
  const value = (row: TeamRow): number => {
    if (key === "size") return row.team.length;
    return key === "team" ? 0 : Number(row[key] ?? Number.NaN);
  };
  return rows.toSorted((a, b) => {
    if (key === "team") return sign * compareTeams(a.team, b.team);
    const [x, y] = [value(a), value(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || compareTeams(a.team, b.team);
    return sign * (x - y) || compareTeams(a.team, b.team);
  });
}

export function teamsCsv(study: Study, rows: readonly TeamRow[]): string {
  const head = ["team", "members", "size", "score", "correct", "accuracy", "test_correct", "fate", "votes"];
  const lines = rows.map((row) => [
    teamKey(row.team),
    row.team.map((id) => study.pool.models[id]?.name ?? "?").join("; "),
    row.team.length,
    row.score,
    row.correct ?? "",
    row.correct == null ? "" : row.correct / study.pool.samples,
    row.testCorrect ?? "",
    row.kept === undefined ? "" : row.kept ? "kept" : "pruned",
    row.votes ?? "",
  ]);
  return csv([head, ...lines]);
}
