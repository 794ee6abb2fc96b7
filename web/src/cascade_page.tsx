// SPDX-License-Identifier: MIT
/** The page of a team's cascades: accuracy against expected cost, and a table of the rules. */
import { scaleLinear } from "d3-scale";
import { Foot, Head, Warnings } from "./parts/frame";
import { Name, Section } from "./parts/controls";
import { shapePath } from "./parts/dots";
import { AxisBottom, AxisLeft, axisRoom, Measured, padded, percentTicks } from "./parts/plot";
import { textWidth } from "./parts/ruler";
import { Scroll } from "./parts/scroll";
import { cascadeSentence, judged, stopText, type Cascades, type CascadeRow } from "./cascade";
import { count, percent, percentDigits, plural, points, quantity } from "./format";
import { exitCost, saved } from "./serving";
import { linePath } from "./figures/sweep";

const margin = { top: 34, right: 18, bottom: 48 };
const height = 420;
const axes = { latency_ms: "expected latency, ms, members one after another", gflops: "expected GFLOPs", params: "expected parameters" };

export function CascadePage({ cascades }: { cascades: Cascades }) {
  const { pool, rows, order, test } = cascades;
  const [exact] = rows;
  const digits = percentDigits(judged(exact).samples);
  const facts = [plural(pool.models.length, "model"), `${count(pool.samples)} samples`, `${cascades.vote} vote`, `a team of ${order.length}${cascades.is_recommended ? ", recommended" : ""}`].join(" · ");
  const where = test !== null
    ? <>chosen on <bdi>{pool.name}</bdi>, judged on the {count(judged(exact).samples)} samples of <bdi>{test}</bdi></>
    : cascades.judged_by
      ? <>chosen on {count(exact.selection.samples)} samples, judged on the other {count(judged(exact).samples)}</>
      : <>chosen and judged on the same {count(exact.selection.samples)} samples, too few to hold any out</>;
  return (
    <>
      <Head pool={pool} facts={facts} />
      <main>
        <Warnings warnings={cascades.warnings} />
        <section id="verdict" aria-labelledby="verdict-title">
          <h2 id="verdict-title">Cascades</h2>
          <p class="lede">{cascadeSentence(cascades, digits)}</p>
          <p class="honesty"><strong>Only the exact exit is exact.</strong> Cascades stop before the vote is decided: some answers differ from those of the full vote, right or wrong. Rules were {where}.</p>
          <p>Members run in this order:</p>
          <ol class="members">{order.map((id, place) => <li key={id}><span class="id">{id}</span><Name text={cascades.names[place]} /></li>)}</ol>
        </section>
        <Section id="front" title="Accuracy against expected cost" reading={<>Each mark is a rule by which members stop; the diamond is the exact exit, the dashed line the accuracy of the full vote. Whiskers are 95 % intervals{cascades.judged_by ? " on samples that chose nothing" : ""}. Rules that another beats in both on the samples that chose are left out.</>}>
          <Measured class="measured">{(width) => <CascadePlot cascades={cascades} width={width} digits={digits} />}</Measured>
        </Section>
        <Section id="rules" title="Rules" reading="Difference is against the full vote, in percentage points. Whatever the rule, members also stop where the vote is decided.">
          {cascades.judged_by && <RuleTable cascades={cascades} digits={digits} run={(row) => row.held_out!} caption={`On ${plural(judged(exact).samples, "sample")} held out`} />}
          <RuleTable cascades={cascades} digits={digits} run={(row) => row.selection} caption={`On the ${plural(exact.selection.samples, "sample")} that chose`} />
        </Section>
      </main>
      <Foot pool={pool} version={cascades.version} />
    </>
  );
}

