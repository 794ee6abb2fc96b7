// SPDX-License-Identifier: MIT
/** Samples that the recommended team repairs or breaks, and what its members said. */
import { useState } from "preact/hooks";
import { Name, Section, Segments } from "../parts/controls";
import { Scroll } from "../parts/scroll";
import type { DecidingSample } from "../data";
import { count, percent, plural, teamKey } from "../format";
import { usePage } from "../state";

export function Samples() {
  const { study } = usePage();
  const data = study.deciding_samples;
  const team = data?.team;
  const [kind, setKind] = useState<"repaired" | "broken">("repaired");
  if (!data || !team || (!data.samples.length && !data.repaired && !data.broken)) return null;
  const chosen = data.samples.filter((sample) => sample.repaired === (kind === "repaired"));
  const total = kind === "repaired" ? data.repaired : data.broken;
  return (
    <Section
      id="samples"
      title="Samples that decide"
      reading={
        <>
          What team {teamKey(team)} makes of disagreement: it repairs a sample when some member is wrong and the team
          right, and breaks one when some member is right and the team wrong. A tick marks the true class.
        </>
      }
    >
      <div class="controls">
        <Segments<"repaired" | "broken">
          label="Show"
          value={kind}
          options={[["repaired", `repaired (${count(data.repaired)})`], ["broken", `broken (${count(data.broken)})`]]}
          onChange={setKind}
        />
        <p class="hint">{howMany(chosen.length, total)}</p>
      </div>
      {chosen.length > 0 && <SampleTable samples={chosen} team={team} />}
    </Section>
  );
}

/** What the table holds of all: the study lists the first of many, and none of a team without any weight. */
export function howMany(listed: number, total: number) {
  if (listed === total) return `${plural(total, "sample")}.`;
  return listed ? `The first ${count(listed)} of ${count(total)}.` : `${plural(total, "sample")}, none of them listed.`;
}

function SampleTable({ samples, team }: { samples: readonly DecidingSample[]; team: readonly number[] }) {
  const { study } = usePage();
  return (
    <Scroll label="Samples that decide">
      <table class="samples">
        <thead>
          <tr>
            <th scope="col" class="number">Sample</th>
            <th scope="col">Truth</th>
            <th scope="col">Team says</th>
            {team.map((id) => (
              <th scope="col" key={id}><span class="id">{id}</span> <Name text={study.pool.models[id]?.name ?? "?"} /></th>
            ))}
          </tr>
        </thead>
        <tbody>{samples.map((sample) => <SampleRow key={sample.sample} sample={sample} team={team} />)}</tbody>
      </table>
    </Scroll>
  );
}

function SampleRow({ sample, team }: { sample: DecidingSample; team: readonly number[] }) {
  return (
    <tr>
      <td class="number">{count(sample.sample)}</td>
      <td><ClassName id={sample.truth} /></td>
      <td><Mark right={sample.answer === sample.truth} /> {sample.answer < 0 ? "no answer" : <ClassName id={sample.answer} />}</td>
      {team.map((id) => {
        const member = sample.members.find((each) => each.model === id);
        if (!member) return <td key={id}>–</td>;
        return (
          <td key={id}>
            {member.classes.map((label, place) => (
              <div class="opinion" key={place}>
                <span><Mark right={label === sample.truth} /> {label < 0 ? "abstains" : <ClassName id={label} />}</span>
                {member.confidences?.[place] != null && <Confidence value={member.confidences[place]} />}
              </div>
            ))}
          </td>
        );
      })}
    </tr>
  );
}

function Mark({ right }: { right: boolean }) {
  return <span class={right ? "right" : "wrong"} aria-label={right ? "right" : "wrong"} role="img">{right ? "✓" : "✗"}</span>;
}

function ClassName({ id }: { id: number }) {
  const { study } = usePage();
  return <Name text={study.pool.classes?.[id] ?? `class ${id}`} />;
}

function Confidence({ value }: { value: number }) {
  return (
    <span class="confidence">
      <span class="track"><span class="bar" style={{ width: `${100 * Math.min(1, Math.max(0, value))}%` }} /></span>
      <span class="share">{percent(value, 0)}</span>
    </span>
  );
}
