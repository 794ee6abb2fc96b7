// SPDX-License-Identifier: MIT
/** One tier of the hierarchy: its heading, its shares, and its teams as marks or as a histogram. */
import { useMemo } from "preact/hooks";
import type { Scored, Tier } from "../data";
import { shapePath } from "../parts/dots";
import { usePage } from "../state";
import { supersetCount, type Team } from "../teams";
import { top, type Heading } from "./tier_headings";
import type { TierBlock } from "./tier_layout";

interface ColumnProps {
  tier: Tier;
  heading: Heading;
  block: TierBlock;
  scored: Scored;
  /** The pruned team whose cut is shown. */
  cuts: Team | null;
}

export function TierColumn({ tier, heading, block, scored, cuts }: ColumnProps) {
  return (
    <g transform={`translate(${block.x},0)`} data-tier={tier.size}>
      <text class="head" y="14">{heading.title}</text>
      {heading.lines.map((line, place) => <text key={place} class="note" y={(heading.lines.length < 3 ? 34 : 31) + place * (heading.lines.length < 3 ? 17 : 15)}>{line}</text>)}
      <Shares tier={tier} width={block.width} cuts={cuts} />
      <g transform={`translate(0,${top})`}>
        {block.bins ? <Histogram bins={block.bins} block={block} /> : <Marks block={block} scored={scored} />}
      </g>
    </g>
  );
}

/** How many teams of a tier were kept, pruned and cut, as one bar. */
function Shares({ tier, width, cuts }: { tier: Tier; width: number; cuts: Team | null }) {
  const { study } = usePage();
  const kept = tier.candidates - tier.pruned;
  const all = tier.candidates + (tier.cut ?? 0);
  const share = (teams: number) => (all ? (width * teams) / all : 0);
  const cutByTeam = cuts && tier.size > cuts.length ? supersetCount(study.pool.models.length, cuts.length, tier.size) : 0;
  return (
    <g transform="translate(0,68)">
      <rect width={share(kept)} height="9" class="kept" />
      <rect x={share(kept)} width={share(tier.pruned)} height="9" class="pruned" />
      <rect x={share(tier.candidates)} width={share(tier.cut ?? 0)} height="9" fill="url(#hatch)" />
      {cutByTeam > 0 && <rect class="cut-by-team" x={share(tier.candidates)} width={Math.min(share(cutByTeam), share(tier.cut ?? 0))} height="9" />}
      <rect class="frame" x="0.5" width={width - 1} height="9" />
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
