// SPDX-License-Identifier: MIT
/** Accuracy against cost: what each further unit of cost buys. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import { Section, Segments, TeamButton, useTeamNames } from "../parts/controls";
import { Dots, shapePath, type DotGroup } from "../parts/dots";
import { NearestIndex } from "../parts/nearest";
import { AxisBottom, AxisLeft, axisRoom, indicesBelow, Measured, padded, percentTicks, pixels, Tip } from "../parts/plot";
import { textWidth } from "../parts/ruler";
import { Scroll } from "../parts/scroll";
import { prunedColour } from "../parts/palette";
import { knownCosts, teamCost, type CostName } from "../data";
import { percent, percentDigits, quantity, teamKey } from "../format";
import { judgement, usePage } from "../state";
import { sameTeam } from "../teams";
import { field, front, type Field } from "./pareto_front";

type Axis = CostName | "size";
const words: Record<Axis, string> = {
  size: "models in the team",
  params: "parameters",
  gflops: "GFLOPs",
  latency_ms: "latency, ms, members one after another",
  memory_mb: "memory, MB",
};
const margin = { top: 34, right: 18, bottom: 48 };
const height = 380;

/** False for the first frame where `waits`: the picture above comes first when there is much to draw. */
function useAfterFirstFrame(waits: boolean): boolean {
  const [ready, setReady] = useState(!waits);
  useEffect(() => {
    if (!ready) requestAnimationFrame(() => setTimeout(() => setReady(true)));
  }, []);
  return ready;
}

export function Pareto() {
  const { study, view } = usePage();
  const [axis, setAxis] = useState<Axis>("size");
  const ready = useAfterFirstFrame(study.scored.some((each) => each.rounded));
  const data = useMemo(() => (ready ? field(study, axis, view.judge) : null), [ready, study, axis, view.judge]);
  if (!study.scored.length || (ready && !data)) return null;
  const axes: Axis[] = ["size", ...knownCosts(study.pool)];
  return (
    <Section
      id="cost"
      title="Accuracy against cost"
      reading={
        <>
          The line joins the teams that no cheaper or equally cheap team beats: below it, you pay more for less. The dashed
          line is the entire ensemble, the ringed mark on the right. Only scored teams are shown
          {study.test && view.judge === "test" ? ", judged on the test pool" : ", judged on the samples that chose them"}.
        </>
      }
    >
      {axes.length > 1 && (
        <div class="controls">
          <Segments<Axis> label="Cost" value={axis} options={axes.map((a) => [a, a === "size" ? "team size" : words[a].split(",")[0]] as const)} onChange={setAxis} />
        </div>
      )}
      <ul class="legend" aria-label="Legend">
        <li><svg width="14" height="14" aria-hidden="true"><path class="front-marks" d={shapePath("circle", 7, 7, 4)} /></svg>on the front</li>
        {study.recommended && <li><svg width="14" height="14" aria-hidden="true"><path class="recommended" d={shapePath("diamond", 7, 7, 5)} /></svg>recommended team</li>}
        <li><svg width="34" height="14" aria-hidden="true"><line class="reference" x1="0" x2="22" y1="7" y2="7" /><circle class="entire" cx="27" cy="7" r="5" /></svg>entire ensemble</li>
      </ul>
      {data && <Measured class="measured">{(width) => <ParetoPlot data={data} axis={axis} width={width} />}</Measured>}
    </Section>
  );
}

