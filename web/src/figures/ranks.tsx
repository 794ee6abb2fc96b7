// SPDX-License-Identifier: MIT
/** Mean ranks of methods; hollow dots are those whose verdict is worse. */
import { scaleLinear } from "d3-scale";
import { AxisBottom, padded } from "../parts/plot";
import { ranked, type Comparison } from "../comparison";
import { isolate } from "../format";
import { Label } from "../parts/label";
import { widest } from "../parts/ruler";

const pitch = 24;

export function RankFigure({ comparison, width }: { comparison: Comparison; width: number }) {
  const methods = ranked(comparison);
  const left = Math.min(Math.ceil(widest(methods.map((each) => isolate(each.title)), { bold: true })), 0.36 * width) + 12;
  const right = 24;
  const ranks = methods.map((each) => each.mean_rank);
  const x = scaleLinear(padded(Math.min(1, ...ranks), Math.max(...ranks), 0.03), [left, width - right]);
  const top = 10;
  const bottom = top + methods.length * pitch + 4;
  const at = (place: number) => top + (place + 0.5) * pitch;
  return (
    <svg
      class="ranks" viewBox={`0 0 ${width} ${bottom + 44}`} width={width} height={bottom + 44} role="img"
      aria-label={`Mean ranks: ${methods.map((each) => `${each.title} ${each.mean_rank.toFixed(2)}`).join(", ")}`}
    >
      <AxisBottom scale={x} at={bottom} ticks={8} format={(v) => `${+v.toFixed(2)}`} label="mean rank, 1 is best" grid={top} frame={width} />
      {methods.map((each, place) => (
        <g key={each.method}>
          <line class="lead" x1={left} x2={x(each.mean_rank)} y1={at(place)} y2={at(place)} />
          <Label text={each.title} room={left - 12} bold={place === 0} x={left - 12} y={at(place)} dy="0.34em" text-anchor="end" />
          <circle class={place === 0 ? "accent" : each.verdict === "worse" ? "hollow" : "ink"} cx={x(each.mean_rank)} cy={at(place)} r="5" />
        </g>
      ))}
    </svg>
  );
}