function RuleTable({ cascades, digits, run, caption }: { cascades: Cascades; digits: number; run: (row: CascadeRow) => ReturnType<typeof judged>; caption: string }) {
  return (
    <Scroll label={caption}>
      <table class="methods">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Stop at</th>
            <th scope="col" class="number">Models run</th>
            {cascades.cost && <th scope="col" class="number">Cost</th>}
            <th scope="col" class="number">Saved</th>
            <th scope="col" class="number">Accuracy</th>
            <th scope="col" class="number">Interval</th>
            <th scope="col" class="number">Difference</th>
            <th scope="col" class="number">Other answers</th>
          </tr>
        </thead>
        <tbody>
          {cascades.rows.map((row) => {
            const own = run(row);
            return (
              <tr key={row.says} class={row.is_exact ? "main" : ""}>
                <th scope="row" class="against">{stopText(row)}</th>
                <td class="number">{own.expected_models.toFixed(2)}</td>
                {cascades.cost && <td class="number">{exitCost(own.expected_cost, cascades.cost)}</td>}
                <td class="number">{saved(own, cascades)}</td>
                <td class="number">{percent(own.accuracy, digits)}</td>
                <td class="number">{(100 * own.interval.low).toFixed(digits)} to {(100 * own.interval.high).toFixed(digits)}</td>
                <td class="number">{row.is_exact ? "same" : points(own.difference, digits)}</td>
                <td class="number">{row.is_exact ? "none" : count(own.changed)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

function CascadePlot({ cascades, width, digits }: { cascades: Cascades; width: number; digits: number }) {
  const points = cascades.rows.map((row) => ({ row, run: judged(row) }));
  const ends = points.flatMap(({ run }) => [run.interval.low, run.interval.high]);
  const y = scaleLinear(padded(Math.min(...ends), Math.max(...ends), 0.06), [height - margin.bottom, margin.top]);
  const left = axisRoom(percentTicks(y));
  const costs = points.map(({ run }) => run.expected_cost);
  const x = scaleLinear(padded(Math.min(...costs), Math.max(...costs), 0.08), [left, width - margin.right]);
  const full = points[0].run.accuracy;
  const at = points.map(({ row, run }) => ({ row, run, x: x(run.expected_cost), y: y(run.accuracy) }));
  const words = cascades.cost ? axes[cascades.cost] : "expected number of models";
  const text = ({ row, run }: (typeof points)[number]) => `${stopText(row)}: ${percent(run.accuracy, digits)} at ${exitCost(run.expected_cost, cascades.cost)}${row.is_exact ? "" : ", not exact"}`;
  return (
    <svg class="cascades" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={`Accuracy against ${words}. ${points.map(text).join("; ")}`}>
      <AxisLeft {...percentTicks(y)} at={left} label="accuracy, %" grid={width - margin.right} />
      <AxisBottom scale={x} at={height - margin.bottom} ticks={width < 600 ? 5 : 10} format={quantity} label={words} frame={width} />
      <line class="reference" x1={left} x2={width - margin.right} y1={y(full)} y2={y(full)} />
      {at.map(({ row, run, x: place }) => <line key={row.says} class="whisker" x1={place} x2={place} y1={y(run.interval.low)} y2={y(run.interval.high)} />)}
      <path class="front" d={linePath(at.map((each) => [each.x, each.y] as const))} />
      {at.map((each) => (
        <path key={each.row.says} class={each.row.is_exact ? "recommended" : "front-marks"} d={shapePath(each.row.is_exact ? "diamond" : "circle", each.x, each.y, each.row.is_exact ? 6 : 4)}>
          <title>{text(each)}</title>
        </path>
      ))}
      <RuleLabels at={at} left={left} right={width - margin.right} />
    </svg>
  );
}

/** Names beside the marks where they touch neither each other nor the edge; the table has all of them. */
function RuleLabels({ at, left, right }: { at: { row: CascadeRow; x: number; y: number }[]; left: number; right: number }) {
  const taken: [number, number, number][] = [];
  return (
    <>
      {at.map(({ row, x, y }) => {
        const text = stopText(row).replace("mean confidence ", "");
        const room = textWidth(text) + 4;
        const atEnd = x + 8 + room > right;
        const from = atEnd ? x - 8 - room : x + 8;
        // The front climbs to the right: below it there is room.
        const top = row.is_exact ? y - 10 : y + 17;
        const touches = taken.some(([start, end, line]) => from < end && from + room > start && Math.abs(line - top) < 16);
        if (touches || from < left || top > height - margin.bottom - 4) return null;
        taken.push([from, from + room, top]);
        return <text key={row.says} class="note halo" x={atEnd ? x - 8 : x + 8} y={top} text-anchor={atEnd ? "end" : "start"}>{text}</text>;
      })}
    </>
  );
}
