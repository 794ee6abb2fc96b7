// SPDX-License-Identifier: MIT
/** Where the teams of a scatter lie: scales, pixels, and which mark is nearest to a place. */
import { useMemo } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import { NearestIndex } from "../parts/nearest";
import { axisRoom, percentTicks, pixels } from "../parts/plot";
import type { Scored } from "../data";
import { judgement, usePage } from "../state";
import { domains, shownTeams } from "./scatter_points";

export const margin = { top: 34, right: 14, bottom: 48 };
export const height = 380;
export const floor = height - margin.bottom;

/** Teams below the accuracies worth drawing are put on the bottom edge, and counted. */
function onTheEdge(py: Float32Array | Float64Array): number {
  let below = 0;
  for (let i = 0; i < py.length; i++)
    if (py[i] > floor) {
      py[i] = floor;
      below++;
    }
  return below;
}

export function useLayout(scored: Scored, decided: Scored, width: number) {
  const { study, view } = usePage();
  const judge = judgement(study, view.judge);
  const tier = useMemo(() => shownTeams(scored, view.size), [scored, view.size]);
  const shown = useMemo(() => shownTeams(scored, view.size, view.shown, decided.kept), [scored, view.size, view.shown, decided]);
  const counts = judge.counts(scored);
  const placed = useMemo(() => {
    const domain = domains(scored.score, counts, tier, judge.samples, judge.reference);
    const y = scaleLinear(domain.accuracy, [floor, margin.top]);
    const left = axisRoom(percentTicks(y));
    const x = scaleLinear(domain.score, [left, width - margin.right]);
    const px = pixels(x, scored.score, shown);
    const py = pixels(y, counts, shown, judge.samples);
    const below = onTheEdge(py);
    return { x, y, left, px, py, below, nearest: new NearestIndex(px, py, width, height) };
  }, [scored, counts, shown, width]);
  return { judge, tier, shown, counts, ...placed };
}

export type Layout = ReturnType<typeof useLayout>;
