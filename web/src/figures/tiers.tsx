// SPDX-License-Identifier: MIT
/** The hierarchy: tiers as columns, what each kept, pruned and cut off, and one team's descent. */
import { useMemo, useRef, useState } from "preact/hooks";
import { Section, Select, TeamButton, useTeamNames } from "../parts/controls";
import { shapePath } from "../parts/dots";
import { Measured, Tip } from "../parts/plot";
import { widest } from "../parts/ruler";
import { Scroll } from "../parts/scroll";
import type { Scored, Tier } from "../data";
import { count, plural, score, teamKey } from "../format";
import { usePage } from "../state";
import { supersetCount, supersets, type Team } from "../teams";
import { cuttingTeams, lineage, markPlace, marksUpTo, teamAt, tierBlocks, type TierBlock } from "./tier_layout";

const top = 92;

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

/** What stands above a tier's block: in long lines where all blocks have the room, else in short ones. */
interface Heading {
  title: string;
  lines: string[];
}

function headings(tiers: readonly Tier[]): { long: Heading[]; short: Heading[] } {
  const numbers = (tier: Tier) => [`${count(tier.candidates - tier.pruned)} kept`, `${count(tier.pruned)} pruned`, ...(tier.cut == null ? [] : [`${count(tier.cut)} cut`])];
  return {
    long: tiers.map((tier) => ({ title: `Teams of ${tier.size}`, lines: [plural(tier.candidates, "candidate"), numbers(tier).join(", ")] })),
    short: tiers.map((tier) => ({ title: `S = ${tier.size}`, lines: numbers(tier) })),
  };
}

const headingWidth = (all: readonly Heading[]) => Math.ceil(Math.max(widest(all.map(({ title }) => title), { size: 14, bold: true }), widest(all.flatMap(({ lines }) => lines))));

/** The headings that fit, and the width of the figure that they need: the page's, or more where even short ones are too wide. */
function headed(tiers: readonly Tier[], width: number, gap: number): { above: Heading[]; needed: number } {
  const { long, short } = headings(tiers);
  const needed = (all: Heading[]) => tiers.length * (headingWidth(all) + gap) - gap;
  return needed(long) <= width ? { above: long, needed: width } : { above: short, needed: Math.max(width, needed(short)) };
}

interface TierFigureProps {
  scored: Scored;
  tiers: Tier[];
  width: number;
}

function TierFigure({ scored, tiers, width }: TierFigureProps) {
  const { study, view, set } = usePage();
  const [active, setActive] = useState(-1);
  const names = useTeamNames();
  const box = useRef<HTMLDivElement>(null);
  const gap = width < 600 ? 12 : 28;
  const { above, needed } = useMemo(() => headed(tiers, width, gap), [tiers, width]);
  const blocks = useMemo(() => tierBlocks(scored, needed, gap), [scored, needed]);
  const cutting = useMemo(() => cuttingTeams(scored, 400), [scored]);
  const height = top + Math.max(...blocks.map((block) => block.height), 20) + 6;
  const pinned = view.pinned;
  const pinnedIndex = pinned ? scored.teams.find(pinned) : -1;
  const cuts = pinned && pinnedIndex >= 0 && scored.kept![pinnedIndex] === 0 ? pinned : null;
  const found = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return teamAt(blocks, event.clientX - box.left, event.clientY - box.top - top);
  };
  const activeTeam = active >= 0 ? scored.teams.at(active) : null;
  const activePlace = activeTeam && markPlace(scored, blocks, activeTeam);
  return (
    <>
      <div class="controls">
        <Select<number>
          label="A pruned team and what it cut off"
          value={cuts ? cutting.findIndex((team) => teamKey(team) === teamKey(cuts)) : -1}
          options={[[-1, "choose"] as const, ...cutting.map((team, place) => [place, teamKey(team)] as const)]}
          onChange={(place) => set({ pinned: place < 0 ? null : cutting[place] })}
        />
      </div>
      <div class="figure">
        <Scroll label="Tiers" holder={box} onScroll={() => setActive(-1)}>
          <svg
            viewBox={`0 0 ${needed} ${height}`} width={needed} height={height} role="img" class="tiers"
            aria-label={tiers.map((t) => `Size ${t.size}: ${t.candidates} candidates, ${t.pruned} pruned, ${t.cut ?? "unknown"} cut.`).join(" ")}
            onPointerMove={(event) => setActive(found(event))}
            onPointerLeave={() => setActive(-1)}
            onClick={(event) => {
              const hit = found(event as unknown as PointerEvent);
              if (hit >= 0) set({ pinned: scored.teams.at(hit) });
            }}
          >
            <defs>
              <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <line class="hatch" y2="5" />
              </pattern>
            </defs>
            {tiers.map((tier, place) => {
              const block = blocks.find((each) => each.tier.size === tier.size);
              return block && <TierColumn key={tier.size} tier={tier} heading={above[place]} block={block} scored={scored} cuts={cuts} />;
            })}
            <g transform={`translate(0,${top})`}>
              {pinned && pinnedIndex >= 0 && <Descent scored={scored} blocks={blocks} team={pinned} />}
              {activePlace && <circle class="active" cx={activePlace.x} cy={activePlace.y} r="6" />}
            </g>
          </svg>
        </Scroll>
        {activeTeam && activePlace && (
          <Tip x={activePlace.x - (box.current?.scrollLeft ?? 0)} y={activePlace.y + top} width={width}>
            <strong>{teamKey(activeTeam)}</strong> {scored.kept![active] === 1 ? "kept" : "pruned"}
            <div>{names(activeTeam)}</div>
            <div>score {score(scored.score[active])}</div>
          </Tip>
        )}
      </div>
      {cuts ? <CutOff team={cuts} sizes={tiers.map((tier) => tier.size)} modelCount={study.pool.models.length} /> : <Follow team={pinned} scored={scored} />}
    </>
  );
}

