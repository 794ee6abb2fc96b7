// SPDX-License-Identifier: MIT
/** How often models fail together, in shares of failures, and how strongly a share is shaded. Pure. */
import type { Study } from "../data";

/** No focal model: all failures count. */
export const noFocal = -1;

/** Which share of the failures of row model i the column model j shares; with a focal model, of its failures only. Requires: the study's co-failures. */
export function failureShares(study: Study, focal: number) {
  const size = study.pool.models.length;
  const pairs = study.co_failures!;
  const together = (i: number, j: number) =>
    focal === noFocal ? pairs[i * size + j] : study.focal_co_failures![(focal * size + i) * size + j];
  const whole = (i: number) => (focal === noFocal ? pairs[i * size + i] : pairs[focal * size + focal]);
  const share = (i: number, j: number) => (whole(i) ? together(i, j) / whole(i) : 0);
  /** Whether the cell is a model with itself, which says nothing. */
  const own = (i: number, j: number) => (focal === noFocal ? i === j : i === focal && j === focal);
  return { together, whole, share, own, ...shades(size, share, own) };
}

export type FailureShares = ReturnType<typeof failureShares>;

type OfPair<T> = (i: number, j: number) => T;

/** The weakest and the strongest shade are those of the smallest and the largest share. */
function shades(size: number, share: OfPair<number>, own: OfPair<boolean>) {
  let [smallest, largest] = [1, 1e-9];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++)
      if (!own(i, j)) [smallest, largest] = [Math.min(smallest, share(i, j)), Math.max(largest, share(i, j))];
  const shade = (i: number, j: number) =>
    own(i, j) ? 0 : shadeAt(largest > smallest ? (share(i, j) - smallest) / (largest - smallest) : 0);
  /** The share that is `step` of the way from the smallest to the largest. */
  const shareAt = (step: number) => smallest + step * (largest - smallest);
  return { shade, shareAt };
}

/** The opacity of a cell that is `step` of the way from the smallest to the largest share. */
export const shadeAt = (step: number) => 0.05 + 0.87 * step;
