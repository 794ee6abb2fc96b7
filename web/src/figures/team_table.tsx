// SPDX-License-Identifier: MIT
/** The table of teams: sortable, filterable by member and size, copied as CSV. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Select, TeamButton, useTeamNames } from "../parts/controls";
import { Scroll } from "../parts/scroll";
import { count, isolate, percent, percentDigits, plural, points, score, shorten, teamKey } from "../format";
import { judgement, usePage } from "../state";
import { sameTeam } from "../teams";
import { filtered, scoredRows, selectionRows, sorted, teamsCsv, type SortKey, type TeamRow } from "./team_rows";

const pageLength = 15;

export function TeamTable() {
  const { study, view, set } = usePage();
  const selections = [...(study.consensus ? [study.consensus] : []), ...study.selections];
  const [source, setSource] = useState(study.consensus ? study.consensus.metric : view.metric);
  const [member, setMember] = useState(-1);
  const [size, setSize] = useState(0);
  const [sort, setSort] = useState<[SortKey, boolean]>(["given", true]);
  const [page, setPage] = useState(0);
  const names = useTeamNames();
  const judge = judgement(study, view.judge);
  const filter = { members: member < 0 ? [] : [member], size };
  const brush = view.brush;

  const { rows, total } = useMemo(() => {
    const scored = study.scored.find((each) => each.metric === (brush?.metric ?? source.replace("scored ", "")));
    if (scored && (brush || source.startsWith("scored ")))
      return scoredRows(scored, filter, brush, (index) => judge.accuracy(scored, index));
    const selection = selections.find((each) => each.metric === source);
    const onTest = [study.test?.consensus, ...(study.test?.selections ?? [])].find((each) => each?.metric === source);
    const found = selection ? filtered(selectionRows(selection, onTest?.teams), filter) : [];
    const everything = selection && member < 0 && size === 0;
    return { rows: found, total: everything ? selection.selected : found.length };
  }, [study, source, brush, member, size, view.judge]);
  const ordered = useMemo(() => sorted(rows, ...sort), [rows, sort]);
  useEffect(() => setPage(0), [rows, sort]);
  const pages = Math.max(1, Math.ceil(ordered.length / pageLength));
  const visible = ordered.slice(page * pageLength, (page + 1) * pageLength);
  const sizes = [...new Set(study.scored.flatMap((each) => each.teams.tiers.map((tier) => tier.size)))].sort((a, b) => a - b);
  const chosen = selections.find((each) => !brush && each.metric === source);
  const rounded = study.scored.some((each) => each.rounded && each.metric === (brush?.metric ?? source.replace("scored ", ""))) && !chosen;
  const votes = rows.some((row) => row.votes != null);

  return (
    <div class="team-table">
      <div class="controls">
        {brush ? (
          <button type="button" class="chip" onClick={() => set({ brush: null })}>
            from the {brush.metric} picture: {plural(total, "team")} <span aria-label="clear">×</span>
          </button>
        ) : (
          <Select
            label="Teams"
            value={source}
            options={[
              ...selections.map((each) => [each.metric, `selected by ${each.metric}`] as const),
              ...study.scored.map((each) => [`scored ${each.metric}`, `all scored by ${each.metric}`] as const),
            ]}
            onChange={setSource}
          />
        )}
        <Select<number> label="With member" value={member} options={[[-1, "any"] as const, ...study.pool.models.map((m) => [m.id, `${m.id} ${isolate(shorten(m.name, 32))}`] as const)]} onChange={setMember} />
        <Select<number> label="Size" value={size} options={[[0, "any"] as const, ...sizes.map((s) => [s, String(s)] as const)]} onChange={setSize} />
        <CopyButton text={() => teamsCsv(study, ordered)} />
      </div>
      <Scroll label="Teams">
        <table class="teams">
          <caption class="hidden">Teams</caption>
          <thead>
            <tr>
              <Header label="Team" column="team" sort={sort} onSort={setSort} />
              <th scope="col">Members</th>
              <Header label="Size" column="size" sort={sort} onSort={setSort} number />
              {votes && <Header label="Votes" column="votes" sort={sort} onSort={setSort} number />}
              <Header label="Score" column="score" sort={sort} onSort={setSort} number />
              <Header label={study.test ? "Selection" : "Accuracy"} column="correct" sort={sort} onSort={setSort} number />
              {study.test && <Header label="Test" column="testCorrect" sort={sort} onSort={setSort} number />}
              <Header label="Fate" column="kept" sort={sort} onSort={setSort} />
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={teamKey(row.team)} class={view.pinned && sameTeam(view.pinned, row.team) ? "pinned-row" : ""}>
                <th scope="row"><TeamButton team={row.team} /></th>
                <td class="long">{names(row.team, 18)}</td>
                <td class="number">{row.team.length}</td>
                {votes && <td class="number">{row.votes ?? "–"}</td>}
                <td class="number">{score(row.score)}</td>
                <Accuracy correct={row.correct} samples={study.pool.samples} reference={study.reference.correct} />
                {study.test && <Accuracy correct={row.testCorrect} samples={study.test.pool.samples} reference={study.test.reference.correct} />}
                <td>{fate(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="pager">
        <span aria-live="polite">
          {total === 0 ? "No team matches." : `${count(page * pageLength + 1)}–${count(Math.min(ordered.length, (page + 1) * pageLength))} of ${plural(total, "team")}`}
          {total > ordered.length && `, the first ${count(ordered.length)} listed`}
          {chosen && total < chosen.selected && chosen.teams.length < chosen.selected && ` among the best ${count(chosen.teams.length)} of ${count(chosen.selected)}`}
          {rounded && "; scores of pruned teams are rounded for drawing"}
        </span>
        <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>previous</button>
        <button type="button" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>next</button>
      </div>
    </div>
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

interface HeaderProps {
  label: string;
  column: SortKey;
  sort: [SortKey, boolean];
  onSort: (sort: [SortKey, boolean]) => void;
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

function CopyButton({ text }: { text: () => string }) {
  const [state, setState] = useState("copy as CSV");
  const copy = async () => {
    setState((await copyText(text())) ? "copied" : "copying was refused");
    setTimeout(() => setState("copy as CSV"), 2000);
  };
  return <button type="button" class="copy" onClick={copy} aria-live="polite">{state}</button>;
}

/** The clipboard, or where a page from disk may not use it, a selected text area. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
