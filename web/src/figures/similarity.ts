// SPDX-License-Identifier: MIT
/** An order of models in which those that fail together stand together. Pure. */

/**
 * Average linkage on the Jaccard distance of failure sets; a merge puts the closer ends side by side.
 * `coFailures` is M x M, row after row; its diagonal holds each model's failures. O(M^3).
 */
export function bySimilarity(coFailures: readonly number[], modelCount: number): number[] {
  const together = (i: number, j: number) => coFailures[i * modelCount + j];
  const distance = (i: number, j: number) => {
    const either = together(i, i) + together(j, j) - together(i, j);
    return either ? 1 - together(i, j) / either : 1;
  };
  let groups = Array.from({ length: modelCount }, (_, id) => [id]);
  while (groups.length > 1) {
    let [best, left, right] = [Infinity, 0, 1];
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        let sum = 0;
        for (const i of groups[a]) for (const j of groups[b]) sum += distance(i, j);
        const average = sum / (groups[a].length * groups[b].length);
        if (average < best - 1e-12) [best, left, right] = [average, a, b];
      }
    const merged = joinNearEnds(groups[left], groups[right], distance);
    groups = [...groups.filter((_, place) => place !== left && place !== right), merged];
  }
  return groups[0] ?? [];
}

function joinNearEnds(a: number[], b: number[], distance: (i: number, j: number) => number): number[] {
  const ways = [
    [a, b],
    [a, b.toReversed()],
    [a.toReversed(), b],
    [a.toReversed(), b.toReversed()],
  ];
  let best = ways[0];
  const gap = ([left, right]: number[][]) => distance(left[left.length - 1], right[0]);
  for (const way of ways) if (gap(way) < gap(best) - 1e-12) best = way;
  return best.flat();
}
