// SPDX-License-Identifier: MIT
/** How sure the verdict is: intervals, held-out samples, stability, and what pruning threw away. */
import { Name, Section, TeamButton } from "../parts/controls";
import { Measured } from "../parts/plot";
import { Scroll } from "../parts/scroll";
import { WhiskerLegend, Whiskers, type WhiskerRow } from "../parts/whiskers";
import { count, percent, percentDigits, plural, points, signed } from "../format";
import { usePage } from "../state";
import { judgedDifference, rivalWords, verdictSigns, verdictWords, type Comparison, type PruningCheck, type Stability, type Trust } from "../trust";

/** One line for each baseline: better, as good, worse, or that one cannot tell. */
export function Verdicts({ trust }: { trust: Trust }) {
  const { study } = usePage();
  if (!trust.comparisons.length) return null;
  return (
    <ul class="verdicts" aria-label="Verdicts">
      {trust.comparisons.map((each) => (
        <VerdictLine key={each.against} comparison={each} confidence={trust.confidence} merit={String(study.options.merit)} />
      ))}
    </ul>
  );
}

function VerdictLine({ comparison, confidence, merit }: { comparison: Comparison; confidence: number; merit?: string }) {
  const { difference, interval } = judgedDifference(comparison);
  const digits = percentDigits(comparison.samples);
  const gain = (value: number) => (comparison.merit && merit === "logloss" ? signed(value, 4) : points(value, digits));
  const unit = !comparison.merit ? "points" : merit === "logloss" ? "of log-loss, above 0 is better" : "points of balanced accuracy";
  return (
    <li class={comparison.verdict}>
      <span class="sign" aria-hidden="true">{verdictSigns[comparison.verdict]}</span>
      <span>
        <strong>{verdictWords(comparison)}</strong> {rivalWords(comparison.against, comparison.team)}
        {comparison.says !== "the same team" && (
          <small>
            {" "}{gain(difference)} {unit}, {percent(confidence, 0)} interval {gain(interval[0])} to {gain(interval[1])}
            {comparison.samples_needed != null && `; about ${count(comparison.samples_needed)} samples would tell`}
          </small>
        )}
      </span>
    </li>
  );
}

export function TrustSection() {
  const { study } = usePage();
  const { trust } = study;
  if (!trust?.teams.length) return null;
  const both = trust.teams.some((each) => each.held_out);
  const entire = trust.teams.find((each) => each.name === "entire_ensemble");
  const rows = whiskerRows(trust);
  const samples = (trust.teams[0].held_out ?? trust.teams[0].selection).samples;
  return (
    <Section
      id="trust"
      title="How sure is that"
      reading={
        <>
          A dot is an accuracy, its whisker the {percent(trust.confidence, 0)} interval: where the accuracy on more samples of the kind would
          lie. {both ? "Held-out samples took no part in the choice; where the hollow dot lies further right, choosing was optimistic." : "Choosing and judging used the same samples, so the recommended team looks better than it is."}
        </>
      }
    >
      <WhiskerLegend both={both} />
      <Measured class="measured">
        {(width) => <Whiskers rows={rows} width={width} digits={percentDigits(samples)} reference={(entire?.held_out ?? entire?.selection)?.accuracy} name="Accuracies and their intervals" />}
      </Measured>
      <p class="says">
        {trust.says}
        {trust.chosen && ` Corrected for the choice among ${plural(trust.chosen.among, "team")}, the accuracy of the recommended team on the samples that chose it lies between ${percent(trust.chosen.interval[0])} and ${percent(trust.chosen.interval[1])}.`}
      </p>
      {trust.folds && trust.folds.length > 0 && <Folds folds={trust.folds} />}
      {trust.stability && <StabilityFigure stability={trust.stability} />}
      {trust.pruning && trust.pruning.length > 0 && <PruningTable checks={trust.pruning} />}
    </Section>
  );
}

/** Held-out first, so that the eye meets the honest figure. */
export function whiskerRows({ teams }: Trust): WhiskerRow[] {
  return teams.map(({ name, team, selection, held_out }) => {
    const words = rivalWords(name, team).replace(/^the /, "");
    return {
      label: words[0].toUpperCase() + words.slice(1),
      main: name === "recommended",
      marks: [
        ...(held_out ? [{ filled: true, value: held_out.accuracy, interval: held_out.interval }] : []),
        { filled: false, value: selection.accuracy, interval: selection.interval },
      ],
    };
  });
}

