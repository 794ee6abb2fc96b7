// SPDX-License-Identifier: MIT
/** The hierarchy: tiers as columns, what each kept, pruned and cut off, and one team's descent. */
import { useMemo, useRef, useState } from "preact/hooks";
import { Section, Select, TeamButton, useTeamNames } from "../parts/controls";
import { Measured, Tip } from "../parts/plot";
import { Scroll } from "../parts/scroll";
import type { Scored, Tier } from "../data";
import { count, score, teamKey } from "../format";
import { usePage } from "../state";
import { supersetCount, supersets, type Team } from "../teams";
import { TierColumn } from "./tier_column";
import { headed, top } from "./tier_headings";
import { cuttingTeams, lineage, markPlace, marksUpTo, teamAt, tierBlocks, type TierBlock } from "./tier_layout";

export function Tiers() {
  const { study, view } = usePage();
  const scored = study.scored.find((each) => each.metric === view.metric);
  const tiers = study.selections.find((each) => each.metric === view.metric)?.tiers;
  if (!scored?.kept || !tiers?.length) return null;
  return (
    <Section
      id="tiers"
      title="The hierarchy"
      reading={
        <>
          How {view.metric} pruned. Tiers grow from left to right by one model. {inMarks(scored)
            ? "Within a tier the best score stands first; a filled mark is a kept team, a cross a pruned one."
            : "Within a tier the best score stands on top, and a bar's length counts the teams of that score: filled ones kept, pale ones with an outline pruned."} Teams that contain a pruned team are cut: they are never even scored (hatched).
        </>
      }
    >
      <Measured class="measured">{(width) => <TierFigure scored={scored} tiers={tiers} width={width} />}</Measured>
    </Section>
  );
}

const inMarks = (scored: Scored) => scored.teams.tiers.every((tier) => tier.end - tier.begin <= marksUpTo);

interface TierFigureProps {
  scored: Scored;
  tiers: Tier[];
  width: number;
}

function TierFigure({ scored, tiers, width }: TierFigureProps) {
  const { study, view } = usePage();
  const pinned = view.pinned;
  const pinnedIndex = pinned ? scored.teams.find(pinned) : -1;
  const candidate = pinnedIndex >= 0 ? pinned : null;
  const cuts = candidate && scored.kept![pinnedIndex] === 0 ? candidate : null;
  return (
    <>
      <CutChoice scored={scored} cuts={cuts} />
      <Hierarchy scored={scored} tiers={tiers} width={width} pinned={candidate} cuts={cuts} />
      {cuts ? <CutOff team={cuts} sizes={tiers.map((tier) => tier.size)} modelCount={study.pool.models.length} /> : <Follow team={pinned} scored={scored} />}
    </>
  );
}

/** The pruned teams to choose from. */
function CutChoice({ scored, cuts }: { scored: Scored; cuts: Team | null }) {
  const { set } = usePage();
  const cutting = useMemo(() => cuttingTeams(scored, 400), [scored]);
  return (
    <div class="controls">
      <Select<number>
        label="A pruned team and what it cut off"
        value={cuts ? cutting.findIndex((team) => teamKey(team) === teamKey(cuts)) : -1}
        options={[[-1, "choose"] as const, ...cutting.map((team, place) => [place, teamKey(team)] as const)]}
        onChange={(place) => set({ pinned: place < 0 ? null : cutting[place] })}
      />
    </div>
  );
}

function useLayout(scored: Scored, tiers: readonly Tier[], width: number) {
  const gap = width < 600 ? 12 : 28;
  const { above, needed } = useMemo(() => headed(tiers, width, gap), [tiers, width]);
  const blocks = useMemo(() => tierBlocks(scored, needed, gap), [scored, needed]);
  return { above, blocks, needed, height: top + Math.max(...blocks.map((block) => block.height), 20) + 6 };
}

/** The team that the pointer is on; a click pins it. */
function usePointer(scored: Scored, blocks: readonly TierBlock[]) {
  const { set } = usePage();
  const [active, setActive] = useState(-1);
  const leave = () => setActive(-1);
  const found = (event: MouseEvent) => {
    const frame = (event.currentTarget as SVGElement).getBoundingClientRect();
    return teamAt(blocks, event.clientX - frame.left, event.clientY - frame.top - top);
  };
  const onPointerMove = (event: PointerEvent) => setActive(found(event));
  const onClick = (event: MouseEvent) => {
    const hit = found(event);
    if (hit >= 0) set({ pinned: scored.teams.at(hit) });
  };
  return { active, leave, on: { onPointerMove, onPointerLeave: leave, onClick } };
}

interface HierarchyProps extends TierFigureProps {
  /** The pinned team, where it was a candidate. */
  pinned: Team | null;
  cuts: Team | null;
}

