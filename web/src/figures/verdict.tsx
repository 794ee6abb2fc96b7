// SPDX-License-Identifier: MIT
/** The verdict: the recommended team against what a reader would otherwise use. */
import { scaleLinear } from "d3-scale";
import { Members, TeamButton } from "../parts/controls";
import { padded } from "../parts/plot";
import { Scroll } from "../parts/scroll";
import { costNames, type CostName, type Recommended, type Study, type TeamFigures } from "../data";
import { count, percent, percentage, percentDigits, points, quantity, reductionText, score } from "../format";
import { usePage } from "../state";
import { sameTeam } from "../teams";
import { Verdicts } from "./trust";

const costWords: Record<CostName, string> = {
  params: "parameters",
  gflops: "GFLOPs",
  latency_ms: "latency, one after another",
  memory_mb: "memory",
};
const units: Record<CostName, string> = { params: "", gflops: "", latency_ms: " ms", memory_mb: " MB" };

interface Row extends TeamFigures {
  label: string;
  main?: boolean;
  test_correct?: number;
}

/** The recommended team and its rivals, the recommended one first. */
export function comparison({ recommended, reference, baselines, pool, test }: Study): Row[] {
  const rows: Row[] = [];
  const add = (label: string, figures?: TeamFigures | null, onTest?: { correct: number } | null, main = false) => {
    if (figures) rows.push({ team: figures.team, correct: figures.correct, test_correct: onTest?.correct, label, main });
  };
  add("Recommended team", recommended, test?.recommended, true);
  add(`Entire ensemble of ${pool.models.length}`, reference, test?.reference);
  add("Best single model", baselines.best_single, test?.baselines.best_single);
  add(`The ${baselines.most_accurate?.team.length} most accurate models`, baselines.most_accurate, test?.baselines.most_accurate);
  add(`Best team of ${baselines.best_of_size?.team.length}, in hindsight`, baselines.best_of_size, test?.baselines.best_of_size);
  return rows;
}

/** What to do, as the command says it. */
export function headline({ decision, names, team }: Pick<Recommended, "decision" | "names" | "team">, models: number): string {
  if (decision === "entire") return `Keep all ${models} models`;
  if (!names) return "The verdict";
  return decision === "single" ? `Ship one model: ${names[0]}` : `Ship these ${team.length}: ${names.join(", ")}`;
}

export function Verdict() {
  const { study } = usePage();
  const { recommended, test } = study;
  const rows = comparison(study);
  if (!recommended)
    return (
      <section id="verdict" aria-labelledby="verdict-title">
        <h2 id="verdict-title">No team is recommended</h2>
        <p class="lede">Every selection came out empty. The tiers below show where the candidates ran out.</p>
        <Comparison rows={rows} />
      </section>
    );
  const [best, whole] = rows;
  const single = rows.find((row) => row.label === "Best single model");
  const samples = test ? test.pool.samples : study.pool.samples;
  const correct = (row: Row) => (test ? row.test_correct : row.correct) ?? 0;
  /** Counts are subtracted, not shares: so every place rounds alike. */
  const against = (row: Row) => (correct(best) - correct(row)) / samples;
  const digits = percentDigits(samples);
  const gain = against(whole);
  return (
    <section id="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title" data-short="The verdict"><bdi>{headline(recommended, study.pool.models.length)}</bdi></h2>
      <p class="lede">
        {recommended.team.length} of {study.pool.models.length} models answer{" "}
        <strong>{percent(correct(best) / samples, digits)}</strong> of {test ? "the test samples" : "the samples"} correctly,{" "}
        {gain === 0 ? "exactly as many as" : <>{percentage(gain, digits)} points {gain > 0 ? "above" : "below"}</>}{" "}
        the entire ensemble.
      </p>
      {study.trust && <Verdicts trust={study.trust} />}
      <div class="verdict">
        <div>
          <h3>Recommended: <TeamButton team={recommended.team} /></h3>
          <Members team={recommended.team} />
        </div>
        <dl class="numbers">
          <Number value={points(gain, digits)} unit="points" label="against the entire ensemble" />
          {single && <Number value={points(against(single), digits)} unit="points" label="against the best single model" />}
          <Number value={reductionText((study.pool.models.length - recommended.team.length) / study.pool.models.length)} label="models to run" />
          <CostNumbers recommended={recommended} />
          {recommended.errors?.error_correlation != null && (
            <Number value={score(recommended.errors.error_correlation, 2)} label="error correlation between members" />
          )}
          {recommended.robustness && <Number value={quantity(recommended.robustness.median_radius)} label="median certified radius" />}
        </dl>
      </div>
      {recommended.why && <p class="why">{recommended.why}</p>}
      <Alternatives recommended={recommended} samples={study.pool.samples} />
      <Honesty study={study} />
      <Comparison rows={rows} />
    </section>
  );
}

