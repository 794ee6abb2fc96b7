// SPDX-License-Identifier: MIT
/** Precision and recall against beta, a panel for each desired size. */
import { useState } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import { Section, Select } from "../parts/controls";
import { AxisBottom, AxisLeft, axisRoom, Measured, padded } from "../parts/plot";
import { shapePath } from "../parts/dots";
import type { SweepRow } from "../data";
import { percent } from "../format";
import { usePage } from "../state";

const margin = { top: 34, right: 16, bottom: 46 };
const height = 240;

/** Lines break where a value is null. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let path = "";
  let drawing = false;
  for (const point of points) {
    if (point) path += `${drawing ? "L" : "M"}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
    drawing = point !== null;
  }
  return path;
}

export function Sweep() {
  const { study } = usePage();
  const rows = study.sweep ?? [];
  const metrics = [...new Set(rows.map((row) => row.metric))];
  const [chosen, setChosen] = useState("");
  if (!rows.length) return null;
  const metric = metrics.includes(chosen) ? chosen : metrics.includes("F-GD") ? "F-GD" : metrics[0];
  const sizes = [...new Set(rows.map((row) => row.size))].sort((a, b) => a - b);
  return (
    <Section
      id="sweep"
      title="Precision and recall against beta"
      reading={
        <>
          Beta is the share of each tier that is pruned. Precision (filled, solid) is the share of kept teams that reach the
          entire ensemble; recall (hollow, dashed) the share of all such teams that are kept. More pruning usually buys
          precision with recall.
        </>
      }
    >
      {metrics.length > 1 && (
        <div class="controls">
          <Select label="Metric" value={metric} options={metrics.map((m) => [m, m] as const)} onChange={setChosen} />
        </div>
      )}
      <div class="panels small">
        {sizes.map((size) => (
          <Measured class="panel" key={size}>
            {(width) => <SweepPanel size={size} rows={rows.filter((row) => row.metric === metric && row.size === size)} width={width} />}
          </Measured>
        ))}
      </div>
    </Section>
  );
}

function SweepPanel({ size, rows, width }: { size: number; rows: SweepRow[]; width: number }) {
  const sorted = rows.toSorted((a, b) => a.beta - b.beta);
  const betas = sorted.map((row) => row.beta);
  const y = scaleLinear([0, 1], [height - margin.bottom, margin.top]);
  const shares = { scale: y, ticks: 4, format: (v: number) => `${Math.round(100 * v)}` };
  const left = axisRoom(shares);
  const x = scaleLinear(padded(Math.min(...betas), Math.max(...betas)), [left, width - margin.right]);
  const points = (key: "precision" | "recall") =>
    sorted.map((row) => (row[key] == null ? null : ([x(row.beta), y(row[key])] as const)));
  return (
    <>
      <h3>Teams of {size}</h3>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" class="sweep"
        aria-label={sorted.map((row) => `beta ${percent(row.beta, 0)}: precision ${percent(row.precision, 0)}, recall ${percent(row.recall, 0)}`).join("; ")}>
        <AxisLeft {...shares} at={left} label="per cent" grid={width - margin.right} />
        <AxisBottom scale={x} at={height - margin.bottom} ticks={betas} format={(v) => `${+(100 * v).toFixed(1)}`} label="beta, %" frame={width} />
        <path class="line recall" d={linePath(points("recall"))} />
        <path class="line precision" d={linePath(points("precision"))} />
        <path class="marks recall" d={points("recall").map((p) => p && shapePath("square", p[0], p[1], 3.6)).join("")} />
        <path class="marks precision" d={points("precision").map((p) => p && shapePath("circle", p[0], p[1], 3.6)).join("")} />
      </svg>
    </>
  );
}
