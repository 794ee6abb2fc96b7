// SPDX-License-Identifier: MIT
/** The central picture: diversity against accuracy, a focal metric beside its baseline. */
import { useMemo } from "preact/hooks";
import { Dots } from "../parts/dots";
import { AxisBottom, AxisLeft, Measured, percentTicks, Tip } from "../parts/plot";
import { firstFitting } from "../parts/ruler";
import { useTeamNames } from "../parts/controls";
import { isFocal, lookUp, type Scored } from "../data";
import { count, percent, percentDigits, score, teamKey } from "../format";
import { usePage } from "../state";
import { floor, height, margin, useLayout, type Layout } from "./scatter_layout";
import { dotGroups, mean } from "./scatter_points";
import { usePointer } from "./scatter_pointer";

interface PanelProps {
  scored: Scored;
  /** Whose decisions colour the marks: the panel's own metric, or the focal one beside it. */
  decided: Scored;
}

export function ScatterPanel(props: PanelProps) {
  return <Measured class="panel">{(width) => <Plot {...props} width={width} />}</Measured>;
}

function Plot({ scored, decided, width }: PanelProps & { width: number }) {
  const { view } = usePage();
  const layout = useLayout(scored, decided, width);
  const { x, y, left, px, py, shown } = layout;
  const { svg, active, drag, on } = usePointer(scored, layout, width);
  const groups = useMemo(
    () => dotGroups(scored, decided.kept, shown, px, py, view.colourBy),
    [scored, decided, shown, px, view.colourBy],
  );
  const box = drag ?? (view.brush?.metric === scored.metric
    ? [x(view.brush.score[0]), Math.min(floor, y(view.brush.accuracy[0])), x(view.brush.score[1]), y(view.brush.accuracy[1])]
    : null);
  const isActive = active >= 0 && active < shown.length && !drag;
  const subtitle = isFocal(scored.metric) ? "focal diversity" : decided === scored ? "baseline diversity" : `baseline diversity of the same teams, marked as ${decided.metric} decided`;
  return (
    <>
      <h3>{scored.metric} <small>{subtitle}</small></h3>
      <svg
        ref={svg} viewBox={`0 0 ${width} ${height}`} width={width} height={height} class="scatter" tabIndex={0} role="img"
        aria-label={`${scored.metric} against accuracy for ${count(shown.length)} teams. Arrow keys walk through the teams by score, Enter pins one.`}
        data-metric={scored.metric} data-points={shown.length} {...on}
      >
        <AxisLeft {...percentTicks(y)} at={left} label="accuracy, %" grid={width - margin.right} />
        <AxisBottom scale={x} at={floor} ticks={Math.max(3, Math.round(width / 90))} format={(v) => `${+v.toFixed(6)}`} label={`${scored.metric} score, higher is more diverse`} frame={width} />
        <Dots groups={groups} width={width} height={height} dark={view.dark} />
        <Landmarks scored={scored} layout={layout} width={width} />
        {isActive && <circle class="active" cx={px[active]} cy={py[active]} r="7" />}
        {box && <rect class="brush" x={Math.min(box[0], box[2])} y={Math.min(box[1], box[3])} width={Math.abs(box[2] - box[0])} height={Math.abs(box[3] - box[1])} />}
      </svg>
      <Told scored={scored} decided={decided} layout={layout} width={width} mark={isActive ? active : -1} />
    </>
  );
}

interface PartProps {
  scored: Scored;
  layout: Layout;
  width: number;
}

/** The lines of the entire ensemble and of the mean, who is below the picture, and the pinned team. */
function Landmarks({ scored, layout, width }: PartProps) {
  const { study, view } = usePage();
  const { judge, tier, counts, x, y, left, below } = layout;
  const average = useMemo(() => mean(scored.score, tier), [scored, tier]);
  const threshold = study.selections.find((each) => each.metric === scored.metric)?.threshold;
  const middle = view.size === 0 && threshold != null ? threshold : average;
  const line = x(middle);
  const at = view.pinned ? lookUp(study, scored.metric, view.pinned) : null;
  const pinned = at && at.index >= 0 && (view.size === 0 || view.size === view.pinned!.length) ? at.index : -1;
  const entire = scored.teams.find(study.reference.team);
  const referenceY = y(judge.reference);
  const right = width - margin.right;
  return (
    <>
      <line class="reference" x1={left} x2={right} y1={referenceY} y2={referenceY} />
      <line class="mean" x1={line} x2={line} y1={margin.top} y2={floor} />
      <text class="note" x={line} y={margin.top - 5} text-anchor={line > width / 2 ? "end" : "start"}>mean {score(middle, 3)}</text>
      {below > 0 && <text class="note halo" x={right} y={floor - 10} text-anchor="end">{firstFitting([`${count(below)} teams below are drawn on the edge`, `${count(below)} teams below`], right - left)}</text>}
      {entire >= 0 ? <circle class="entire" cx={x(scored.score[entire])} cy={referenceY} r="8" /> : <circle class="entire" cx={right - 7} cy={referenceY} r="6" />}
      {pinned >= 0 && (
        <g class="pinned">
          <circle cx={x(scored.score[pinned])} cy={Math.min(floor, y(counts[pinned] / judge.samples))} r="8" />
        </g>
      )}
    </>
  );
}

/** What the team under the pointer is: beside it, and aloud. */
function Told({ scored, decided, layout, width, mark }: PartProps & { decided: Scored; mark: number }) {
  const { study } = usePage();
  const names = useTeamNames();
  const { judge, shown, counts, px, py } = layout;
  if (mark < 0) return <>{null}<div class="hidden" aria-live="polite" /></>; // The same element: what changes in it is read out.
  const digits = percentDigits(judge.samples);
  const team = scored.teams.at(shown[mark]);
  const worth = score(lookUp(study, scored.metric, team).score!);
  const accuracy = percent(counts[shown[mark]] / judge.samples, digits);
  const fate = !decided.kept ? "" : `${decided.kept[shown[mark]] === 1 ? "kept" : "pruned"} by ${decided.metric}`;
  return (
    <>
      <Tip x={px[mark]} y={py[mark] + 30} width={width}>
        <strong>{teamKey(team)}</strong> {fate}
        <div>{names(team)}</div>
        <div>score {worth}{scored.rounded && scored.kept?.[shown[mark]] !== 1 ? " (about)" : ""} · accuracy {accuracy}</div>
      </Tip>
      <div class="hidden" aria-live="polite">{`Team ${teamKey(team)}: ${names(team)}; ${fate}; score ${worth}; accuracy ${accuracy}`}</div>
    </>
  );
}