/** What else one might take; nothing where that is the recommended team itself. */
function Alternatives({ recommended, samples }: { recommended: Recommended; samples: number }) {
  const others = (recommended.alternatives ?? []).filter(({ team }) => !sameTeam(team, recommended.team));
  if (!others.length) return null;
  return (
    <ul class="alternatives">
      {others.map(({ role, names, correct, team, says }) => (
        <li key={role}>
          <strong>{role === "cheaper" ? "Cheaper" : "Most accurate"}:</strong> <bdi>{names.join(", ")}</bdi>,{" "}
          {team.length} {team.length === 1 ? "model" : "models"}, {percent(correct / samples, percentDigits(samples))}: {says}
        </li>
      ))}
    </ul>
  );
}

function Number({ value, unit, label }: { value: string; unit?: string; label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}{unit && <small> {unit}</small>}</dd>
    </div>
  );
}

function CostNumbers({ recommended }: { recommended: Recommended }) {
  const shown = costNames.flatMap((cost) => {
    const known = recommended.costs?.[cost];
    if (!known) return [];
    const numbers = [{ label: `${costWords[cost]} (${quantity(known.sum)}${units[cost]} in all)`, reduction: known.reduction }];
    if (known.parallel_reduction != null)
      numbers.push({ label: `latency in parallel (${quantity(known.parallel!)} ms)`, reduction: known.parallel_reduction });
    return numbers;
  });
  return (
    <>
      {shown.map(({ label, reduction }) => (
        <Number key={label} value={reductionText(reduction)} label={label} />
      ))}
    </>
  );
}

function Honesty({ study }: { study: Study }) {
  if (study.trust?.held_out === "half")
    return (
      <p class="honesty">
        <strong>Chosen on all samples, the verdicts judged on a half.</strong> {study.trust.says} The accuracies in the table below are on all
        samples, which chose the team, so they are optimistic.
      </p>
    );
  if (study.trust?.held_out === "folds")
    return (
      <p class="honesty">
        <strong>Chosen on all samples, the verdicts judged by folds.</strong> {study.trust.says} The accuracies in the table below are on the samples
        that chose, so they are optimistic.
      </p>
    );
  return study.test ? (
    <p class="honesty">
      <strong>Chosen and judged on different samples.</strong> Teams were chosen on the {count(study.pool.samples)} samples
      of <bdi>{study.pool.name}</bdi>; the accuracies above are on the {count(study.test.pool.samples)} samples
      of <bdi>{study.test.pool.name}</bdi>, which took no part in the choice.
    </p>
  ) : (
    <p class="honesty">
      <strong>Chosen and judged on the same samples.</strong> All figures are on the {count(study.pool.samples)} samples
      that chose the team, so they are optimistic. A test pool (<code>--test</code>) gives an unbiased judgement.
    </p>
  );
}

function Comparison({ rows }: { rows: Row[] }) {
  const { study } = usePage();
  const { pool, test, reference } = study;
  const values = rows.flatMap((row) => [row.correct / pool.samples, ...(row.test_correct != null && test ? [row.test_correct / test.pool.samples] : [])]);
  const scale = scaleLinear(padded(Math.min(...values), Math.max(...values), 0.08), [6, 214]);
  const digits = percentDigits(pool.samples);
  return (
    <Scroll label="What you would otherwise run">
      <table class="comparison">
        <caption>
          What you would otherwise run. {test ? "Filled: test samples. Hollow: selection samples." : ""} The line marks the entire ensemble.
        </caption>
        <thead>
          <tr>
            <th scope="col">Team</th>
            <th scope="col">Members</th>
            <th scope="col" class="number">{test ? "Selection" : "Accuracy"}</th>
            <th scope="col" class="number">Difference</th>
            {test && <th scope="col" class="number">Test</th>}
            {test && <th scope="col" class="number">Difference</th>}
            <th scope="col" class="strip"><span class="hidden">Accuracy, drawn</span></th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={row.main ? "main" : ""} key={row.label}>
              <th scope="row">{row.label}</th>
              <td>{row.team.length < pool.models.length ? <TeamButton team={row.team} /> : "all"}</td>
              <td class="number">{percent(row.correct / pool.samples, digits)}</td>
              <td class="number">{points((row.correct - reference.correct) / pool.samples, digits)}</td>
              {test && <td class="number">{percent(row.test_correct == null ? null : row.test_correct / test.pool.samples, digits)}</td>}
              {test && <td class="number">{row.test_correct == null ? "–" : points((row.test_correct - test.reference.correct) / test.pool.samples, digits)}</td>}
              <td class="strip"><Strip row={row} scale={scale} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Strip({ row, scale }: { row: Row; scale: (value: number) => number }) {
  const { study } = usePage();
  const { pool, test, reference } = study;
  const whole = test ? test.reference.correct / test.pool.samples : reference.correct / pool.samples;
  return (
    <svg width="220" height="22" viewBox="0 0 220 22" aria-hidden="true">
      <line class="rail" x1="6" x2="214" y1="11" y2="11" />
      <line class="reference" x1={scale(whole)} x2={scale(whole)} y1="0" y2="22" />
      <circle class={test ? "hollow" : row.main ? "accent" : "ink"} cx={scale(row.correct / pool.samples)} cy="11" r="4.5" />
      {test && row.test_correct != null && (
        <circle class={row.main ? "accent" : "ink"} cx={scale(row.test_correct / test.pool.samples)} cy="11" r="4.5" />
      )}
    </svg>
  );
}
