// SPDX-License-Identifier: MIT
/** The central picture: diversity against accuracy, a focal metric beside its baseline. */
import { useMemo, useRef, useState } from "preact/hooks";
import { scaleLinear } from "d3-scale";
import { Dots } from "../parts/dots";
import { AxisBottom, AxisLeft, axisRoom, Measured, percentTicks, pixels, Tip } from "../parts/plot";
import { NearestIndex } from "../parts/nearest";
import { firstFitting } from "../parts/ruler";
import { useTeamNames } from "../parts/controls";
import { isFocal, lookUp, type Scored } from "../data";
import { count, percent, percentDigits, score, teamKey } from "../format";
import { judgement, usePage } from "../state";
import { dotGroups, domains, mean, shownTeams } from "./scatter_points";

const margin = { top: 34, right: 14, bottom: 48 };
const height = 380;

interface PanelProps {
  scored: Scored;
  /** Whose decisions colour the marks: the panel's own metric, or the focal one beside it. */
  decided: Scored;
}

export function ScatterPanel(props: PanelProps) {
  return <Measured class="panel">{(width) => <Plot {...props} width={width} />}</Measured>;
}

function Plot({ scored, decided, width }: PanelProps & { width: number }) {
  const { study, view, set } = usePage();
  const svg = useRef<SVGSVGElement>(null);
  const [active, setActive] = useState(-1);
  const [drag, setDrag] = useState<[number, number, number, number] | null>(null);
  const judge = judgement(study, view.judge);
  const names = useTeamNames();

  const tier = useMemo(() => shownTeams(scored, view.size), [scored, view.size]);
  const shown = useMemo(() => shownTeams(scored, view.size, view.shown, decided.kept), [scored, view.size, view.shown, decided]);
  const counts = judge.counts(scored);
  const { x, y, left, px, py, below, nearest } = useMemo(() => {
    const domain = domains(scored.score, counts, tier, judge.samples, judge.reference);
    const y = scaleLinear(domain.accuracy, [height - margin.bottom, margin.top]);
    const left = axisRoom(percentTicks(y));
    const x = scaleLinear(domain.score, [left, width - margin.right]);
    const px = pixels(x, scored.score, shown);
    const py = pixels(y, counts, shown, judge.samples);
    const bottom = height - margin.bottom;
    let below = 0;
    for (let i = 0; i < py.length; i++)
      if (py[i] > bottom) {
        py[i] = bottom;
        below++;
      }
    return { x, y, left, px, py, below, nearest: new NearestIndex(px, py, width, height) };
  }, [scored, counts, shown, width]);
  const groups = useMemo(
    () => dotGroups(scored, decided.kept, shown, px, py, view.colourBy),
    [scored, decided, shown, px, view.colourBy],
  );
  const average = useMemo(() => mean(scored.score, tier), [scored, tier]);
  const threshold = study.selections.find((each) => each.metric === scored.metric)?.threshold;
  const line = view.size === 0 && threshold != null ? threshold : average;
  const digits = percentDigits(judge.samples);

  const place = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    return [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height] as const;
  };
  /** What lies on the bottom edge may be anything below. */
  const accuracyAt = (pixel: number) => (pixel >= height - margin.bottom ? 0 : y.invert(pixel));
  const onMove = (event: PointerEvent) => {
    const [mx, my] = place(event);
    if (drag) setDrag([drag[0], drag[1], mx, my]);
    else setActive(nearest.find(mx, my, 16));
  };
  const onDown = (event: PointerEvent) => {
    if (event.pointerType === "touch" || event.button !== 0) return;
    const [mx, my] = place(event);
    svg.current!.setPointerCapture(event.pointerId);
    setDrag([mx, my, mx, my]);
  };
  const onUp = (event: PointerEvent) => {
    const [mx, my] = place(event);
    const from = drag;
    setDrag(null);
    if (from && Math.hypot(mx - from[0], my - from[1]) > 6) {
      const order = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);
      set({ brush: { metric: scored.metric, score: order(x.invert(from[0]), x.invert(mx)), accuracy: order(accuracyAt(from[1]), accuracyAt(my)) } });
      return;
    }
    const hit = nearest.find(mx, my, 16);
    if (hit >= 0) set({ pinned: scored.teams.at(shown[hit]), brush: null });
    else if (view.brush) set({ brush: null });
  };
  const byScore = useRef<Uint32Array | null>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step !== undefined && shown.length) {
      event.preventDefault();
      if (byScore.current?.length !== shown.length)
        byScore.current = Uint32Array.from(shown.keys()).sort((a, b) => scored.score[shown[a]] - scored.score[shown[b]]);
      const order = byScore.current;
      const now = active < 0 ? (step > 0 ? -1 : order.length) : order.indexOf(active);
      setActive(order[Math.max(0, Math.min(order.length - 1, now + step))]);
    } else if ((event.key === "Enter" || event.key === " ") && active >= 0) {
      event.preventDefault();
      set({ pinned: scored.teams.at(shown[active]) });
    } else if (event.key === "Escape") {
      setActive(-1);
      set({ brush: null });
    }
  };

  const describe = (i: number) => {
    const team = scored.teams.at(shown[i]);
    const known = lookUp(study, scored.metric, team);
    const fate = !decided.kept ? "" : `${decided.kept[shown[i]] === 1 ? "kept" : "pruned"} by ${decided.metric}`;
    return { team, fate, score: known.score!, accuracy: counts[shown[i]] / judge.samples };
  };
  const at = view.pinned ? lookUp(study, scored.metric, view.pinned) : null;
  const pinned = at && at.index >= 0 && (view.size === 0 || view.size === view.pinned!.length) ? at.index : -1;
  const entire = scored.teams.find(study.reference.team);
  const box = drag ?? (view.brush?.metric === scored.metric
    ? [x(view.brush.score[0]), Math.min(height - margin.bottom, y(view.brush.accuracy[0])), x(view.brush.score[1]), y(view.brush.accuracy[1])]
    : null);
  const tip = active >= 0 && active < shown.length && !drag ? describe(active) : null;
  const referenceY = y(judge.reference);
  const subtitle = isFocal(scored.metric) ? "focal diversity" : decided === scored ? "baseline diversity" : `baseline diversity of the same teams, marked as ${decided.metric} decided`;
  return (
    <>
      <h3>{scored.metric} <small>{subtitle}</small></h3>
      <svg
        ref={svg} viewBox={`0 0 ${width} ${height}`} width={width} height={height} class="scatter" tabIndex={0} role="img"
        aria-label={`${scored.metric} against accuracy for ${count(shown.length)} teams. Arrow keys walk through the teams by score, Enter pins one.`}
        data-metric={scored.metric} data-points={shown.length}
        onPointerMove={onMove} onPointerDown={onDown} onPointerUp={onUp} onPointerLeave={() => !drag && setActive(-1)}
        onKeyDown={onKey} onBlur={() => setActive(-1)}
      >
        <AxisLeft {...percentTicks(y)} at={left} label="accuracy, %" grid={width - margin.right} />
        <AxisBottom scale={x} at={height - margin.bottom} ticks={Math.max(3, Math.round(width / 90))} format={(v) => `${+v.toFixed(6)}`} label={`${scored.metric} score, higher is more diverse`} frame={width} />
        <Dots groups={groups} width={width} height={height} dark={view.dark} />
        <line class="reference" x1={left} x2={width - margin.right} y1={referenceY} y2={referenceY} />
        <line class="mean" x1={x(line)} x2={x(line)} y1={margin.top} y2={height - margin.bottom} />
        <text class="note" x={x(line)} y={margin.top - 5} text-anchor={x(line) > width / 2 ? "end" : "start"}>mean {score(line, 3)}</text>
        {below > 0 && <text class="note halo" x={width - margin.right} y={height - margin.bottom - 10} text-anchor="end">{firstFitting([`${count(below)} teams below are drawn on the edge`, `${count(below)} teams below`], width - margin.right - left)}</text>}
        {entire >= 0 && <circle class="entire" cx={x(scored.score[entire])} cy={referenceY} r="8" />}
        {entire < 0 && <circle class="entire" cx={width - margin.right - 7} cy={referenceY} r="6" />}
        {pinned >= 0 && (
          <g class="pinned">
            <circle cx={x(scored.score[pinned])} cy={Math.min(height - margin.bottom, y(counts[pinned] / judge.samples))} r="8" />
          </g>
        )}
        {tip && <circle class="active" cx={px[active]} cy={py[active]} r="7" />}
        {box && <rect class="brush" x={Math.min(box[0], box[2])} y={Math.min(box[1], box[3])} width={Math.abs(box[2] - box[0])} height={Math.abs(box[3] - box[1])} />}
      </svg>
      {tip && (
        <Tip x={px[active]} y={py[active] + 30} width={width}>
          <strong>{teamKey(tip.team)}</strong> {tip.fate}
          <div>{names(tip.team)}</div>
          <div>score {score(tip.score)}{scored.rounded && scored.kept?.[shown[active]] !== 1 ? " (about)" : ""} · accuracy {percent(tip.accuracy, digits)}</div>
        </Tip>
      )}
      <div class="hidden" aria-live="polite">
        {tip && `Team ${teamKey(tip.team)}: ${names(tip.team)}; ${tip.fate}; score ${score(tip.score)}; accuracy ${percent(tip.accuracy, digits)}`}
      </div>
    </>
  );
}
