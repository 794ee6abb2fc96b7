// SPDX-License-Identifier: MIT
/** Where the hierarchy figure puts teams: a block a tier, best score first. Pure. */
import type { Scored } from "../data";
import { compareTeams, parts, type Team, type TeamTier } from "../teams";

/** With more teams than this in a tier, tiers become histograms; marks would be too small to see. */
export const marksUpTo = 2500;

export interface TierBlock {
  tier: TeamTier;
  x: number;
  width: number;
  /** Marks in a row, and the distance from mark to mark; 0 in a histogram. */
  columns: number;
  pitch: number;
  height: number;
  /** Team indices by rank; only with marks. */
  order: Uint32Array | null;
  /** Teams by score, the best score first; only in a histogram. */
  bins: { kept: number; pruned: number }[] | null;
}

const histogramHeight = 260;
const binCount = 52;

export function tierBlocks(scored: Scored, width: number, gap: number): TierBlock[] {
  const { tiers } = scored.teams;
  const each = (width - gap * (tiers.length - 1)) / Math.max(1, tiers.length);
  const largest = Math.max(...tiers.map((tier) => tier.end - tier.begin), 1);
  // Blocks a little wider than high, marks as large as fits.
  const wanted = Math.ceil(Math.sqrt(1.2 * largest));
  const pitch = Math.max(4, Math.min(15, Math.floor(each / wanted)));
  const range = scoreRange(scored.score);
  return tiers.map((tier, place) => {
    const count = tier.end - tier.begin;
    const columns = Math.max(1, Math.min(wanted, Math.floor(each / pitch)));
    const many = largest > marksUpTo;
    return {
      tier,
      x: place * (each + gap),
      width: each,
      columns,
      pitch: many ? 0 : pitch,
      height: many ? histogramHeight : Math.ceil(count / columns) * pitch,
      order: many ? null : byRank(scored, tier),
      bins: many ? binsOf(scored, tier, range) : null,
    };
  });
}

function scoreRange(score: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < score.length; i++) {
    if (score[i] < low) low = score[i];
    if (score[i] > high) high = score[i];
  }
  return [low, high];
}

/** How far below the best score, as a share of the range. */
const depth = (score: number, [low, high]: [number, number]) => (high > low ? (high - score) / (high - low) : 0);

function binsOf({ score, kept }: Scored, { begin, end }: TeamTier, range: [number, number]) {
  const bins = Array.from({ length: binCount }, () => ({ kept: 0, pruned: 0 }));
  for (let i = begin; i < end; i++)
    bins[Math.min(binCount - 1, Math.floor(binCount * depth(score[i], range)))][kept?.[i] === 1 ? "kept" : "pruned"]++;
  return bins;
}

/** Best score first; among equals the earlier team, as pruning ranks them. */
function byRank(scored: Scored, { begin, end }: TeamTier): Uint32Array {
  const order = Uint32Array.from({ length: end - begin }, (_, i) => begin + i);
  return order.sort((a, b) => scored.score[b] - scored.score[a] || a - b);
}

/** The middle of a team's mark, relative to the top of the blocks; nothing when it is no candidate. */
export function markPlace(scored: Scored, blocks: readonly TierBlock[], team: Team) {
  const index = scored.teams.find(team);
  const block = blocks.find((each) => each.tier.size === team.length);
  if (index < 0 || !block) return null;
  if (!block.order) {
    return { index, x: block.x + 12, y: block.height * depth(scored.score[index], scoreRange(scored.score)) };
  }
  const rank = block.order.indexOf(index);
  return {
    index,
    x: block.x + ((rank % block.columns) + 0.5) * block.pitch,
    y: (Math.floor(rank / block.columns) + 0.5) * block.pitch,
  };
}

/** The team whose mark is at a place, or -1. */
export function teamAt(blocks: readonly TierBlock[], x: number, y: number): number {
  for (const block of blocks) {
    if (!block.order || x < block.x || x >= block.x + block.columns * block.pitch || y < 0) continue;
    const rank = Math.floor(y / block.pitch) * block.columns + Math.floor((x - block.x) / block.pitch);
    if (rank < block.order.length) return block.order[rank];
  }
  return -1;
}

/** The pruned teams below the last tier, which cut something off, in team order. */
export function cuttingTeams(scored: Scored, limit: number): number[][] {
  const { tiers } = scored.teams;
  const found: number[][] = [];
  for (const tier of tiers.slice(0, -1))
    for (let i = tier.begin; i < tier.end && found.length < limit; i++)
      if (scored.kept?.[i] === 0) found.push(scored.teams.at(i));
  return found.sort(compareTeams);
}

/** A team and every part of it that has at least two members, with the steps between them. */
export function lineage(team: Team): { teams: number[][]; steps: [number[], number[]][] } {
  const teams: number[][] = [];
  const steps: [number[], number[]][] = [];
  for (let size = 2; size <= team.length; size++)
    for (const part of parts(team, size)) {
      teams.push(part);
      if (size > 2) for (const parent of parts(part, size - 1)) steps.push([parent, part]);
    }
  return { teams, steps };
}