function TierColumn({ tier, heading, block, scored, cuts }: { tier: Tier; heading: Heading; block: TierBlock; scored: Scored; cuts: Team | null }) {
  const { study } = usePage();
  const kept = tier.candidates - tier.pruned;
  const all = tier.candidates + (tier.cut ?? 0);
  const share = (teams: number) => (all ? (block.width * teams) / all : 0);
  const cutByTeam = cuts && tier.size > cuts.length ? supersetCount(study.pool.models.length, cuts.length, tier.size) : 0;
  return (
    <g transform={`translate(${block.x},0)`} data-tier={tier.size}>
      <text class="head" y="14">{heading.title}</text>
      {heading.lines.map((line, place) => <text key={place} class="note" y={(heading.lines.length < 3 ? 34 : 31) + place * (heading.lines.length < 3 ? 17 : 15)}>{line}</text>)}
      <g transform="translate(0,68)">
        <rect width={share(kept)} height="9" class="kept" />
        <rect x={share(kept)} width={share(tier.pruned)} height="9" class="pruned" />
        <rect x={share(tier.candidates)} width={share(tier.cut ?? 0)} height="9" fill="url(#hatch)" />
        {cutByTeam > 0 && <rect class="cut-by-team" x={share(tier.candidates)} width={Math.min(share(cutByTeam), share(tier.cut ?? 0))} height="9" />}
        <rect class="frame" x="0.5" width={block.width - 1} height="9" />
      </g>
      <g transform={`translate(0,${top})`}>
        {block.bins ? <Histogram bins={block.bins} block={block} /> : <Marks block={block} scored={scored} />}
      </g>
    </g>
  );
}

function Marks({ block, scored }: { block: TierBlock; scored: Scored }) {
  const [kept, pruned] = useMemo(() => {
    const paths = ["", ""];
    const radius = block.pitch * 0.36;
    block.order!.forEach((index, rank) => {
      const x = ((rank % block.columns) + 0.5) * block.pitch;
      const y = (Math.floor(rank / block.columns) + 0.5) * block.pitch;
      const isKept = scored.kept![index] === 1;
      paths[isKept ? 0 : 1] += shapePath(isKept ? "square" : "cross", x, y, isKept ? radius : radius * 0.75);
    });
    return paths;
  }, [block, scored]);
  return (
    <>
      <path d={kept} class="kept" />
      <path d={pruned} class="pruned-marks" />
    </>
  );
}

function Histogram({ bins, block }: { bins: { kept: number; pruned: number }[]; block: TierBlock }) {
  const most = Math.max(...bins.map((bin) => bin.kept + bin.pruned), 1);
  const step = block.height / bins.length;
  const bar = (bin: number, from: number, teams: number) =>
    teams ? `M${((block.width * from) / most).toFixed(1)},${(bin * step).toFixed(1)}h${((block.width * teams) / most).toFixed(1)}v${(step - 1).toFixed(1)}H${((block.width * from) / most).toFixed(1)}z` : "";
  return (
    <>
      <path class="kept" d={bins.map((each, bin) => bar(bin, 0, each.kept)).join("")} />
      <path class="pruned-bars" d={bins.map((each, bin) => bar(bin, each.kept, each.pruned)).join("")} />
    </>
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
