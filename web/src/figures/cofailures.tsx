// SPDX-License-Identifier: MIT
/** Which models fail together: all pairs, or pairs given the failures of a focal model. */
import { useMemo, useState } from "preact/hooks";
import { Section, Select } from "../parts/controls";
import { Label } from "../parts/label";
import { Measured, Tip } from "../parts/plot";
import { Scroll } from "../parts/scroll";
import { count, isolate, percent, shorten } from "../format";
import { usePage } from "../state";
import { mapLayout, top, type MapLayout } from "./failure_layout";
import { useCells, type Cell } from "./failure_pointer";
import { failureShares, noFocal, shadeAt, type FailureShares } from "./failure_shares";
import { bySimilarity } from "./similarity";

export function CoFailures() {
  const { study } = usePage();
  const [focal, setFocal] = useState(noFocal);
  if (!study.co_failures) return null;
  const { models } = study.pool;
  const withFocal = study.focal_co_failures && study.focal_co_failures.length === models.length ** 3;
  return (
    <Section
      id="co-failures"
      title="Which models fail together"
      reading={
        focal === noFocal ? (
          <>
            A cell says which share of the failures of the row's model are failures of the column's model too. Models that
            fail alike stand together; a strong block is a family whose members can hardly correct each other.
          </>
        ) : (
          <>
            Only the failures of <bdi>{models[focal].name}</bdi> count: a cell says on which share of them the row's and
            the column's model fail as well. Faint cells are pairs that can help it out.
          </>
        )
      }
    >
      {withFocal && (
        <div class="controls">
          <Select<number>
            label="Focal model"
            value={focal}
            options={[[noFocal, "none: all failures"] as const, ...models.map((m) => [m.id, `${m.id} ${isolate(shorten(m.name, 40))}`] as const)]}
            onChange={setFocal}
          />
        </div>
      )}
      <Measured class="measured">{(width) => <FailureMap focal={focal} width={width} />}</Measured>
    </Section>
  );
}

