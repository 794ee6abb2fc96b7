// SPDX-License-Identifier: MIT
/** The page: a head, the figures in reading order, a foot. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { CoFailures } from "./figures/cofailures";
import { Pareto } from "./figures/pareto";
import { Picture } from "./figures/picture";
import { Samples } from "./figures/samples";
import { Sweep } from "./figures/sweep";
import { Tables } from "./figures/tables";
import { Tiers } from "./figures/tiers";
import { Verdict } from "./figures/verdict";
import { count, percent, plural } from "./format";
import { firstView, PageContext, type View } from "./state";
import type { Study } from "./data";

/** A figure whose data the study lacks shows nothing. */
const figures = [Verdict, Picture, Tiers, CoFailures, Sweep, Pareto, Tables, Samples];

export function App({ study }: { study: Study }) {
  const [view, setView] = useState<View>(() => firstView(study, matchMedia("(prefers-color-scheme: dark)").matches));
  const page = useMemo(
    () => ({ study, view, set: (change: Partial<View>) => setView((before) => ({ ...before, ...change })) }),
    [study, view],
  );
  const toggle = () => {
    document.documentElement.dataset.theme = view.dark ? "light" : "dark";
    page.set({ dark: !view.dark });
  };
  return (
    <PageContext.Provider value={page}>
      <header>
        <p class="brand">HQE report</p>
        <button type="button" class="quiet" onClick={toggle} aria-label={`Switch to the ${view.dark ? "light" : "dark"} theme`}>
          {view.dark ? "☀ light" : "☾ dark"}
        </button>
        <h1><bdi>{study.pool.name || "Unnamed pool"}</bdi></h1>
        {study.pool.about && <p class="about"><bdi>{study.pool.about}</bdi></p>}
        <p class="facts">{facts(study)}</p>
        <Contents />
      </header>
      <main>
        {study.warnings.length > 0 && (
          <aside class="warnings" aria-label="Warnings">
            {study.warnings.map((warning, place) => <p key={place}>{warning}</p>)}
          </aside>
        )}
        {figures.map((Figure, place) => <Figure key={place} />)}
      </main>
      <Foot study={study} />
    </PageContext.Provider>
  );
}

/** Links to the sections that are there. */
function Contents() {
  const [entries, setEntries] = useState<[string, string][]>([]);
  useLayoutEffect(() => {
    const titles = [...document.querySelectorAll("section[id] > h2")];
    setEntries(titles.map((title) => [title.parentElement!.id, title.textContent ?? ""]));
  }, []);
  return (
    <nav aria-label="Contents">
      {entries.map(([id, title]) => <a key={id} href={`#${id}`}>{title}</a>)}
    </nav>
  );
}

function facts({ pool, options, vote, desired_size, selections }: Study): string {
  const by = options.by === "mean" ? "pruned by mean threshold" : "pruned hierarchically";
  const beta = selections[0]?.tiers?.map((tier) => tier.beta).filter((value) => value != null) ?? [];
  const betas = [...new Set(beta)].map((value) => percent(value, value! * 100 % 1 ? 1 : 0));
  return [
    plural(pool.models.length, "model"),
    `${count(pool.samples)} samples`,
    `${count(pool.class_count)} classes`,
    pool.kind,
    `${vote} vote`,
    by + (desired_size && options.by !== "mean" ? ` to teams of ${desired_size}` : ""),
    ...(betas.length ? [`beta ${betas.join(", ")}`] : []),
  ].join(" · ");
}

function Foot({ study }: { study: Study }) {
  const { licence, source } = study.pool;
  return (
    <footer>
      <p>
        Made by hqe{study.version ? ` ${study.version}` : ""} after Wu, Chow, Wei, Liu: “Hierarchical Pruning of Deep Ensembles with
        Focal Diversity”, ACM TIST 2023. The page holds its data and needs no network.
      </p>
      {(licence || source) && (
        <p>Predictions: {source && <bdi>{source}</bdi>}{licence && <> (licence: <bdi>{licence}</bdi>)</>}.</p>
      )}
    </footer>
  );
}
