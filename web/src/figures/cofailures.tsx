// SPDX-License-Identifier: MIT
/** Which models fail together: all pairs, or pairs given the failures of a focal model. */
import { useMemo, useRef, useState } from "preact/hooks";
import { Section, Select } from "../parts/controls";
import { Label } from "../parts/label";
import { Measured, Tip } from "../parts/plot";
import { textWidth, widest } from "../parts/ruler";
import { Scroll } from "../parts/scroll";
import { count, isolate, percent, percentDigits, shorten } from "../format";
import { usePage } from "../state";
import { bySimilarity } from "./similarity";

export function CoFailures() {
  const { study } = usePage();
  const [focal, setFocal] = useState(-1);
  if (!study.co_failures) return null;
  const { models } = study.pool;
  const withFocal = study.focal_co_failures && study.focal_co_failures.length === models.length ** 3;
  return (
    <Section
      id="co-failures"
      title="Which models fail together"
      reading={
        focal < 0 ? (
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
            options={[[-1, "none: all failures"] as const, ...models.map((m) => [m.id, `${m.id} ${isolate(shorten(m.name, 40))}`] as const)]}
            onChange={setFocal}
          />
        </div>
      )}
      <Measured class="measured">{(width) => <FailureMap focal={focal} width={width} />}</Measured>
    </Section>
  );
}

const narrowBelow = 600;
const [shortestBar, longestBar] = [6, 62];

/** Names and ids on the left, then the cells, then bars and accuracies: as much room as their texts take. */
function layout(width: number, names: readonly string[], accuracies: readonly string[]) {
  const narrow = width < narrowBelow;
  const ids = names.map((_, id) => String(id));
  const sides = (size: number) => {
    const name = Math.min(Math.ceil(widest(names.map(isolate), { size, bold: true })), Math.max(80, 0.2 * width));
    const figures = (narrow ? shortestBar : longestBar) + 4 + widest(accuracies, { size: Math.min(12, size) });
    return { name, left: Math.ceil(name + 8 + widest(ids, { size }) + 10), right: Math.ceil(8 + Math.max(figures, narrow ? 0 : textWidth("accuracy"))) };
  };
  const largest = sides(13);
  const cell = Math.max(narrow ? 14 : 11, Math.min(44, Math.floor((width - largest.left - largest.right) / names.length)));
  const font = Math.min(13, Math.max(9, cell - 2));
  return { narrow, cell, font, ...sides(font), every: Math.ceil((widest(ids, { size: font }) + 3) / cell) };
}