function FailureMap({ focal, width }: { focal: number; width: number }) {
  const { study } = usePage();
  const { pool, co_failures: pairs } = study;
  const order = useMemo(() => bySimilarity(pairs!, pool.models.length), [pairs, pool]);
  const shares = useMemo(() => failureShares(study, focal), [study, focal]);
  const layout = mapLayout(pool, width);
  const { box, active, leave, on } = useCells(layout);
  const inTeam = new Set(study.recommended?.team ?? []);
  return (
    <div class="figure">
      <Scroll label="Map of co-failures" holder={box} onScroll={leave}>
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`} width={layout.width} height={layout.height} class="map" tabIndex={0} role="img"
          aria-label={`Co-failures of ${layout.size} models. Arrow keys walk through the cells.`} {...on}
        >
          <Heads order={order} layout={layout} />
          {order.map((model, row) => <ModelRow key={model} model={model} row={row} order={order} shares={shares} layout={layout} inTeam={inTeam.has(model)} />)}
          {active && <rect class="active" x={layout.left + active[1] * layout.cell} y={top + active[0] * layout.cell} width={layout.cell - 1} height={layout.cell - 1} />}
        </svg>
      </Scroll>
      <Told cell={active} order={order} shares={shares} layout={layout} width={width} scrolled={box.current?.scrollLeft ?? 0} />
      <p class="hint">
        {inTeam.size > 0 && "Bold names and red bars: members of the recommended team. "}
        {layout.numbers ? "Cells in per cent; the" : "The"} diagonal is a model with itself.
      </p>
      {!layout.numbers && <Shades shares={shares} />}
    </div>
  );
}

interface PartProps {
  /** The models as rows and columns follow each other. */
  order: readonly number[];
  layout: MapLayout;
}

/** The ids above the columns, as many as have room. */
function Heads({ order, layout: { narrow, cell, font, left, end, every } }: PartProps) {
  return (
    <>
      {order.map((id, column) => (
        <text key={id} class="note" x={left + (column + 0.5) * cell} y="18" text-anchor="middle" font-size={font}>{column % every ? "" : id}</text>
      ))}
      {!narrow && <text class="note" x={end + 8} y="18">accuracy</text>}
    </>
  );
}

interface RowProps extends PartProps {
  model: number;
  row: number;
  shares: FailureShares;
  inTeam: boolean;
}

/** A model: its name and id, whom it fails with, its accuracy. */
function ModelRow({ model, row, order, shares, layout, inTeam }: RowProps) {
  const { study } = usePage();
  const { cell, font, name, left, end } = layout;
  const bar = layout.bars[model];
  return (
    <g transform={`translate(0,${top + row * cell})`}>
      <Label text={study.pool.models[model].name} room={name} size={font} bold={inTeam} x={left - 10} y={cell / 2} dy="0.34em" text-anchor="end">
        <tspan class="note" dx="8" font-weight="400">{model}</tspan>
      </Label>
      {order.map((other, column) => shareCell(model, other, left + column * cell, shares, layout))}
      <rect class={inTeam ? "accent" : "ink-soft"} x={end + 8} y={cell * 0.28} width={bar} height={cell * 0.42} rx="1" />
      <text class="note" x={end + 12 + bar} y={cell / 2} dy="0.34em" font-size={Math.min(12, font)}>
        {layout.accuracyTexts[model]}
      </text>
    </g>
  );
}

/** A shaded square, with its share where there is room. No component, since a map may have tens of thousands. */
function shareCell(i: number, j: number, x: number, shares: FailureShares, { cell, numbers }: MapLayout) {
  const depth = shares.shade(i, j);
  const ink = depth > 0.6 ? " on-strong" : depth > 0.42 ? " on-middle" : "";
  return (
    <g key={j} transform={`translate(${x},0)`}>
      <rect class="cell" width={cell - 1} height={cell - 1} fill-opacity={depth} data-pair={`${i},${j}`} />
      {numbers && !shares.own(i, j) && (
        <text class={`share${ink}`} x={(cell - 1) / 2} y={(cell - 1) / 2} dy="0.34em" text-anchor="middle" font-size="11">{Math.round(100 * shares.share(i, j))}</text>
      )}
    </g>
  );
}

interface ToldProps extends PartProps {
  cell: Cell | null;
  shares: FailureShares;
  width: number;
  scrolled: number;
}

/** What the cell under the pointer says: beside it, and aloud. */
function Told({ cell: at, order, shares, layout: { cell, left }, width, scrolled }: ToldProps) {
  const { models } = usePage().study.pool;
  if (!at) return <>{null}<div class="hidden" aria-live="polite" /></>; // The same element: what changes in it is read out.
  const [i, j] = [order[at[0]], order[at[1]]];
  const together = count(shares.together(i, j));
  const share = percent(shares.share(i, j));
  return (
    <>
      <Tip x={left + at[1] * cell - scrolled} y={top + at[0] * cell + cell} width={width}>
        <div>{isolate(shorten(models[i].name, 40))} and</div>
        <div>{isolate(shorten(models[j].name, 40))}</div>
        <div>fail together on {together} of {count(shares.whole(i))} samples: {share}</div>
      </Tip>
      <div class="hidden" aria-live="polite">{`${models[i].id} and ${models[j].id}: ${together} samples, ${share}`}</div>
    </>
  );
}

/** What the shades mean, where the cells have no room for numbers. */
function Shades({ shares }: { shares: FailureShares }) {
  return (
    <ul class="legend" aria-label="Shades">
      {[0, 0.25, 0.5, 0.75, 1].map((step) => (
        <li key={step}>
          <svg class="map" width="16" height="16" aria-hidden="true"><rect class="cell" width="16" height="16" fill-opacity={shadeAt(step)} /></svg>
          {percent(shares.shareAt(step), 0)}
        </li>
      ))}
    </ul>
  );
}
