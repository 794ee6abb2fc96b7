// SPDX-License-Identifier: MIT
/** Whether the team is right as often as its shares say, before and after its temperature. */
import { scaleLinear } from "d3-scale";
import { Section } from "../parts/controls";
import { AxisBottom, AxisLeft, axisRoom, Measured } from "../parts/plot";
import { shapePath } from "../parts/dots";
import { count, percent, plural, score } from "../format";
import { fewSamples, filledBins, isCalibrated, temperatureText, type CalibrationEffect, type Side } from "../serving";
import { usePage } from "../state";
import { linePath } from "./sweep";

const margin = { top: 34, right: 18, bottom: 48 };
const height = 380;
/** The strip of bars above the lower axis, and the room between it and the picture. */
const strip = 56;
const gap = 14;

export function Calibration() {
  const { study, view } = usePage();
  const serving = study.recommended?.serving;
  if (!isCalibrated(serving)) return null;
  const onTest = view.judge === "test" && serving.test != null;
  const effect = onTest ? serving.test! : serving;
  const temperature = temperatureText(serving.temperature);
  return (
    <Section
      id="calibration"
      title="Can its confidence be believed"
      reading={
        <>
          Each mark is a group of samples whose largest share is about the same: on the dashed line the team is right as often as that share says,
          above it more often. The bars below show how many samples each group holds; hollow marks stand for fewer than {fewSamples}. One temperature, fitted on the selection samples, moves
          the marks and changes no answer
          {onTest ? "; judged on the test pool" : "; judged on the samples it was fitted on"}.
        </>
      }
    >
      <Figures effect={effect} temperature={temperature} />
      <div class="panels">
        <Panel effect={effect} side="before" title="As the members say it" />
        <Panel effect={effect} side="after" title={`At temperature ${temperature}`} />
      </div>
    </Section>
  );
}

function Figures({ effect, temperature }: { effect: CalibrationEffect; temperature: string }) {
  const rows = [["Log-loss", effect.log_loss], ["Brier score", effect.brier], ["Calibration error", effect.calibration_error]] as const;
  return (
    <table class="calibration">
      <caption>On {plural(effect.samples, "sample")}; less is better.</caption>
      <thead><tr><th scope="col" /><th scope="col" class="number">As said</th><th scope="col" class="number">At {temperature}</th></tr></thead>
      <tbody>
        {rows.map(([name, { before, after }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{score(before)}</td>
            <td class="number">{score(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PanelProps {
  effect: CalibrationEffect;
  side: Side;
  title: string;
}

function Panel({ effect, side, title }: PanelProps) {
  return (
    <Measured class="panel">
      {(width) => <><h3>{title}</h3><Reliability effect={effect} side={side} title={title} width={width} /></>}
    </Measured>
  );
}

function Reliability({ effect, side, title, width }: PanelProps & { width: number }) {
  const bins = filledBins(effect, side);
  const floor = height - margin.bottom;
  const y = scaleLinear([0, 1], [floor - strip - gap, margin.top]);
  const shares = { scale: y, ticks: 5, format: (value: number) => `${Math.round(100 * value)}` };
  const left = axisRoom(shares);
  const x = scaleLinear([0, 1], [left, width - margin.right]);
  const edge = (place: number) => x(place / effect.reliability.length);
  // Both panels measure their bars alike.
  const most = Math.max(...effect.reliability.flatMap((bin) => [bin.before.count, bin.after.count]));
  const bar = (samples: number) => Math.max(1, (samples / most) * strip);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" class="reliability"
      aria-label={`${title}. ${bins.map((bin) => `Confidence ${percent(bin.confidence)}: right ${percent(bin.accuracy)} of ${count(bin.count)}`).join("; ")}`}>
      <AxisLeft {...shares} at={left} label="right, %" grid={width - margin.right} />
      <AxisBottom scale={x} at={floor} ticks={5} format={shares.format} label="largest share, %" frame={width} />
      {bins.map((bin) => (
        <rect key={bin.place} class="samples" x={edge(bin.place) + 1} width={edge(bin.place + 1) - edge(bin.place) - 2} y={floor - bar(bin.count)} height={bar(bin.count)}>
          <title>{plural(bin.count, "sample")}</title>
        </rect>
      ))}
      <line class="reference" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {bins.filter((bin) => !bin.few).map((bin) => <line key={bin.place} class="gap" x1={x(bin.confidence)} x2={x(bin.confidence)} y1={y(bin.confidence)} y2={y(bin.accuracy)} />)}
      <path class="line" d={linePath(bins.filter((bin) => !bin.few).map((bin) => [x(bin.confidence), y(bin.accuracy)] as const))} />
      {bins.map((bin) => (
        <path key={bin.place} class={bin.few ? "mark few" : "mark"} d={shapePath("circle", x(bin.confidence), y(bin.accuracy), 4)}>
          <title>{`${percent(bin.accuracy)} of ${plural(bin.count, "sample")} right at a mean largest share of ${percent(bin.confidence)}`}</title>
        </path>
      ))}
    </svg>
  );
}