function FailureMap({ focal, width }: { focal: number; width: number }) {
  const { study } = usePage();
  const [active, setActive] = useState<[number, number] | null>(null);
  const { models, samples } = study.pool;
  const size = models.length;
  const pairs = study.co_failures!;
  const order = useMemo(() => bySimilarity(pairs, size), [pairs, size]);
  const together = (i: number, j: number) =>
    focal < 0 ? pairs[i * size + j] : study.focal_co_failures![(focal * size + i) * size + j];
  const whole = (i: number) => (focal < 0 ? pairs[i * size + i] : pairs[focal * size + focal]);
  const share = (i: number, j: number) => (whole(i) ? together(i, j) / whole(i) : 0);

  const own = (i: number, j: number) => (focal < 0 ? i === j : i === focal && j === focal);
  let [smallest, largest] = [1, 1e-9];
  for (const i of order)
    for (const j of order)
      if (!own(i, j)) [smallest, largest] = [Math.min(smallest, share(i, j)), Math.max(largest, share(i, j))];
  const shade = (value: number) => 0.05 + 0.87 * (largest > smallest ? (value - smallest) / (largest - smallest) : 0);

  const accuracies = models.map((model) => model.correct / samples);
  const [worst, best] = [Math.min(...accuracies), Math.max(...accuracies)];
  const accuracyText = (i: number) => percent(accuracies[i], width < narrowBelow ? 1 : percentDigits(samples));
  const { narrow, cell, font, name, left, right, every } = layout(width, models.map((model) => model.name), models.map((_, i) => accuracyText(i)));
  const [plotWidth, plotHeight] = [left + cell * size + right, 26 + cell * size + 8];
  const numbers = cell >= textWidth("100", { size: 11 }) + 4;
  const bar = (accuracy: number) => shortestBar + (narrow ? 0 : ((accuracy - worst) / (best - worst || 1)) * (longestBar - shortestBar));
  const box = useRef<HTMLDivElement>(null);
  const inTeam = new Set(study.recommended?.team ?? []);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = active ?? [0, -1];
    const clamp = (value: number) => Math.max(0, Math.min(size - 1, value));
    const next: [number, number] = [clamp(row + step[0]), clamp(column + step[1])];
    setActive(next);
    const { scrollLeft, clientWidth } = box.current!;
    const x = left + next[1] * cell;
    if (x < scrollLeft || x + cell > scrollLeft + clientWidth) box.current!.scrollLeft = x - clientWidth / 2;
  };
  const sentence = (i: number, j: number) =>
    `${models[i].id} and ${models[j].id}: ${count(together(i, j))} samples, ${percent(share(i, j))}`;
  return (
    <div class="figure">
      <Scroll label="Map of co-failures" holder={box} onScroll={() => setActive(null)}>
        <svg
          viewBox={`0 0 ${plotWidth} ${plotHeight}`} width={plotWidth} height={plotHeight} class="map" tabIndex={0} role="img"
          aria-label={`Co-failures of ${size} models. Arrow keys walk through the cells.`}
          onKeyDown={move} onBlur={() => setActive(null)} onPointerLeave={() => setActive(null)}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const column = Math.floor((event.clientX - box.left - left) / cell);
            const row = Math.floor((event.clientY - box.top - 26) / cell);
            setActive(column >= 0 && column < size && row >= 0 && row < size ? [row, column] : null);
          }}
        >
          {order.map((id, column) => (
            <text key={id} class="note" x={left + (column + 0.5) * cell} y="18" text-anchor="middle" font-size={font}>{column % every ? "" : id}</text>
          ))}
          {!narrow && <text class="note" x={left + cell * size + 8} y="18">accuracy</text>}
          {order.map((i, row) => (
            <g key={i} transform={`translate(0,${26 + row * cell})`}>
              <Label text={models[i].name} room={name} size={font} bold={inTeam.has(i)} x={left - 10} y={cell / 2} dy="0.34em" text-anchor="end">
                <tspan class="note" dx="8" font-weight="400">{i}</tspan>
              </Label>
              {order.map((j, column) => {
                const value = share(i, j);
                const depth = own(i, j) ? 0 : shade(value);
                return (
                  <g key={j} transform={`translate(${left + column * cell},0)`}>
                    <rect class="cell" width={cell - 1} height={cell - 1} fill-opacity={depth} data-pair={`${i},${j}`} />
                    {numbers && !own(i, j) && (
                      <text class={`share${depth > 0.6 ? " on-strong" : depth > 0.42 ? " on-middle" : ""}`} x={(cell - 1) / 2} y={(cell - 1) / 2} dy="0.34em" text-anchor="middle" font-size="11">{Math.round(100 * value)}</text>
                    )}
                  </g>
                );
              })}
              <rect class={inTeam.has(i) ? "accent" : "ink-soft"} x={left + cell * size + 8} y={cell * 0.28} width={bar(accuracies[i])} height={cell * 0.42} rx="1" />
              <text class="note" x={left + cell * size + 12 + bar(accuracies[i])} y={cell / 2} dy="0.34em" font-size={Math.min(12, font)}>
                {accuracyText(i)}
              </text>
            </g>
          ))}
          {active && <rect class="active" x={left + active[1] * cell} y={26 + active[0] * cell} width={cell - 1} height={cell - 1} />}
        </svg>
      </Scroll>
      {active && (
        <Tip x={left + active[1] * cell - (box.current?.scrollLeft ?? 0)} y={26 + active[0] * cell + cell} width={width}>
          <div>{isolate(shorten(models[order[active[0]]].name, 40))} and</div>
          <div>{isolate(shorten(models[order[active[1]]].name, 40))}</div>
          <div>fail together on {count(together(order[active[0]], order[active[1]]))} of {count(whole(order[active[0]]))} samples: {percent(share(order[active[0]], order[active[1]]))}</div>
        </Tip>
      )}
      <div class="hidden" aria-live="polite">{active && sentence(order[active[0]], order[active[1]])}</div>
      <p class="hint">
        {inTeam.size > 0 && "Bold names and red bars: members of the recommended team. "}
        {numbers ? "Cells in per cent; the" : "The"} diagonal is a model with itself.
      </p>
      {!numbers && (
        <ul class="legend" aria-label="Shades">
          {[0, 0.25, 0.5, 0.75, 1].map((step) => (
            <li key={step}>
              <svg class="map" width="16" height="16" aria-hidden="true"><rect class="cell" width="16" height="16" fill-opacity={0.05 + 0.87 * step} /></svg>
              {percent(smallest + step * (largest - smallest), 0)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
