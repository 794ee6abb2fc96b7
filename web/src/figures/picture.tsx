// SPDX-License-Identifier: MIT
/** The picture's section: its controls, legend, two panels, and the pinned team. */
import { Members, Section, Segments, Select } from "../parts/controls";
import { markStyle, shapePath, type Shape } from "../parts/dots";
import { keptColour, prunedColour, type Colour } from "../parts/palette";
import { baselineOf, isFocal, lookUp, type Scored } from "../data";
import { percent, percentDigits, points, score, teamKey } from "../format";
import { judgement, usePage, type ColourBy, type Judge, type Shown } from "../state";
import { ScatterPanel } from "./scatter";
import { sizeLook } from "./scatter_points";

/** The metrics to choose from: those that pruned, else all focal ones, else all. */
export function choosable(scored: readonly Scored[]): string[] {
  const pruned = scored.filter((each) => each.kept);
  const focal = scored.filter((each) => isFocal(each.metric));
  return (pruned.length ? pruned : focal.length ? focal : scored).map((each) => each.metric);
}

export function Picture() {
  const { study, view, set } = usePage();
  const chosen = study.scored.find((each) => each.metric === view.metric);
  if (!chosen) return null;
  const baseline = isFocal(chosen.metric) && study.scored.find((each) => each.metric === baselineOf(chosen.metric));
  const sizes = chosen.teams.tiers.map((tier) => tier.size);
  return (
    <Section
      id="picture"
      title="Diversity against accuracy"
      reading={
        <>
          Each mark is a team. Good teams lie above the dashed line, the accuracy of the entire ensemble (ringed). A metric
          is useful when marks further right also lie higher: then pruning from the left loses only weak teams.
        </>
      }
    >
      <div class="controls">
        <Select label="Metric" value={view.metric} options={choosable(study.scored).map((m) => [m, m] as const)} onChange={(metric) => set({ metric, brush: null })} />
        <Select<number> label="Tier" value={view.size} options={[[0, "all sizes"] as const, ...sizes.map((s) => [s, `size ${s}`] as const)]} onChange={(size) => set({ size })} />
        {chosen.kept && <Select<Shown> label="Show" value={view.shown} options={[["all", "all teams"], ["kept", "kept teams"], ["pruned", "pruned teams"]]} onChange={(shown) => set({ shown })} />}
        <Segments<ColourBy> label="Colour" value={view.colourBy} options={[["fate", "kept or pruned"], ["size", "team size"]]} onChange={(colourBy) => set({ colourBy })} />
        {study.test && (
          <Segments<Judge> label="Judged on" value={view.judge} options={[["selection", "selection pool"], ["test", "test pool"]]} onChange={(judge) => set({ judge, brush: null })} />
        )}
      </div>
      <Legend scored={chosen} />
      <div class="panels">
        <ScatterPanel scored={chosen} decided={chosen} />
        {baseline && <ScatterPanel scored={baseline} decided={baseline.kept || baseline.teams.count !== chosen.teams.count ? baseline : chosen} />}
      </div>
      <p class="hint">
        Hover or use the arrow keys to name a team, click or press Enter to pin it; drag a rectangle to list its teams in the table below.
        {chosen.teams.find(study.reference.team) < 0 && " The ring sits at the edge: the entire ensemble is no candidate and has no score."}
      </p>
      <PinnedTeam />
    </Section>
  );
}

function Legend({ scored }: { scored: Scored }) {
  const { study, view } = usePage();
  const judge = judgement(study, view.judge);
  const entries: { shape: Shape; colour: Colour; label: string }[] =
    view.colourBy === "fate"
      ? [
          { shape: "circle", colour: keptColour, label: "kept" },
          { shape: "cross", colour: prunedColour, label: "pruned" },
        ]
      : scored.teams.tiers.map((tier, step) => ({ ...sizeLook(step, scored.teams.tiers.length), label: `size ${tier.size}` }));
  return (
    <ul class="legend" aria-label="Legend">
      {entries.map(({ shape, colour, label }) => (
        <li key={label}>
          <svg width="14" height="14" aria-hidden="true">
            <path d={shapePath(shape, 7, 7, 4)} style={markStyle(shape, colour)} stroke-width="1.5" />
          </svg>
          {label}
        </li>
      ))}
      <li><svg width="34" height="14" aria-hidden="true"><line class="reference" x1="0" x2="22" y1="7" y2="7" /><circle class="entire" cx="27" cy="7" r="5" /></svg>entire ensemble, {percent(judge.reference, percentDigits(judge.samples))}</li>
      <li><svg width="14" height="14" aria-hidden="true"><line class="mean" x1="7" x2="7" y1="0" y2="14" /></svg>mean score</li>
      <li><svg width="16" height="14" aria-hidden="true"><circle class="pin" cx="8" cy="7" r="5.5" /></svg>pinned team</li>
    </ul>
  );
}

/** What is known of the pinned team, for every metric. */
function PinnedTeam() {
  const { study, view, set } = usePage();
  const team = view.pinned;
  if (!team) return <p class="pinned-team empty">No team is pinned.</p>;
  const judge = judgement(study, view.judge);
  const digits = percentDigits(judge.samples);
  const rows = study.scored.map((each) => ({ metric: each.metric, ...lookUp(study, each.metric, team) })).filter((row) => row.index >= 0);
  const correct = view.judge === "test" ? rows[0]?.testCorrect : rows[0]?.correct;
  return (
    <div class="pinned-team" aria-live="polite">
      <h3>
        Pinned: {teamKey(team)}
        <button type="button" class="quiet" onClick={() => set({ pinned: null })}>unpin</button>
      </h3>
      <Members team={team} />
      {correct != null && (
        <p>
          Accuracy {percent(correct / judge.samples, digits)} on <bdi>{judge.name}</bdi>, {points(judge.gain(correct), digits)} points against the entire ensemble.
        </p>
      )}
      {rows.length > 0 ? (
        <p class="fates">
          {rows.map((row) => (
            <span key={row.metric} class={row.kept ? "kept" : ""}>
              {row.metric} {score(row.score)}{row.kept === undefined ? "" : row.kept ? " kept" : " pruned"}
            </span>
          ))}
        </p>
      ) : (
        <p>No metric scored this team: it was cut off with a pruned part, or lies outside the sizes searched.</p>
      )}
    </div>
  );
}
