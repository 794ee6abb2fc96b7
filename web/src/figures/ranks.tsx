// SPDX-License-Identifier: MIT
/** Mean ranks of methods; bars join those that the critical difference does not tell apart. */
import { scaleLinear } from "d3-scale";
import { AxisBottom, padded } from "../parts/plot";
import { groupSpans, ranked, type Comparison } from "../comparison";
import { isolate, shorten } from "../format";

const pitch = 24;
const top = 34;

export function RankFigure({ comparison, width }: { comparison: Comparison; width: number }) {
  const methods = ranked(comparison);
  const spans = groupSpans(comparison);
  const narrow = width < 620;
  const left = narrow ? 128 : 230;
  const right = 24 + spans.length * 12;
  const ranks = methods.map((each) => each.mean_rank);
  const x = scaleLinear(padded(Math.min(1, ...ranks), Math.max(...ranks), 0.03), [left, width - right]);
  const bottom = top + methods.length * pitch + 4;
  const at = (place: number) => top + (place + 0.5) * pitch;
  const critical = comparison.critical_difference;
  const from = x.domain()[0];
  return (
    <svg
      class="ranks" viewBox={`0 0 ${width} ${bottom + 44}`} width={width} height={bottom + 44} role="img"
      aria-label={`Mean ranks: ${methods.map((each) => `${each.title} ${each.mean_rank.toFixed(2)}`).join(", ")}${critical === null ? "" : `; critical difference ${critical.toFixed(2)}`}`}
    >
      {critical !== null && x(from + critical) < width - right && (
        <g class="critical">
          <path d={`M${left},6v8M${left},10H${x(from + critical).toFixed(1)}m0,-4v8`} />
          <text class="note" x={x(from + critical) + 8} y="10" dy="0.34em">critical difference {critical.toFixed(2)}</text>
        </g>
      )}
      <AxisBottom scale={x} at={bottom} ticks={narrow ? 4 : 8} format={(v) => `${+v.toFixed(2)}`} label="mean rank, 1 is best" grid={top} />
      {methods.map((each, place) => (
        <g key={each.method}>
          <line class="lead" x1={left} x2={x(each.mean_rank)} y1={at(place)} y2={at(place)} />
          <text class={place === 0 ? "chosen" : ""} x={left - 12} y={at(place)} dy="0.34em" text-anchor="end">{isolate(shorten(each.title, narrow ? 18 : 34))}</text>
          <circle class={place === 0 ? "accent" : each.is_worse ? "hollow" : "ink"} cx={x(each.mean_rank)} cy={at(place)} r="5" />
        </g>
      ))}
      {spans.map(([first, last], place) => (
        <path key={place} class="group" d={`M${width - right + 14 + place * 12},${at(first) - 7}V${at(last) + 7}`} />
      ))}
    </svg>
  );
}
