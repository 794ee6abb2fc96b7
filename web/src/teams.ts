// SPDX-License-Identifier: MIT
/** Many teams in size, then team order, stored as columns of members. */

export type Team = readonly number[];
export type Members = Uint8Array | Uint16Array;

/** All teams of one size: `columns` holds the first member of each, then the second of each, .. */
export interface TeamTier {
  size: number;
  begin: number;
  end: number;
  columns: Members;
}

export class Teams {
  readonly count: number;

  constructor(readonly tiers: readonly TeamTier[]) {
    this.count = tiers.length ? tiers[tiers.length - 1].end : 0;
  }

  /** Requires `teams` in size, then team order. */
  static from(teams: readonly Team[]): Teams {
    const tiers: TeamTier[] = [];
    for (let begin = 0; begin < teams.length; ) {
      const size = teams[begin].length;
      let end = begin;
      while (end < teams.length && teams[end].length === size) end++;
      const count = end - begin;
      const columns = new Uint16Array(size * count);
      for (let row = 0; row < count; row++)
        for (let place = 0; place < size; place++) columns[place * count + row] = teams[begin + row][place];
      tiers.push({ size, begin, end, columns });
      begin = end;
    }
    return new Teams(tiers);
  }

  tierOf(index: number): TeamTier {
    return this.tiers.find((tier) => index < tier.end)!;
  }

  at(index: number): number[] {
    const tier = this.tierOf(index);
    const count = tier.end - tier.begin;
    return Array.from({ length: tier.size }, (_, place) => tier.columns[place * count + index - tier.begin]);
  }

  /** The index of `team`, or -1. Logarithmic in the count. */
  find(team: Team): number {
    const tier = this.tiers.find((each) => each.size === team.length);
    if (!tier) return -1;
    const count = tier.end - tier.begin;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      let order = 0;
      for (let place = 0; place < tier.size && order === 0; place++)
        order = tier.columns[place * count + middle] - team[place];
      if (order === 0) return tier.begin + middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }
}

/** Team order: by size, then member by member. */
export function compareTeams(a: Team, b: Team): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let place = 0; place < a.length; place++) if (a[place] !== b[place]) return a[place] - b[place];
  return 0;
}

export const sameTeam = (a: Team, b: Team) => compareTeams(a, b) === 0;

export const containsTeam = (team: Team, part: Team) => part.every((member) => team.includes(member));

/** Every part of `team` with `size` members, in team order. */
export function parts(team: Team, size: number): number[][] {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let first = 0; first + size <= team.length; first++)
    for (const rest of parts(team.slice(first + 1), size - 1)) found.push([team[first], ...rest]);
  return found;
}

/** How many teams of `size` out of `modelCount` contain a given team of `partSize`. */
export function supersetCount(modelCount: number, partSize: number, size: number): number {
  return choose(modelCount - partSize, size - partSize);
}

/** The first `limit` teams of `size` that contain `part`, in team order. */
export function supersets(modelCount: number, part: Team, size: number, limit: number): number[][] {
  const others = Array.from({ length: modelCount }, (_, id) => id).filter((id) => !part.includes(id));
  const found: number[][] = [];
  const grow = (start: number, added: number[]) => {
    if (found.length >= limit) return;
    if (part.length + added.length === size) {
      found.push([...part, ...added].sort((a, b) => a - b));
      return;
    }
    for (let next = start; next < others.length; next++) grow(next + 1, [...added, others[next]]);
  };
  grow(0, []);
  return found.sort(compareTeams);
}

/** Binomial coefficient; 0 outside its range. Exact up to 2^53. */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let value = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) value = Math.round((value * (n - Math.min(k, n - k) + i)) / i);
  return value;
}
