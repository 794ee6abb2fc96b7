// SPDX-License-Identifier: MIT
/** Where teams lie between cost and accuracy: scales, pixels, marks, and the front among them. */
import { useMemo } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import type { CostName } from "../data";
import type { DotGroup } from "../parts/dots";
import { NearestIndex } from "../parts/nearest";
import { prunedColour } from "../parts/palette";
import { axisRoom, indicesBelow, padded, percentTicks, pixels } from "../parts/plot";
import { judgement, usePage } from "../state";
import { front, type Candidate, type Field } from "./pareto_front";

export type Axis = CostName | "size";

export const margin = { top: 34, right: 18, bottom: 48 };
export const height = 380;
export const floor = height - margin.bottom;

/** A team that none beats, and where its mark is. */
export interface FrontTeam extends Candidate {
  x: number;
  y: number;
}

export function useLayout(data: Field, axis: Axis, width: number) {
  const { study, view } = usePage();
  const judge = judgement(study, view.judge);
  const unbeaten = useMemo(() => front(data.cost, data.accuracy), [data]);
  const worst = useMemo(() => lowest(data.accuracy, unbeaten), [data]);
  const right = width - margin.right;
  const placed = useMemo(() => {
    const y = scaleLinear(padded(worst, Math.max(max(data.accuracy), judge.reference), 0.08), [floor, margin.top]);
    const left = axisRoom(percentTicks(y));
    const x = scaleLinear(padded(0, max(data.cost), 0.03), [left, right]);
    const everything = indicesBelow(data.cost.length);
    const px = pixels(x, data.cost, everything);
    const py = pixels(y, data.accuracy, everything);
    const reach = axis === "size" ? x(0.2) - x(0) : 0;
    for (let i = 0; i < px.length; i++) px[i] += reach * spread(i);
    return { x, y, left, px, py, nearest: new NearestIndex(px, py, width, height) };
  }, [data, width, worst, axis]);
  const { x, px, py } = placed;
  const groups = useMemo(() => rings(px, py), [px, py]);
  const onFront: FrontTeam[] = unbeaten.map((i) => ({ team: data.team(i), cost: data.cost[i], accuracy: data.accuracy[i], x: x(data.cost[i]), y: py[i] }));
  return { judge, right, groups, onFront, ...placed };
}

export type Layout = ReturnType<typeof useLayout>;

/** A ring for every team that is not below the picture. */
function rings(px: Float32Array, py: Float32Array): DotGroup[] {
  const seen = { x: new Float32Array(px.length), y: new Float32Array(px.length) };
  let count = 0;
  for (let i = 0; i < px.length; i++) {
    if (py[i] > floor + 1) continue;
    seen.x[count] = px[i];
    seen.y[count++] = py[i];
  }
  return [{ shape: "ring", radius: 2.4, colour: prunedColour, x: seen.x.subarray(0, count), y: seen.y.subarray(0, count) }];
}

/** A fixed scatter in [-1, 1] so that teams of one size do not hide each other. */
const spread = (index: number) => 2 * ((index * 0.618033988749895) % 1) - 1;

function max(values: Float64Array): number {
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > highest) highest = values[i];
  return highest;
}

/** Low enough for the front and for most teams; a few hopeless ones would squash the rest. */
function lowest(accuracy: Float64Array, onFront: readonly number[]): number {
  const stride = Math.ceil(accuracy.length / 10_000);
  const sorted = accuracy.filter((_, i) => i % stride === 0).sort();
  return Math.min(sorted[Math.floor(sorted.length * 0.02)], ...onFront.map((i) => accuracy[i]).slice(1));
}
