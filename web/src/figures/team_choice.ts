// SPDX-License-Identifier: MIT
/** Which teams the table lists: selected, scored, or in a picture's rectangle; with which member, of which size. */
import { useMemo, useState } from "preact/hooks";
import { judgement, usePage } from "../state";
import { filtered, scoredRows, selectionRows, type TeamRow } from "./team_rows";

/** What the name of a source begins with that lists all scored teams of a metric, not its selection. */
const allScored = "scored ";

export function useTeamChoice() {
  const { study, view } = usePage();
  const { brush } = view;
  const selections = [...(study.consensus ? [study.consensus] : []), ...study.selections];
  const [source, setSource] = useState(study.consensus ? study.consensus.metric : view.metric);
  const [member, setMember] = useState(-1);
  const [size, setSize] = useState(0);
  const judge = judgement(study, view.judge);
  const scored = study.scored.find((each) => each.metric === (brush?.metric ?? source.replace(allScored, "")));

  const { rows, total } = useMemo((): { rows: TeamRow[]; total: number } => {
    const filter = { members: member < 0 ? [] : [member], size };
    if (scored && (brush || source.startsWith(allScored)))
      return scoredRows(scored, filter, brush, (index) => judge.accuracy(scored, index));
    const selection = selections.find((each) => each.metric === source);
    const onTest = [study.test?.consensus, ...(study.test?.selections ?? [])].find((each) => each?.metric === source);
    const found = selection ? filtered(selectionRows(selection, onTest?.teams), filter) : [];
    const everything = selection && member < 0 && size === 0;
    return { rows: found, total: everything ? selection.selected : found.length };
  }, [study, source, brush, member, size, view.judge]);
  const chosen = selections.find((each) => !brush && each.metric === source);
  /** Whether scores of the rows are only as exact as drawing needs. */
  const rounded = !chosen && scored?.rounded;
  return { selections, source, setSource, member, setMember, size, setSize, rows, total, chosen, rounded };
}

export type TeamChoice = ReturnType<typeof useTeamChoice>;
