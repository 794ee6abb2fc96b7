// SPDX-License-Identifier: MIT
/** Accuracy against cost: what each further unit of cost buys. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Section, Segments, TeamButton, useTeamNames } from "../parts/controls";
import { Dots, shapePath } from "../parts/dots";
import { AxisBottom, AxisLeft, Measured, percentTicks, Tip } from "../parts/plot";
import { textWidth } from "../parts/ruler";
import { Scroll } from "../parts/scroll";
import { knownCosts, teamCost } from "../data";
import { percent, percentDigits, quantity, teamKey } from "../format";
import { judgement, usePage } from "../state";
import { sameTeam } from "../teams";
import { field, type Field } from "./pareto_front";
import { floor, height, margin, useLayout, type Axis, type FrontTeam, type Layout } from "./pareto_layout";

const words: Record<Axis, string> = {
  size: "models in the team",
  params: "parameters",
  gflops: "GFLOPs",
  latency_ms: "latency, ms, members one after another",
  memory_mb: "memory, MB",
};

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
      <Legend />
      {data && <Measured class="measured">{(width) => <ParetoPlot data={data} axis={axis} width={width} />}</Measured>}
    </Section>
  );
}

function Legend() {
  const { study } = usePage();
  return (
    <ul class="legend" aria-label="Legend">
      <li><svg width="14" height="14" aria-hidden="true"><path class="front-marks" d={shapePath("circle", 7, 7, 4)} /></svg>on the front</li>
      {study.recommended && <li><svg width="14" height="14" aria-hidden="true"><path class="recommended" d={shapePath("diamond", 7, 7, 5)} /></svg>recommended team</li>}
      <li><svg width="34" height="14" aria-hidden="true"><line class="reference" x1="0" x2="22" y1="7" y2="7" /><circle class="entire" cx="27" cy="7" r="5" /></svg>entire ensemble</li>
    </ul>
  );
}

interface PlotProps {
  data: Field;
  axis: Axis;
  width: number;
}

function ParetoPlot({ data, axis, width }: PlotProps) {
  const { view, set } = usePage();
  const [active, setActive] = useState(-1);
  const layout = useLayout(data, axis, width);
  const { x, y, left, px, py, nearest, groups, onFront } = layout;
  const find = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return nearest.find(((event.clientX - box.left) * width) / box.width, event.clientY - box.top, 16);
  };
  return (
    <>
      <div class="figure">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" class="pareto"
          aria-label={`Accuracy against ${words[axis]}; ${onFront.length} teams on the front, listed below.`}
          onPointerMove={(event) => setActive(find(event))} onPointerLeave={() => setActive(-1)}
          onClick={(event) => { const hit = find(event); if (hit >= 0) set({ pinned: data.team(hit) }); }}>
          <AxisLeft {...percentTicks(y)} at={left} label="accuracy, %" grid={width - margin.right} />
          <AxisBottom scale={x} at={floor} ticks={width < 600 ? 5 : 10} format={(v) => (axis === "size" && v % 1 ? "" : quantity(v))} label={words[axis]} frame={width} />
          <Dots groups={groups} width={width} height={height} dark={view.dark} />
          <EntireEnsemble axis={axis} layout={layout} />
          <Front layout={layout} />
          <Recommended axis={axis} layout={layout} />
          {active >= 0 && <circle class="active" cx={px[active]} cy={py[active]} r="7" />}
        </svg>
        {active >= 0 && <TeamTip data={data} axis={axis} width={width} layout={layout} team={active} />}
      </div>
      <FrontTable onFront={onFront} />
    </>
  );
}

/** Its accuracy as a line, its cost as a ring. */
function EntireEnsemble({ axis, layout: { judge, x, y, left, right } }: { axis: Axis; layout: Layout }) {
  const { study } = usePage();
  const level = y(judge.reference);
  return (
    <>
      <line class="reference" x1={left} x2={right} y1={level} y2={level} />
      <circle class="entire" cx={x(teamCost(study.pool, study.reference.team, axis)!)} cy={level} r="8" />
    </>
  );
}

/** The line along the teams that none beats, their marks and names. */
function Front({ layout: { onFront, left, right } }: { layout: Layout }) {
  const steps = onFront.map(({ x, y }, place) => `${place ? `H${x.toFixed(1)}V` : `M${x.toFixed(1)},`}${y.toFixed(1)}`).join("") + `H${right}`;
  return (
    <>
      <path class="front" d={steps} />
      <path class="front-marks" d={onFront.map(({ x, y }) => shapePath("circle", x, y, 4)).join("")} />
      <FrontLabels onFront={onFront} left={left} right={right} />
    </>
  );
}

/** Names beside the front's marks where they do not touch each other. */
function FrontLabels({ onFront, left, right }: { onFront: readonly FrontTeam[]; left: number; right: number }) {
  const taken: [number, number, number][] = [];
  return (
    <>
      {onFront.map(({ team, x, y }) => {
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

function Recommended({ axis, layout: { judge, x, y } }: { axis: Axis; layout: Layout }) {
  const { study, view } = usePage();
  const team = study.recommended?.team;
  const correct = (view.judge === "test" ? study.test?.recommended : study.recommended)?.correct;
  if (!team || correct == null) return null;
  return (
    <path class="recommended" d={shapePath("diamond", x(teamCost(study.pool, team, axis)!), y(correct / judge.samples), 6)}>
      <title>recommended team</title>
    </path>
  );
}

/** What the team under the pointer is. */
function TeamTip({ data, axis, width, layout: { judge, px, py }, team: at }: PlotProps & { layout: Layout; team: number }) {
  const names = useTeamNames();
  const team = data.team(at);
  return (
    <Tip x={px[at]} y={py[at]} width={width}>
      <strong>{teamKey(team)}</strong>
      <div>{names(team)}</div>
      <div>{quantity(data.cost[at])} {words[axis].split(",")[0]} · {percent(data.accuracy[at], percentDigits(judge.samples))}</div>
    </Tip>
  );
}

function FrontTable({ onFront }: { onFront: readonly FrontTeam[] }) {
  const { study, view } = usePage();
  const names = useTeamNames();
  const recommended = study.recommended?.team;
  const digits = percentDigits(judgement(study, view.judge).samples);
  return (
    <Scroll label="Teams on the front">
      <table class="front-table">
        <caption>Teams on the front</caption>
        <thead><tr><th scope="col">Team</th><th scope="col">Members</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Accuracy</th></tr></thead>
        <tbody>
          {onFront.map(({ team, cost, accuracy }) => (
            <tr key={teamKey(team)} class={recommended && sameTeam(team, recommended) ? "main" : ""}>
              <th scope="row"><TeamButton team={team} /></th>
              <td class="long">{names(team, 18)}</td>
              <td class="number">{quantity(cost)}</td>
              <td class="number">{percent(accuracy, digits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
