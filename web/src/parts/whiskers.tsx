// SPDX-License-Identifier: MIT
/** Accuracies with their intervals: a dot and a whisker each, rows below each other. */
import { scaleLinear } from "d3-scale";
import { isolate, percent } from "../format";
import { Label } from "./label";
import { AxisBottom, padded } from "./plot";
import { widest } from "./ruler";

export interface WhiskerMark {
  /** Filled: samples that took no part in the choice. Hollow: those that chose. */
  filled: boolean;
  value: number;
  interval: readonly [number, number];
}

export interface WhiskerRow {
  label: string;
  main?: boolean;
  marks: WhiskerMark[];
}

interface WhiskersProps {
  rows: WhiskerRow[];
  width: number;
  digits: number;
  /** A dashed vertical line. */
  reference?: number;
  name: string;
}

const pitch = 18;
const gap = 16;
/** The room that the marks need between their names and their figures; with less, the names go above and the figures away. */
const marksFrom = 240;

export function Whiskers({ rows, width, digits, reference, name }: WhiskersProps) {
  const text = ({ value, interval: [low, high] }: WhiskerMark) => `${percent(value, digits)} (${(100 * low).toFixed(digits)} to ${(100 * high).toFixed(digits)})`;
  const names = Math.min(Math.ceil(widest(rows.map((row) => isolate(row.label)), { bold: true })), 0.3 * width);
  const figures = Math.ceil(widest(rows.flatMap((row) => row.marks.map(text))));
  const narrow = width - names - figures - 30 < marksFrom;
  const [left, right] = narrow ? [10, 10] : [names + 16, figures + 14];
  const head = narrow ? 20 : 0;
  const values = rows.flatMap((row) => row.marks.flatMap((mark) => [...mark.interval, mark.value]));
  if (reference !== undefined) values.push(reference);
  const x = scaleLinear(padded(Math.min(...values), Math.max(...values), 0.06), [left, width - right]);
  const tops: number[] = [];
  let next = 8;
  for (const row of rows) {
    tops.push(next);
    next += head + row.marks.length * pitch + gap;
  }
  const height = next + 44;
  return (
    <svg
      class="whiskers" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img"
      aria-label={`${name}. ${rows.map((row) => `${row.label}: ${row.marks.map((mark) => `${text(mark)} on ${mark.filled ? "held-out" : "selection"} samples`).join(", ")}`).join("; ")}`}
    >
      <AxisBottom scale={x} at={next} ticks={narrow ? 4 : 7} format={(v) => `${+(100 * v).toFixed(2)}`} label="accuracy, %" grid={4} frame={width} />
      {reference !== undefined && <line class="reference" x1={x(reference)} x2={x(reference)} y1="4" y2={next} />}
      {rows.map((row, place) => (
        <g key={row.label} class={row.main ? "main" : ""}>
          {narrow
            ? <Label class="halo" text={row.label} room={width - 2 * left} bold={row.main} x={left} y={tops[place] + 12} />
            : <Label text={row.label} room={names} bold={row.main} x={names} y={tops[place] + (row.marks.length * pitch) / 2} dy="0.34em" text-anchor="end" />}
          {row.marks.map((mark, line) => {
            const y = tops[place] + head + (line + 0.5) * pitch;
            return (
              <g key={line}>
                <line class="whisker" x1={x(mark.interval[0])} x2={x(mark.interval[1])} y1={y} y2={y} />
                {mark.interval.map((end, side) => <line key={side} class="whisker" x1={x(end)} x2={x(end)} y1={y - 4} y2={y + 4} />)}
                <circle class={mark.filled ? "filled" : "hollow"} cx={x(mark.value)} cy={y} r="5" />
                {!narrow && <text class="note" x={width - right + 14} y={y} dy="0.34em">{text(mark)}</text>}
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

export function WhiskerLegend({ both }: { both: boolean }) {
  if (!both) return null;
  return (
    <ul class="legend" aria-label="Legend">
      <li><svg class="whiskers" width="16" height="14" aria-hidden="true"><circle class="filled" cx="8" cy="7" r="5" /></svg>held-out samples</li>
      <li><svg class="whiskers" width="16" height="14" aria-hidden="true"><circle class="hollow" cx="8" cy="7" r="5" /></svg>samples that chose</li>
      <li><svg width="24" height="14" aria-hidden="true"><line class="reference" x1="12" x2="12" y1="0" y2="14" /></svg>entire ensemble</li>
    </ul>
  );
}