function Hierarchy({ scored, tiers, width, pinned, cuts }: HierarchyProps) {
  const box = useRef<HTMLDivElement>(null);
  const { above, blocks, needed, height } = useLayout(scored, tiers, width);
  const { active, leave, on } = usePointer(scored, blocks);
  const team = active >= 0 ? scored.teams.at(active) : null;
  const place = team && markPlace(scored, blocks, team);
  return (
    <div class="figure">
      <Scroll label="Tiers" holder={box} onScroll={leave}>
        <svg
          viewBox={`0 0 ${needed} ${height}`} width={needed} height={height} role="img" class="tiers"
          aria-label={tiers.map((t) => `Size ${t.size}: ${t.candidates} candidates, ${t.pruned} pruned, ${t.cut ?? "unknown"} cut.`).join(" ")}
          {...on}
        >
          <Hatch />
          {tiers.map((tier, index) => {
            const block = blocks.find((each) => each.tier.size === tier.size);
            return block && <TierColumn key={tier.size} tier={tier} heading={above[index]} block={block} scored={scored} cuts={cuts} />;
          })}
          <g transform={`translate(0,${top})`}>
            {pinned && <Descent scored={scored} blocks={blocks} team={pinned} />}
            {place && <circle class="active" cx={place.x} cy={place.y} r="6" />}
          </g>
        </svg>
      </Scroll>
      {team && place && <TeamTip scored={scored} index={active} team={team} x={place.x - (box.current?.scrollLeft ?? 0)} y={place.y + top} width={width} />}
    </div>
  );
}

/** What fills the shares of teams that were never scored. */
function Hatch() {
  return (
    <defs>
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" y2="5" />
      </pattern>
    </defs>
  );
}

interface TeamTipProps {
  scored: Scored;
  index: number;
  team: Team;
  x: number;
  y: number;
  width: number;
}

/** What the team under the pointer is. */
function TeamTip({ scored, index, team, ...place }: TeamTipProps) {
  const names = useTeamNames();
  return (
    <Tip {...place}>
      <strong>{teamKey(team)}</strong> {scored.kept![index] === 1 ? "kept" : "pruned"}
      <div>{names(team)}</div>
      <div>score {score(scored.score[index])}</div>
    </Tip>
  );
}

/** A team, the parts it grew from, and lines between them. */
function Descent({ scored, blocks, team }: { scored: Scored; blocks: readonly TierBlock[]; team: Team }) {
  const { teams, steps } = useMemo(() => (team.length <= 7 ? lineage(team) : { teams: [team as number[]], steps: [] }), [team]);
  const places = new Map(teams.map((part) => [teamKey(part), markPlace(scored, blocks, part)]));
  return (
    <g class="descent">
      {steps.map(([parent, child]) => {
        const [from, to] = [places.get(teamKey(parent)), places.get(teamKey(child))];
        return from && to && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
      })}
      {teams.map((part) => {
        const place = places.get(teamKey(part));
        return place && <circle cx={place.x} cy={place.y} r={(part.length === team.length ? 0.45 : 0.3) * Math.max(9, blocks[0].pitch)} />;
      })}
    </g>
  );
}

function Follow({ team, scored }: { team: Team | null; scored: Scored }) {
  if (!team) return <p class="hint">Click a mark to follow its team through the tiers; click a pruned one to see what it cut off.</p>;
  if (scored.teams.find(team) < 0) return <p class="hint">The pinned team {teamKey(team)} was not a candidate of {scored.metric}.</p>;
  const shown = team.length > 2 && team.length <= 7 ? lineage(team).teams.filter((part) => part.length === team.length - 1) : [];
  return (
    <p class="hint">
      Followed: team {teamKey(team)}.{" "}
      {shown.length > 0 && <>It stands on {shown.map((part) => <TeamButton key={teamKey(part)} team={part} />)}: none of them was pruned.</>}
    </p>
  );
}

function CutOff({ team, sizes, modelCount }: { team: Team; sizes: number[]; modelCount: number }) {
  const larger = sizes.filter((size) => size > team.length);
  if (!larger.length) return <p class="hint">Team {teamKey(team)} was pruned in the last tier and cut nothing off.</p>;
  const listed = 120;
  return (
    <div class="cut-off" aria-live="polite">
      <p>
        Pruning <strong>{teamKey(team)}</strong> cut off every larger team that contains it:{" "}
        {larger.map((size) => `${count(supersetCount(modelCount, team.length, size))} of size ${size}`).join(", ")}.
      </p>
      <details>
        <summary>List them</summary>
        {larger.map((size) => {
          const total = supersetCount(modelCount, team.length, size);
          return (
            <p key={size} class="team-list">
              <strong>Size {size}:</strong> {supersets(modelCount, team, size, listed).map(teamKey).join("  ")}
              {total > listed && ` and ${count(total - listed)} more`}
            </p>
          );
        })}
      </details>
    </div>
  );
}
