// SPDX-License-Identifier: MIT
/** The teams that no other team beats at a lower or equal cost. Pure. */
import { teamCost, type CostName, type Study } from "../data";
import { indicesBelow } from "../parts/plot";
import type { Team } from "../teams";
import { judgement, type Judge } from "../state";

export interface Candidate {
  team: Team;
  cost: number;
  accuracy: number;
}

/** Teams drawn and judged: single models, every scored team (each once), the entire ensemble. */
export interface Field {
  cost: Float64Array;
  accuracy: Float64Array;
  team: (index: number) => Team;
}

export function field(study: Study, cost: CostName | "size", judge: Judge): Field | null {
  const { samples, models, reference, counts } = judgement(study, judge);
  const singles = models.map((model, id) => ({ team: [id], accuracy: model.correct / samples }));
  singles.push({ team: [...study.reference.team], accuracy: reference });
  const tables = distinctTables(study);
  const total = singles.length + tables.reduce((sum, { keep }) => sum + keep.length, 0);
  const costs = new Float64Array(total);
  const accuracy = new Float64Array(total);
  const starts: number[] = [];
  let next = 0;
  for (const single of singles) {
    const value = teamCost(study.pool, single.team, cost);
    if (value === undefined) return null;
    costs[next] = value;
    accuracy[next++] = single.accuracy;
  }
  const each = study.pool.models.map((model) => (cost === "size" ? 1 : (model.costs?.[cost] ?? 0)));
  for (const { scored, keep } of tables) {
    starts.push(next);
    const correct = counts(scored);
    let tier = scored.teams.tiers[0];
    for (let i = 0; i < keep.length; i++) {
      const index = keep[i];
      if (index >= tier.end) tier = scored.teams.tierOf(index);
      const rows = tier.end - tier.begin;
      let sum = 0;
      if (cost === "size") sum = tier.size;
      else for (let place = 0; place < tier.size; place++) sum += each[tier.columns[place * rows + index - tier.begin]];
      costs[next] = sum;
      accuracy[next++] = correct[index] / samples;
    }
  }
  const team = (index: number): Team => {
    if (index < singles.length) return singles[index].team;
    const table = starts.findLastIndex((start) => start <= index);
    return tables[table].scored.teams.at(tables[table].keep[index - starts[table]]);
  };
  return { cost: costs, accuracy, team };
}

/** Every scored team once, whichever metric scored it first. Big studies: the first metric's teams. */
function distinctTables(study: Study) {
  const [first, ...others] = study.scored;
  if (!first) return [];
  const tables = [{ scored: first, keep: indicesBelow(first.teams.count) }];
  if (first.rounded) return tables;
  for (const scored of others) {
    if (tables.some((table) => table.scored.teams === scored.teams)) continue;
    const fresh: number[] = [];
    for (let i = 0; i < scored.teams.count; i++) {
      const team = scored.teams.at(i);
      if (tables.every((table) => table.scored.teams.find(team) < 0)) fresh.push(i);
    }
    if (fresh.length) tables.push({ scored, keep: Uint32Array.from(fresh) });
  }
  return tables;
}

/** Indices on the front, cheapest first; of equals only the first. */
export function front(cost: ArrayLike<number>, accuracy: ArrayLike<number>): number[] {
  const best = new Map<number, number>();
  for (let i = 0; i < cost.length; i++) {
    const rival = best.get(cost[i]);
    if (rival === undefined || accuracy[i] > accuracy[rival]) best.set(cost[i], i);
  }
  const found: number[] = [];
  let highest = -Infinity;
  for (const i of [...best.values()].sort((a, b) => cost[a] - cost[b]))
    if (accuracy[i] > highest) {
      highest = accuracy[i];
      found.push(i);
    }
  return found;
}
