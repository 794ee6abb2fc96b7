// SPDX-License-Identifier: MIT
/** In which order to run the recommended team, and how many samples are decided after each member. */
import { scaleLinear } from "d3-scale";
import { Section } from "../parts/controls";
import { Label } from "../parts/label";
import { AxisBottom, Measured } from "../parts/plot";
import { widest } from "../parts/ruler";
import { isolate, percent, plural } from "../format";
import { exitCost, saved, shownPlaces, type EarlyExit, type ExitRun } from "../serving";
import { usePage } from "../state";

const bar = 16;
const gap = 14;
/** The room that the bars need between their names and their figures; with less, both go above them. */
const barsFrom = 240;

export function EarlyExitFigure() {
  const { study } = usePage();
  const exit = study.recommended?.serving?.early_exit;
  if (!exit || exit.order.length < 2) return null;
  const held = exit.held_out;
  const hidden = exit.order.length - shownPlaces(exit.order.length).length;
  return (
    <Section
      id="early-exit"
      title="Where members may stop"
      reading={
        <>
          Members run in this order, on each sample until the rest cannot change the answer: every answer is that of the whole team. A bar is the
          share of samples that are decided once its member has answered, the strong part those that this member decides.
          {held && (held.by === "test"
            ? " The tick is the same share on the test pool, which took no part in choosing the order."
            : " The tick is the same share on a half of the samples held out, in the order that the other half chooses.")}
          {hidden > 0 && ` ${plural(hidden, "member")} before the last are left out here.`}
        </>
      }
    >
      <Figures exit={exit} />
      <ul class="legend" aria-label="Legend">
        <li><svg width="22" height="14" aria-hidden="true" class="exits"><rect class="decides" x="2" y="2" width="18" height="10" /></svg>decided by this member</li>
        <li><svg width="22" height="14" aria-hidden="true" class="exits"><rect class="decided" x="2" y="2" width="18" height="10" /></svg>decided before</li>
        {held && <li><svg width="12" height="14" aria-hidden="true" class="exits"><line class="tick" x1="6" x2="6" y1="0" y2="14" /></svg>{held.by === "test" ? "on the test pool" : "held out"}</li>}
      </ul>
      <Measured class="measured">{(width) => <ExitBars exit={exit} width={width} />}</Measured>
    </Section>
  );
}

function Figures({ exit }: { exit: EarlyExit }) {
  const held = exit.held_out;
  const rows: [string, ExitRun][] = [["Samples that chose the order", exit]];
  if (held) rows.push([held.by === "test" ? "Test pool" : "Samples held out", held]);
  return (
    <table class="exit-figures">
      <caption>Expected of one sample; running all members costs {exitCost(exit.full_cost, exit.cost)}.</caption>
      <thead>
        <tr>
          <th scope="col" /><th scope="col" class="number">Models run</th>
          {exit.cost && <th scope="col" class="number">Cost</th>}
          <th scope="col" class="number">Saved</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, run]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{run.expected_models.toFixed(2)} of {exit.order.length}</td>
            {exit.cost && <td class="number">{exitCost(run.expected_cost, exit.cost)}</td>}
            <td class="number">{saved(run, exit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ExitBars({ exit, width }: { exit: EarlyExit; width: number }) {
  const held = exit.held_out;
  const places = shownPlaces(exit.order.length);
  const name = (place: number) => `${place + 1}. ${exit.names[place]}`;
  const figure = (place: number) => percent(exit.decided_after[place]) + (held ? `, held out ${percent(held.decided_after[place])}` : "");
  const names = Math.min(Math.ceil(widest(places.map((place) => isolate(name(place))))), 0.3 * width);
  const figures = Math.ceil(widest(places.map(figure)));
  const narrow = width - names - figures - 30 < barsFrom;
  const [left, right] = narrow ? [10, 10] : [names + 16, figures + 14];
  const head = narrow ? 20 : 0;
  const pitch = head + bar + gap;
  const floor = 6 + places.length * pitch;
  const height = floor + 44;
  const x = scaleLinear([0, 1], [left, width - right]);
  const before = (place: number) => (place ? exit.decided_after[place - 1] : 0);
  return (
    <svg class="exits" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img"
      aria-label={`Decided samples. ${places.map((place) => `After ${name(place)}: ${figure(place)}`).join("; ")}`}>
      <AxisBottom scale={x} at={floor} ticks={narrow ? 4 : 10} format={(value) => `${Math.round(100 * value)}`} label="samples decided, %" grid={2} frame={width} />
      {places.map((place, row) => {
        const top = 6 + row * pitch + head;
        return (
          <g key={place}>
            {narrow
              ? <Label class="halo" text={name(place)} room={width - 2 * left - figures - 12} x={left} y={top - 6} />
              : <Label text={name(place)} room={names} x={names} y={top + bar / 2} dy="0.34em" text-anchor="end" />}
            <rect class="decided" x={x(0)} y={top} width={x(before(place)) - x(0)} height={bar} />
            <rect class="decides" x={x(before(place))} y={top} width={Math.max(0, x(exit.decided_after[place]) - x(before(place)))} height={bar}>
              <title>{figure(place)}</title>
            </rect>
            {held && <line class="tick" x1={x(held.decided_after[place])} x2={x(held.decided_after[place])} y1={top - 3} y2={top + bar + 3} />}
            {narrow
              ? <text class="note halo" x={width - right} y={top - 6} text-anchor="end">{figure(place)}</text>
              : <text class="note" x={width - right + 14} y={top + bar / 2} dy="0.34em">{figure(place)}</text>}
          </g>
        );
      })}
    </svg>
  );
}