function Folds({ folds }: { folds: NonNullable<Trust["folds"]> }) {
  return (
    <Scroll label="Folds">
      <table class="folds">
        <caption>What each fold chose without itself, and how that did on it.</caption>
        <thead><tr><th scope="col" class="number">Fold</th><th scope="col">Team</th><th scope="col" class="number">Selection</th><th scope="col" class="number">Held out</th></tr></thead>
        <tbody>
          {folds.map((fold, place) => (
            <tr key={place}>
              <th scope="row" class="number">{place + 1}</th>
              <td><TeamButton team={fold.team} /></td>
              <td class="number">{percent(fold.selection.accuracy, percentDigits(fold.selection.samples))}</td>
              <td class="number">{percent(fold.held_out.accuracy, percentDigits(fold.held_out.samples))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const barsUpTo = 20;

function StabilityFigure({ stability }: { stability: Stability }) {
  const { study } = usePage();
  if (stability.not_measured) return <p class="hint">Stability: {stability.not_measured}</p>;
  const chosen = new Set(study.recommended?.team ?? []);
  const bars = stability.members
    .map((share, id) => ({ id, share }))
    .filter(({ id, share }) => share > 0 || chosen.has(id))
    .sort((a, b) => b.share - a.share || a.id - b.id);
  return (
    <div class="stability">
      <h3>Would other samples have chosen the same?</h3>
      <p>
        In {percent(stability.same_team, 0)} of {plural(stability.resamples, "resample")} of the samples the same team was chosen
        {stability.without_team > 0 && `, in ${count(stability.without_team)} none at all`}. A bar is the share of resamples whose team has the
        model; bold names are members of the recommended team.
      </p>
      <ul class="bars">
        {bars.slice(0, barsUpTo).map(({ id, share }) => (
          <li key={id} class={chosen.has(id) ? "main" : ""}>
            <span class="id">{id}</span>
            <Name text={study.pool.models[id]?.name ?? "?"} />
            <span class="track"><span class="bar" style={{ width: `${100 * share}%` }} /></span>
            <span class="share">{percent(share, 0)}</span>
          </li>
        ))}
      </ul>
      {bars.length > barsUpTo && <p class="hint">{plural(bars.length - barsUpTo, "more model")} with smaller shares.</p>}
      {stability.teams.length > 0 && (
        <p class="hint">
          Most often: {stability.teams.slice(0, 3).map(({ team, times }) => <span key={team.join()}>{times} × <TeamButton team={team} /> </span>)}
        </p>
      )}
      {stability.kept.length > 0 && (
        <p class="hint">
          Of the kept teams, resamples share with this study (Jaccard index): {stability.kept.map(({ metric, jaccard }) => `${metric} ${jaccard.toFixed(2)}`).join(", ")}.
        </p>
      )}
    </div>
  );
}

function PruningTable({ checks }: { checks: PruningCheck[] }) {
  const { study } = usePage();
  const measured = checks.filter((each) => !each.not_measured);
  const digits = percentDigits(study.pool.samples);
  const best = (found: PruningCheck["best_kept"]) =>
    found ? <><TeamButton team={found.team} /> {percent(found.correct / study.pool.samples, digits)}</> : "–";
  const sum = (check: PruningCheck, key: "pruned" | "violated") => (check.tiers ?? []).reduce((total, tier) => total + tier[key], 0);
  return (
    <>
      {measured.length > 0 && (
        <Scroll label="What pruning threw away">
          <table class="regret">
            <caption>
              What pruning threw away. Pruning bets that no team worth having contains a pruned one: a pruned team was a mistake when a larger team with it
              ranks in the upper half of its size by the same metric.
            </caption>
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col" class="number">Pruned</th>
                <th scope="col" class="number">Mistakes</th>
                <th scope="col" class="number">Cut off</th>
                <th scope="col" class="number">In the upper half</th>
                <th scope="col">Best kept</th>
                <th scope="col">Best thrown away</th>
              </tr>
            </thead>
            <tbody>
              {measured.map((check) => (
                <tr key={check.metric}>
                  <th scope="row">{check.metric}</th>
                  <td class="number">{count(sum(check, "pruned"))}</td>
                  <td class="number">{count(sum(check, "violated"))}</td>
                  <td class="number">{count(check.cut)}</td>
                  <td class="number">{count(check.cut_in_upper_half)}</td>
                  <td>{best(check.best_kept)}</td>
                  <td>{best(check.best_thrown_away)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {checks.filter((each) => each.not_measured).map((each) => <p class="hint" key={each.metric}>{each.metric}: {each.not_measured}</p>)}
    </>
  );
}
