// SPDX-License-Identifier: MIT
/** The page of a tournament of methods: ranks, held-out accuracies, and a table. */
import { Foot, Head, Warnings } from "./parts/frame";
import { Measured } from "./parts/plot";
import { Scroll } from "./parts/scroll";
import { Whiskers, type WhiskerRow } from "./parts/whiskers";
import { RankFigure } from "./figures/ranks";
import { costHeads } from "./figures/tables";
import { headline } from "./figures/verdict";
import { bestSentence, ranked, verdictText, type Comparison } from "./comparison";
import { knownCosts, teamCost } from "./data";
import { Name, Section } from "./parts/controls";
import type { Team } from "./teams";
import { count, percent, percentage, percentDigits, plural, points, quantity, teamKey } from "./format";

export function ComparePage({ comparison }: { comparison: Comparison }) {
  const { pool, test } = comparison;
  const best = bestSentence(comparison);
  const digits = percentDigits(comparison.test_samples);
  const judged = test
    ? <>chosen on <bdi>{pool.name}</bdi>, judged on the {count(comparison.test_samples)} samples of <bdi>{test.name}</bdi></>
    : <>chosen on {count(comparison.selection_samples)} samples, judged on the other {count(comparison.test_samples)}, {plural(comparison.split_count, "split")}</>;
  const facts = [plural(pool.models.length, "model"), `${count(pool.samples)} samples`, `${comparison.vote} vote`, `teams of ${comparison.desired_size}`].join(" · ");
  return (
    <>
      <Head pool={pool} facts={facts} />
      <main>
        <Warnings warnings={comparison.warnings} />
        <section id="verdict" aria-labelledby="verdict-title">
          <h2 id="verdict-title" data-short="The verdict"><bdi>{shipHeadline(comparison)}</bdi></h2>
          {best ? (
            <p class="lede"><strong class="method"><bdi>{best.title}</bdi></strong> has the best mean rank, {best.rank} among {ranked(comparison).length} methods. {best.rest}</p>
          ) : (
            <p class="lede">No method chose a team in every split.</p>
          )}
          <p class="honesty"><strong>Chosen and judged on different samples.</strong> Every team was {judged}.</p>
        </section>
        {ranked(comparison).length > 0 && (
          <Section
            id="ranks"
            title="Ranks"
            reading={`Methods by their ${comparison.judged_on === "test" ? "rank on the samples that judged" : "mean rank over the splits"}.${comparison.significance_test === null ? "" : ` Hollow dots are worse than the best by more than chance (${comparison.significance_test}, Holm's adjustment, 5 %).`}`}
          >
            <Measured class="measured">{(width) => <RankFigure comparison={comparison} width={width} />}</Measured>
          </Section>
        )}
        <Section id="accuracies" title="Accuracy on held-out samples" reading={<>A dot is the mean accuracy on samples that took no part in the choice, its whisker the 95 % interval of one test set. The dashed line is the entire ensemble.</>}>
          <Measured class="measured">
            {(width) => <Whiskers rows={accuracyRows(comparison)} width={width} digits={digits} reference={comparison.reference.test_accuracy} name="Held-out accuracies" />}
          </Measured>
        </Section>
        <Section id="methods" title="Methods" reading="The team is the one chosen on the entire pool: the one to use. Gain is in percentage points against the entire ensemble, on held-out samples. The verdict is against the best by rank; “could see” is from how many points of difference on its test tells two methods apart.">
          <MethodTable comparison={comparison} digits={digits} />
        </Section>
        <Section id="models" title="Models" reading="The pool's members by id.">
          <ul class="members">{pool.models.map((model) => <li key={model.id}><span class="id">{model.id}</span><Name text={model.name} /></li>)}</ul>
        </Section>
      </main>
      <Foot pool={pool} version={comparison.version} />
    </>
  );
}

/** What to use, named as a study names its decision: the choice, on the entire pool, of the first method that names one. */
export function shipHeadline(comparison: Comparison): string {
  const { models } = comparison.pool;
  const winner = ranked(comparison).find((each) => each.team !== null);
  if (!winner?.team) return "Which method chooses best";
  const { team, weights } = winner;
  const decision = team.length === 1 ? "single" : team.length === models.length ? "entire" : "team";
  const words = headline({ decision, team, names: team.map((id) => models[id].name) }, models.length);
  return weights?.some((each) => each !== 1) ? `${words}, with ${weights.join(", ")} votes` : words;
}

function accuracyRows(comparison: Comparison): WhiskerRow[] {
  const { reference } = comparison;
  const row = (label: string, value: number, { low, high }: { low: number; high: number }, main = false): WhiskerRow => ({ label, main, marks: [{ filled: true, value, interval: [low, high] }] });
  return [
    ...comparison.methods.flatMap((each, place) => (each.test_accuracy !== null && each.interval ? [row(each.title, each.test_accuracy, each.interval, place === 0)] : [])),
    row(`entire ensemble of ${reference.team.length}`, reference.test_accuracy, reference.interval),
  ];
}

function MethodTable({ comparison, digits }: { comparison: Comparison; digits: number }) {
  const timed = comparison.methods.some((each) => each.seconds !== null);
  const tested = comparison.methods.some((each) => each.p_value !== null);
  const costs = knownCosts(comparison.pool);
  const costCells = (team: Team | null) => costs.map((cost) => {
    const sum = team ? teamCost(comparison.pool, team, cost) : undefined;
    return <td class="number" key={cost}>{sum === undefined ? "–" : quantity(sum)}</td>;
  });
  const { reference } = comparison;
  return (
    <Scroll label="Methods">
      <table class="methods">
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col" class="number">Mean rank</th>
            <th scope="col" class="number">Held out</th>
            <th scope="col" class="number">Gain</th>
            <th scope="col">Verdict</th>
            {tested && <th scope="col" class="number">p</th>}
            {tested && <th scope="col" class="number">Could see</th>}
            <th scope="col">Team</th>
            <th scope="col" class="number">Size</th>
            {costs.map((cost) => <th scope="col" class="number" key={cost}>{costHeads[cost]}</th>)}
            {timed && <th scope="col" class="number">Seconds</th>}
          </tr>
        </thead>
        <tbody>
          {comparison.methods.map((each, place) => (
            <tr key={each.method} class={place === 0 && each.mean_rank !== null ? "main" : ""}>
              <th scope="row">{each.title}{(each.note || each.not_computed) && <small> {each.not_computed || each.note}</small>}</th>
              <td class="number">{each.mean_rank === null ? "–" : each.mean_rank.toFixed(2)}</td>
              <td class="number">{percent(each.test_accuracy, digits)}</td>
              <td class="number">{each.gain === null ? "–" : points(each.gain, digits)}</td>
              <td class="against">{verdictText(each)}</td>
              {tested && <td class="number">{each.p_value === null ? "–" : pValue(each.p_value)}</td>}
              {tested && <td class="number">{each.detectable === null ? "–" : percentage(each.detectable, digits)}</td>}
              <td class="team-cell">{each.team ? teamKey(each.team) : "–"}{each.certificate?.is_proven && <small> proven best</small>}</td>
              <td class="number">{each.size ?? "–"}</td>
              {costCells(each.team)}
              {timed && <td class="number">{each.seconds === null ? "–" : quantity(each.seconds)}</td>}
            </tr>
          ))}
          <tr>
            <th scope="row">entire ensemble</th>
            <td class="number">–</td>
            <td class="number">{percent(reference.test_accuracy, digits)}</td>
            <td class="number">{points(0, digits)}</td>
            <td />
            {tested && <td />}
            {tested && <td />}
            <td class="team-cell">all</td>
            <td class="number">{reference.team.length}</td>
            {costCells(reference.team)}
            {timed && <td class="number">–</td>}
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

const pValue = (value: number) => (value < 0.001 ? "below 0.001" : value.toFixed(3));
