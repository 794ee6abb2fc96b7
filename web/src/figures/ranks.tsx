// SPDX-License-Identifier: MIT
/** Mean ranks of methods; bars join those that the critical difference does not tell apart. */
import { scaleLinear } from "d3-scale";
import { AxisBottom, padded } from "../parts/plot";
import { groupSpans, ranked, type Comparison } from "../comparison";
import { isolate } from "../format";
import { Label } from "../parts/label";
import { textWidth, widest } from "../parts/ruler";

const pitch = 24;

export function RankFigure({ comparison, width }: { comparison: Comparison; width: number }) {
  const methods = ranked(comparison);
  const spans = groupSpans(comparison);
  const left = Math.min(Math.ceil(widest(methods.map((each) => isolate(each.title)), { bold: true })), 0.36 * width) + 12;
  const right = 24 + spans.length * 12;
  const ranks = methods.map((each) => each.mean_rank);
  const x = scaleLinear(padded(Math.min(1, ...ranks), Math.max(...ranks), 0.03), [left, width - right]);
  const critical = comparison.critical_difference;
  const from = x.domain()[0];
  const end = critical === null ? Infinity : x(from + critical);
  const words = `critical difference ${critical?.toFixed(2)}`;
  // Behind its bar, or above it where the figure ends too early.
  const behind = end + 8 + textWidth(words) <= width;
  const top = behind ? 34 : 50;
  const bar = top - 24;
  const bottom = top + methods.length * pitch + 4;
  const at = (place: number) => top + (place + 0.5) * pitch;
  return (
    <svg
      class="ranks" viewBox={`0 0 ${width} ${bottom + 44}`} width={width} height={bottom + 44} role="img"
      aria-label={`Mean ranks: ${methods.map((each) => `${each.title} ${each.mean_rank.toFixed(2)}`).join(", ")}${critical === null ? "" : `; critical difference ${critical.toFixed(2)}`}`}
    >
      {end < width - right && (
        <g class="critical">
          <path d={`M${left},${bar - 4}v8M${left},${bar}H${end.toFixed(1)}m0,-4v8`} />
          {behind
            ? <text class="note" x={end + 8} y={bar} dy="0.34em">{words}</text>
            : <text class="note" x={Math.max(0, Math.min(left, width - textWidth(words)))} y="12">{words}</text>}
        </g>
      )}
      <AxisBottom scale={x} at={bottom} ticks={8} format={(v) => `${+v.toFixed(2)}`} label="mean rank, 1 is best" grid={top} frame={width} />
      {methods.map((each, place) => (
        <g key={each.method}>
          <line class="lead" x1={left} x2={x(each.mean_rank)} y1={at(place)} y2={at(place)} />
          <Label text={each.title} room={left - 12} bold={place === 0} x={left - 12} y={at(place)} dy="0.34em" text-anchor="end" />
          <circle class={place === 0 ? "accent" : each.is_worse ? "hollow" : "ink"} cx={x(each.mean_rank)} cy={at(place)} r="5" />
        </g>
      ))}
      {spans.map(([first, last], place) => (
        <path key={place} class="group" d={`M${width - right + 14 + place * 12},${at(first) - 7}V${at(last) + 7}`} />
      ))}
    </svg>
  );
}
