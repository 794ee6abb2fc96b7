// SPDX-License-Identifier: MIT
/** Which teams the central picture shows, where, and how they look. Pure. */
import type { Scored } from "../data";
import { indicesBelow, padded } from "../parts/plot";
import { shapes, type DotGroup } from "../parts/dots";
import { keptColour, prunedColour, sizeColour } from "../parts/palette";
import type { ColourBy, Shown } from "../state";

/** Indices of the teams of `size`; 0 = all. With `fate`, only those that `kept` says are kept or pruned. */
export function shownTeams(scored: Scored, size: number, fate: Shown = "all", kept: ArrayLike<number> | null = null): Uint32Array {
  const tier = scored.teams.tiers.find((each) => each.size === size);
  const [begin, end] = size === 0 ? [0, scored.teams.count] : tier ? [tier.begin, tier.end] : [0, 0];
  const all = indicesBelow(end).subarray(begin);
  if (fate === "all" || !kept) return all;
  const wanted = fate === "kept" ? 1 : 0;
  return all.filter((index) => kept[index] === wanted);
}

export function mean(values: ArrayLike<number>, indices: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i++) sum += values[indices[i]];
  return indices.length ? sum / indices.length : 0;
}

/** The ranges of both axes; the reference is always visible. */
export function domains(
  scores: ArrayLike<number>,
  counts: ArrayLike<number>,
  shown: Uint32Array,
  samples: number,
  reference: number,
) {
  let [low, high, worst, best] = [Infinity, -Infinity, reference, reference];
  for (let i = 0; i < shown.length; i++) {
    const score = scores[shown[i]];
    const accuracy = counts[shown[i]] / samples;
    if (score < low) low = score;
    if (score > high) high = score;
    if (accuracy < worst) worst = accuracy;
    if (accuracy > best) best = accuracy;
  }
  const floor = floorOf(counts, shown, samples, worst, best);
  return { score: padded(low, high), accuracy: padded(floor, best, 0.06) };
}

/**
 * Where the accuracy axis begins: at the worst team, unless a handful of hopeless ones would squash
 * all others into the upper half.
 */
function floorOf(counts: ArrayLike<number>, shown: Uint32Array, samples: number, worst: number, best: number): number {
  const stride = Math.ceil(shown.length / 20_000);
  const some = shown.filter((_, i) => i % stride === 0).map((index) => counts[index]).sort();
  const most = Math.min(best, some[Math.floor(some.length * 0.005)] / samples);
  return some.length > 200 && best - most < (best - worst) / 2 ? most : worst;
}

/** Marks by fate (kept on top) or by size (a shape and a colour each). */
export function dotGroups(
  scored: Scored,
  kept: ArrayLike<number> | null,
  shown: Uint32Array,
  x: Float32Array,
  y: Float32Array,
  colourBy: ColourBy,
): DotGroup[] {
  const pick = (wanted: (index: number) => boolean) => {
    const chosen = { x: new Float32Array(shown.length), y: new Float32Array(shown.length) };
    let count = 0;
    for (let i = 0; i < shown.length; i++)
      if (wanted(shown[i])) {
        chosen.x[count] = x[i];
        chosen.y[count++] = y[i];
      }
    return { x: chosen.x.subarray(0, count), y: chosen.y.subarray(0, count) };
  };
  if (colourBy === "size") {
    const { tiers } = scored.teams;
    return tiers
      .map(({ begin, end }, step) => ({
        ...sizeLook(step, tiers.length),
        ...pick((index) => index >= begin && index < end),
      }))
      .filter((group) => group.x.length > 0);
  }
  if (!kept) return [{ shape: "circle", radius: 2.6, colour: prunedColour, x, y }];
  return [
    { shape: "cross", radius: 2.4, colour: prunedColour, ...pick((index) => kept[index] !== 1) },
    { shape: "circle", radius: 2.8, colour: keptColour, ...pick((index) => kept[index] === 1) },
  ];
}

export function sizeLook(step: number, steps: number) {
  return { shape: shapes[step % shapes.length], radius: 2.8, colour: sizeColour(step, steps) };
}
