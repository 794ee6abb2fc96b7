// SPDX-License-Identifier: MIT
/** Form controls, names and teams: small pieces that several figures use. */
import type { ComponentChildren } from "preact";
import { isolate, shorten, teamKey } from "../format";
import { usePage } from "../state";
import { sameTeam, type Team } from "../teams";

interface ChoiceProps<T extends string | number> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

export function Select<T extends string | number>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <label class="control">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(options[event.currentTarget.selectedIndex][0])}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>{text}</option>
        ))}
      </select>
    </label>
  );
}

/** Two or three choices side by side. */
export function Segments<T extends string | number>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="control segments">
      <legend>{label}</legend>
      {options.map(([key, text]) => (
        <button type="button" aria-pressed={key === value} onClick={() => onChange(key)}>{text}</button>
      ))}
    </fieldset>
  );
}

/** A name from a file: isolated, shortened by the style sheet, whole in the title. */
export function Name({ text }: { text: string }) {
  return <bdi class="name" title={isolate(text)}>{text}</bdi>;
}

export function Members({ team }: { team: Team }) {
  const { study } = usePage();
  return (
    <ul class="members">
      {team.map((id) => (
        <li key={id}>
          <span class="id">{id}</span>
          <Name text={study.pool.models[id]?.name ?? "?"} />
        </li>
      ))}
    </ul>
  );
}

/** A team as the command spells it; a press pins it in every figure. */
export function TeamButton({ team }: { team: Team }) {
  const { view, set } = usePage();
  const pinned = view.pinned !== null && sameTeam(view.pinned, team);
  return (
    <button type="button" class="team" aria-pressed={pinned} onClick={() => set({ pinned: pinned ? null : team })}>
      {teamKey(team)}
    </button>
  );
}

/** The names of a team in one line of plain text. */
export function useTeamNames() {
  const { study } = usePage();
  return (team: Team, length = 24) =>
    team.map((id) => isolate(shorten(study.pool.models[id]?.name ?? "?", length))).join(", ");
}

interface SectionProps {
  id: string;
  title: string;
  /** One or two sentences on how to read the figure. */
  reading: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ id, title, reading, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="reading">{reading}</p>
      {children}
    </section>
  );
}
