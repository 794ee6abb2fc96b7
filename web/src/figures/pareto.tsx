// SPDX-License-Identifier: MIT
/** Accuracy against cost: what each further unit of cost buys. */
import { useMemo, useState } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import { Section, Segments, TeamButton, useTeamNames } from "../parts/controls";
import { Dots, shapePath, type DotGroup } from "../parts/dots";
import { NearestIndex } from "../parts/nearest";
import { AxisBottom, AxisLeft, padded, Tip, useWidth } from "../parts/plot";
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
const margin = { top: 34, right: 18, bottom: 48, left: 58 };
const height = 380;

export function Pareto() {
  const { study, view } = usePage();
  const [axis, setAxis] = useState<Axis>("size");
  const data = useMemo(() => field(study, axis, view.judge), [study, axis, view.judge]);
  if (!data || !study.scored.length) return null;
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
      <ParetoPlot data={data} axis={axis} />
    </Section>
  );
}

function ParetoPlot({ data, axis }: { data: Field; axis: Axis }) {
  const { study, view, set } = usePage();
  const [element, width] = useWidth(960);
  const [active, setActive] = useState(-1);
  const names = useTeamNames();
  const judge = judgement(study, view.judge);
  const digits = percentDigits(judge.samples);
  const onFront = useMemo(() => front(data.cost, data.accuracy), [data]);
  const floor = useMemo(() => lowest(data.accuracy, onFront), [data]);
  const { x, y, px, py, nearest } = useMemo(() => {
    const x = scaleLinear(padded(0, max(data.cost), 0.03), [margin.left, width - margin.right]);
    const y = scaleLinear(padded(floor, Math.max(max(data.accuracy), judge.reference), 0.08), [height - margin.bottom, margin.top]);
    const px = Float32Array.from(data.cost, (value) => x(value));
    const py = Float32Array.from(data.accuracy, (value) => y(value));
    return { x, y, px, py, nearest: new NearestIndex(px, py, width, height) };
  }, [data, width, floor]);
  const groups = useMemo<DotGroup[]>(() => {
    const seen = [...py.keys()].filter((i) => py[i] <= height - margin.bottom + 1);
    return [{ shape: "ring", radius: 2.4, colour: prunedColour, x: Float32Array.from(seen, (i) => px[i]), y: Float32Array.from(seen, (i) => py[i]) }];
  }, [px, py]);
  const steps = onFront.map((i, place) => `${place ? `H${px[i].toFixed(1)}V` : `M${px[i].toFixed(1)},`}${py[i].toFixed(1)}`).join("") + `H${width - margin.right}`;
  const find = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return nearest.find(((event.clientX - box.left) * width) / box.width, event.clientY - box.top, 16);
  };
  const recommended = study.recommended?.team;
  const named = onFront.map((i) => ({ i, team: data.team(i) }));
  const entireCost = teamCost(study.pool, study.reference.team, axis)!;
  return (
    <>
      <div class="figure" ref={element}>
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" class="pareto"
          aria-label={`Accuracy against ${words[axis]}; ${onFront.length} teams on the front, listed below.`}
          onPointerMove={(event) => setActive(find(event))} onPointerLeave={() => setActive(-1)}
          onClick={(event) => { const hit = find(event); if (hit >= 0) set({ pinned: data.team(hit) }); }}>
          <AxisLeft scale={y} at={margin.left} ticks={6} format={(v) => `${+(100 * v).toFixed(3)}`} label="accuracy, %" grid={width - margin.right} />
          <AxisBottom scale={x} at={height - margin.bottom} ticks={width < 600 ? 5 : 10} format={(v) => (axis === "size" && v % 1 ? "" : quantity(v))} label={words[axis]} />
          <Dots groups={groups} width={width} height={height} dark={view.dark} />
          <line class="reference" x1={margin.left} x2={width - margin.right} y1={y(judge.reference)} y2={y(judge.reference)} />
          <circle class="entire" cx={x(entireCost)} cy={y(judge.reference)} r="8" />
          <path class="front" d={steps} />
          <path class="front-marks" d={onFront.map((i) => shapePath("circle", px[i], py[i], 4)).join("")} />
          <FrontLabels named={named} px={px} py={py} width={width} />
          {recommended && <Diamond x={x(teamCost(study.pool, recommended, axis)!)} team={recommended} data={data} py={py} />}
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
      <div class="scroll">
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
      </div>
    </>
  );
}

/** The recommended team, marked where it lies even if it is off the front. */
function Diamond({ x, team, data, py }: { x: number; team: readonly number[]; data: Field; py: Float32Array }) {
  const index = useMemo(() => {
    for (let i = 0; i < data.cost.length; i++) if (sameTeam(data.team(i), team)) return i;
    return -1;
  }, [data, team]);
  if (index < 0) return null;
  return <path class="recommended" d={shapePath("diamond", x, py[index], 6)}><title>recommended team</title></path>;
}

/** Names beside the front's marks where they do not touch each other. */
function FrontLabels({ named, px, py, width }: { named: { i: number; team: readonly number[] }[]; px: Float32Array; py: Float32Array; width: number }) {
  const boxes: [number, number, number][] = [];
  return (
    <>
      {named.map(({ i, team }) => {
        const text = teamKey(team);
        const room = text.length * 6.6 + 4;
        const atEnd = px[i] + 8 + room > width - margin.right;
        const from = atEnd ? px[i] - 8 - room : px[i] + 8;
        const top = py[i] - 8;
        const touches = boxes.some(([l, r, t]) => from < r && from + room > l && Math.abs(t - top) < 15);
        if (touches || from < margin.left || top < margin.top - 14) return null;
        boxes.push([from, from + room, top]);
        return <text key={i} class="note halo" x={atEnd ? px[i] - 8 : px[i] + 8} y={py[i] - 8} text-anchor={atEnd ? "end" : "start"}>{text}</text>;
      })}
    </>
  );
}

function max(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** Low enough for the front and for most teams; a few hopeless ones would squash the rest. */
function lowest(accuracy: Float64Array, onFront: readonly number[]): number {
  const sorted = accuracy.toSorted();
  return Math.min(sorted[Math.floor(sorted.length * 0.02)], ...onFront.map((i) => accuracy[i]).slice(1));
}
