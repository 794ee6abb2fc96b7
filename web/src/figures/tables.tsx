// SPDX-License-Identifier: MIT
/** The tables: teams, metrics with their quality, models with their costs. */
import { Name, Section } from "../parts/controls";
import { Scroll } from "../parts/scroll";
import { costNames, type CostName, type Quality, type Selection, type Study } from "../data";
import { count, lessPercent, percent, percentDigits, quantity, score } from "../format";
import { usePage } from "../state";
import { TeamTable } from "./team_table";

export function Tables() {
  const { study } = usePage();
  return (
    <>
      <Section id="teams" title="Teams" reading="Every selected team, or every scored one; small figures are percentage points against the entire ensemble. A team's button pins it in all figures.">
        <TeamTable />
      </Section>
      <Section
        id="metrics"
        title="Metrics"
        reading={
          <>
            Precision is the share of selected teams that reach the entire ensemble; compare it with the base rate, the share
            among all teams of that size: what a blind choice would get. Recall is the share of all such teams that were selected.
          </>
        }
      >
        <MetricTable study={study} />
        <CorrelationTable study={study} />
      </Section>
      <Section id="models" title="Models" reading="The pool's members, most accurate first; a dot marks those of the recommended team.">
        <ModelTable study={study} />
      </Section>
    </>
  );
}

function MetricTable({ study }: { study: Study }) {
  const rows: Selection[] = [...study.selections, ...(study.consensus ? [study.consensus] : [])];
  const { test, pool } = study;
  return (
    <>
      <Scroll label="Metrics">
        <table class="metrics">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {test && <th scope="col">Judged on</th>}
              <th scope="col" class="number">Selected</th>
              <th scope="col" class="number">Good</th>
              <th scope="col" class="number">Precision</th>
              <th scope="col" class="number">Base rate</th>
              <th scope="col" class="number">Recall</th>
              <th scope="col" class="number">Accuracy of the selected</th>
              <th scope="col" class="number">Fewer models</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const onTest = test && [test.consensus, ...test.selections].find((each) => each?.metric === row.metric);
              return (
                <>
                  <QualityRow key={row.metric} metric={row.metric} judged={test ? "selection" : undefined} quality={row} samples={pool.samples} />
                  {test && onTest && <QualityRow key={`${row.metric} test`} metric="" judged="test" quality={onTest} samples={test.pool.samples} />}
                </>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {study.consensus && (
        <p class="hint">
          {study.consensus.metric}: teams kept by more than half of the {study.consensus.metrics ?? study.selections.length} focal
          metrics, {study.consensus.distinct_metrics} of them distinct opinions (F-KW and F-BD order teams of one size alike).
        </p>
      )}
      {rows.filter((row) => row.not_computed).map((row) => <p class="hint" key={row.metric}>{row.metric}: {row.not_computed}</p>)}
    </>
  );
}

interface QualityRowProps {
  metric: string;
  judged?: string;
  quality: Quality;
  samples: number;
}

function QualityRow({ metric, judged, quality, samples }: QualityRowProps) {
  const digits = percentDigits(samples);
  const range = [quality.correct_min, quality.correct_max].map((value) => (value == null ? "–" : percent(value / samples, digits)));
  return (
    <tr class={judged === "test" ? "second" : ""}>
      <th scope="row">{metric}</th>
      {judged && <td>{judged}</td>}
      <td class="number">{count(quality.selected)}</td>
      <td class="number">{count(quality.true_positive)}</td>
      <td class="number"><Bar value={quality.precision} base={quality.base_rate} />{percent(quality.precision)}</td>
      <td class="number">{percent(quality.base_rate)}</td>
      <td class="number">{percent(quality.recall)}</td>
      <td class="number">{quality.selected ? range.join(" to ") : "–"}</td>
      <td class="number">{lessPercent(quality.cost_reduction)}</td>
    </tr>
  );
}

/** Precision as a bar, the base rate as a tick on it. */
function Bar({ value, base }: { value: number | null; base: number | null }) {
  if (value == null) return null;
  return (
    <svg class="quality" width="64" height="10" aria-hidden="true">
      <rect class="rail" width="64" height="10" />
      <rect class="accent" width={64 * value} height="10" />
      {base != null && <line class="base" x1={64 * base} x2={64 * base} y1="0" y2="10" />}
    </svg>
  );
}

function CorrelationTable({ study }: { study: Study }) {
  const { correlations } = study;
  const sizes = [...new Set(correlations.map((each) => each.size))].sort((a, b) => a - b);
  const keys = [...new Map(correlations.map((each) => [`${each.metric} ${each.teams_of ?? ""}`, each])).values()];
  if (!keys.length) return null;
  const cell = (value: number | null | undefined) => (value == null ? "–" : score(value, 2));
  return (
    <Scroll label="Rank correlations">
      <table class="correlations">
        <caption>Does the score predict accuracy? Spearman's rank correlation among the scored teams of one size (Kendall's in small figures): 1 is a perfect order, 0 none.</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {sizes.map((size) => <th scope="col" class="number" key={size}>size {size}</th>)}
          </tr>
        </thead>
        <tbody>
          {keys.map(({ metric, teams_of }) => (
            <tr key={`${metric} ${teams_of}`}>
              <th scope="row">{metric}{teams_of && <small> on the teams of {teams_of}</small>}</th>
              {sizes.map((size) => {
                const found = correlations.find((each) => each.metric === metric && each.teams_of === teams_of && each.size === size);
                return <td class="number" key={size}>{cell(found?.spearman)} <small>{cell(found?.kendall)}</small></td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export const costHeads: Record<CostName, string> = { params: "Parameters", gflops: "GFLOPs", latency_ms: "Latency, ms", memory_mb: "Memory, MB" };

function ModelTable({ study }: { study: Study }) {
  const { pool, test } = study;
  const costs = costNames.filter((cost) => pool.models.some((model) => model.costs?.[cost] != null));
  const chosen = new Set(study.recommended?.team ?? []);
  const models = pool.models.toSorted((a, b) => b.correct - a.correct || a.id - b.id);
  return (
    <Scroll label="Models">
      <table class="models">
        <thead>
          <tr>
            <th scope="col" class="number">Id</th>
            <th scope="col">Name</th>
            <th scope="col">Recommended</th>
            <th scope="col" class="number">Accuracy</th>
            <th scope="col" class="number">Failures</th>
            {test && <th scope="col" class="number">Test</th>}
            {costs.map((cost) => <th scope="col" class="number" key={cost}>{costHeads[cost]}</th>)}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.id}>
              <td class="number">{model.id}</td>
              <th scope="row"><Name text={model.name} /></th>
              <td>{chosen.has(model.id) && <span class="accent-text" role="img" aria-label="member of the recommended team">●</span>}</td>
              <td class="number">{percent(model.correct / pool.samples, percentDigits(pool.samples))}</td>
              <td class="number">{count(pool.samples - model.correct)}</td>
              {test && <td class="number">{percent(test.pool.models[model.id].correct / test.pool.samples, percentDigits(test.pool.samples))}</td>}
              {costs.map((cost) => <td class="number" key={cost}>{model.costs?.[cost] == null ? "–" : quantity(model.costs[cost])}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
