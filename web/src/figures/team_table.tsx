// SPDX-License-Identifier: MIT
/** The table of teams: sortable, filterable by member and size, copied as CSV. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy";
import { Select, TeamButton, useTeamNames } from "../parts/controls";
import { Scroll } from "../parts/scroll";
import { count, isolate, percent, percentDigits, plural, points, score, shorten, teamKey } from "../format";
import { usePage } from "../state";
import { sameTeam } from "../teams";
import { useTeamChoice, type TeamChoice } from "./team_choice";
import { sorted, teamsCsv, type SortKey, type TeamRow } from "./team_rows";

const pageLength = 15;

/** By which column, and whether its largest come first. */
type Sort = [SortKey, boolean];

export function TeamTable() {
  const { study } = usePage();
  const choice = useTeamChoice();
  const { rows } = choice;
  const [sort, setSort] = useState<Sort>(["given", true]);
  const [page, setPage] = useState(0);
  const ordered = useMemo(() => sorted(rows, ...sort), [rows, sort]);
  useEffect(() => setPage(0), [rows, sort]);
  const visible = ordered.slice(page * pageLength, (page + 1) * pageLength);
  const votes = rows.some((row) => row.votes != null);
  return (
    <div class="team-table">
      <div class="controls">
        <SourceControl choice={choice} />
        <FilterControls choice={choice} />
        <CopyButton text={() => teamsCsv(study, ordered)} />
      </div>
      <Scroll label="Teams">
        <table class="teams">
          <caption class="hidden">Teams</caption>
          <Headers votes={votes} sort={sort} onSort={setSort} />
          <tbody>{visible.map((row) => <Row key={teamKey(row.team)} row={row} votes={votes} />)}</tbody>
        </table>
      </Scroll>
      <Pager choice={choice} listed={ordered.length} page={page} onPage={setPage} />
    </div>
  );
}

interface ChoiceProps {
  choice: TeamChoice;
}

/** Whose teams are listed: those of a metric, or those in the rectangle of a picture. */
function SourceControl({ choice: { selections, source, setSource, total } }: ChoiceProps) {
  const { study, view, set } = usePage();
  const { brush } = view;
  if (brush)
    return (
      <button type="button" class="chip" onClick={() => set({ brush: null })}>
        from the {brush.metric} picture: {plural(total, "team")} <span aria-label="clear">×</span>
      </button>
    );
  return (
    <Select
      label="Teams"
      value={source}
      options={[
        ...selections.map((each) => [each.metric, `selected by ${each.metric}`] as const),
        ...study.scored.map((each) => [`scored ${each.metric}`, `all scored by ${each.metric}`] as const),
      ]}
      onChange={setSource}
    />
  );
}

function FilterControls({ choice: { member, setMember, size, setSize } }: ChoiceProps) {
  const { study } = usePage();
  const sizes = [...new Set(study.scored.flatMap((each) => each.teams.tiers.map((tier) => tier.size)))].sort((a, b) => a - b);
  return (
    <>
      <Select<number> label="With member" value={member} options={[[-1, "any"] as const, ...study.pool.models.map((m) => [m.id, `${m.id} ${isolate(shorten(m.name, 32))}`] as const)]} onChange={setMember} />
      <Select<number> label="Size" value={size} options={[[0, "any"] as const, ...sizes.map((s) => [s, String(s)] as const)]} onChange={setSize} />
    </>
  );
}

interface SortProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

function Headers({ votes, ...by }: SortProps & { votes: boolean }) {
  const { study } = usePage();
  return (
    <thead>
      <tr>
        <Header label="Team" column="team" {...by} />
        <th scope="col">Members</th>
        <Header label="Size" column="size" {...by} number />
        {votes && <Header label="Votes" column="votes" {...by} number />}
        <Header label="Score" column="score" {...by} number />
        <Header label={study.test ? "Selection" : "Accuracy"} column="correct" {...by} number />
        {study.test && <Header label="Test" column="testCorrect" {...by} number />}
        <Header label="Fate" column="kept" {...by} />
      </tr>
    </thead>
  );
}

interface HeaderProps extends SortProps {
  label: string;
  column: SortKey;
  number?: boolean;
}

function Header({ label, column, sort: [key, descending], onSort, number }: HeaderProps) {
  const active = key === column;
  return (
    <th scope="col" class={number ? "number" : ""} aria-sort={active ? (descending ? "descending" : "ascending") : "none"}>
      <button type="button" class="sort" onClick={() => onSort([column, active ? !descending : column !== "team"])}>
        {label}<span aria-hidden="true">{active ? (descending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

function Row({ row, votes }: { row: TeamRow; votes: boolean }) {
  const { study, view } = usePage();
  const names = useTeamNames();
  return (
    <tr class={view.pinned && sameTeam(view.pinned, row.team) ? "pinned-row" : ""}>
      <th scope="row"><TeamButton team={row.team} /></th>
      <td class="long">{names(row.team, 18)}</td>
      <td class="number">{row.team.length}</td>
      {votes && <td class="number">{row.votes ?? "–"}</td>}
      <td class="number">{score(row.score)}</td>
      <Accuracy correct={row.correct} samples={study.pool.samples} reference={study.reference.correct} />
      {study.test && <Accuracy correct={row.testCorrect} samples={study.test.pool.samples} reference={study.test.reference.correct} />}
      <td>{fate(row)}</td>
    </tr>
  );
}

const fate = (row: TeamRow) => (row.kept === undefined ? "–" : row.kept ? "kept" : "pruned");

function Accuracy({ correct, samples, reference }: { correct?: number; samples: number; reference: number }) {
  if (correct == null) return <td class="number">–</td>;
  const digits = percentDigits(samples);
  return (
    <td class="number">
      {percent(correct / samples, digits)} <small>{points((correct - reference) / samples, digits)}</small>
    </td>
  );
}

interface PagerProps extends ChoiceProps {
  listed: number;
  page: number;
  onPage: (page: number) => void;
}

/** Which of the teams are in sight, and the way to the others. */
function Pager({ choice: { total, chosen, rounded }, listed, page, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(listed / pageLength));
  return (
    <div class="pager">
      <span aria-live="polite">
        {total === 0 ? "No team matches." : `${count(page * pageLength + 1)}–${count(Math.min(listed, (page + 1) * pageLength))} of ${plural(total, "team")}`}
        {total > listed && `, the first ${count(listed)} listed`}
        {chosen && total < chosen.selected && chosen.teams.length < chosen.selected && ` among the best ${count(chosen.teams.length)} of ${count(chosen.selected)}`}
        {rounded && "; scores of pruned teams are rounded for drawing"}
      </span>
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>previous</button>
      <button type="button" disabled={page >= pages - 1} onClick={() => onPage(page + 1)}>next</button>
    </div>
  );
}