function ParetoPlot({ data, axis, width }: { data: Field; axis: Axis; width: number }) {
  const { study, view, set } = usePage();
  const [active, setActive] = useState(-1);
  const names = useTeamNames();
  const judge = judgement(study, view.judge);
  const digits = percentDigits(judge.samples);
  const onFront = useMemo(() => front(data.cost, data.accuracy), [data]);
  const floor = useMemo(() => lowest(data.accuracy, onFront), [data]);
  const { x, y, left, px, py, nearest } = useMemo(() => {
    const y = scaleLinear(padded(floor, Math.max(max(data.accuracy), judge.reference), 0.08), [height - margin.bottom, margin.top]);
    const left = axisRoom(percentTicks(y));
    const x = scaleLinear(padded(0, max(data.cost), 0.03), [left, width - margin.right]);
    const everything = indicesBelow(data.cost.length);
    const px = pixels(x, data.cost, everything);
    const py = pixels(y, data.accuracy, everything);
    const reach = axis === "size" ? x(0.2) - x(0) : 0;
    for (let i = 0; i < px.length; i++) px[i] += reach * spread(i);
    return { x, y, left, px, py, nearest: new NearestIndex(px, py, width, height) };
  }, [data, width, floor, axis]);
  const groups = useMemo<DotGroup[]>(() => {
    const seen = { x: new Float32Array(px.length), y: new Float32Array(px.length) };
    let count = 0;
    for (let i = 0; i < px.length; i++) {
      if (py[i] > height - margin.bottom + 1) continue;
      seen.x[count] = px[i];
      seen.y[count++] = py[i];
    }
    return [{ shape: "ring", radius: 2.4, colour: prunedColour, x: seen.x.subarray(0, count), y: seen.y.subarray(0, count) }];
  }, [px, py]);
  const steps = onFront.map((i, place) => `${place ? `H${x(data.cost[i]).toFixed(1)}V` : `M${x(data.cost[i]).toFixed(1)},`}${py[i].toFixed(1)}`).join("") + `H${width - margin.right}`;
  const find = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return nearest.find(((event.clientX - box.left) * width) / box.width, event.clientY - box.top, 16);
  };
  const recommended = study.recommended?.team;
  const correct = (view.judge === "test" ? study.test?.recommended : study.recommended)?.correct;
  const named = onFront.map((i) => ({ i, team: data.team(i) }));
  const entireCost = teamCost(study.pool, study.reference.team, axis)!;
  return (
    <>
      <div class="figure">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" class="pareto"
          aria-label={`Accuracy against ${words[axis]}; ${onFront.length} teams on the front, listed below.`}
          onPointerMove={(event) => setActive(find(event))} onPointerLeave={() => setActive(-1)}
          onClick={(event) => { const hit = find(event); if (hit >= 0) set({ pinned: data.team(hit) }); }}>
          <AxisLeft {...percentTicks(y)} at={left} label="accuracy, %" grid={width - margin.right} />
          <AxisBottom scale={x} at={height - margin.bottom} ticks={width < 600 ? 5 : 10} format={(v) => (axis === "size" && v % 1 ? "" : quantity(v))} label={words[axis]} frame={width} />
          <Dots groups={groups} width={width} height={height} dark={view.dark} />
          <line class="reference" x1={left} x2={width - margin.right} y1={y(judge.reference)} y2={y(judge.reference)} />
          <circle class="entire" cx={x(entireCost)} cy={y(judge.reference)} r="8" />
          <path class="front" d={steps} />
          <path class="front-marks" d={onFront.map((i) => shapePath("circle", x(data.cost[i]), py[i], 4)).join("")} />
          <FrontLabels named={named.map(({ i, team }) => ({ team, x: x(data.cost[i]), y: py[i] }))} left={left} right={width - margin.right} />
          {recommended && correct != null && (
            <path class="recommended" d={shapePath("diamond", x(teamCost(study.pool, recommended, axis)!), y(correct / judge.samples), 6)}>
              <title>recommended team</title>
            </path>
          )}
          {active >= 0 && <circle class="active" cx={px[active]} cy={py[active]} r="7" />}
        </svg>
        {active >= 0 && (
          <Tip x={px[active]} y={py[active]} width={width}>
            <strong>{teamKey(data.team(active))}</strong>
            <div>{names(data.team(active))}</div>
            <div>{quantity(data.cost[active])} {words[axis].split(",")[0]} · {percent(data.accuracy[active], digits)}</div>
          </Tip>
        )}
      </div>
      <Scroll label="Teams on the front">
        <table class="front-table">
          <caption>Teams on the front</caption>
          <thead><tr><th scope="col">Team</th><th scope="col">Members</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Accuracy</th></tr></thead>
          <tbody>
            {named.map(({ i, team }) => (
              <tr key={teamKey(team)} class={recommended && sameTeam(team, recommended) ? "main" : ""}>
                <th scope="row"><TeamButton team={team} /></th>
                <td class="long">{names(team, 18)}</td>
                <td class="number">{quantity(data.cost[i])}</td>
                <td class="number">{percent(data.accuracy[i], digits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Names beside the front's marks where they do not touch each other. */
function FrontLabels({ named, left, right }: { named: { team: readonly number[]; x: number; y: number }[]; left: number; right: number }) {
  const taken: [number, number, number][] = [];
  return (
    <>
      {named.map(({ team, x, y }) => {
        const text = teamKey(team);
        const room = textWidth(text) + 4;
        const atEnd = x + 8 + room > right;
        const from = atEnd ? x - 8 - room : x + 8;
        const touches = taken.some(([start, end, top]) => from < end && from + room > start && Math.abs(top - y) < 15);
        if (touches || from < left || y < margin.top - 6) return null;
        taken.push([from, from + room, y]);
        return <text key={text} class="note halo" x={atEnd ? x - 8 : x + 8} y={y - 8} text-anchor={atEnd ? "end" : "start"}>{text}</text>;
      })}
    </>
  );
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
