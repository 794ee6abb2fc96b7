// SPDX-License-Identifier: MIT
/** The page of a study: a head, the figures in reading order, a foot. */
import { useMemo, useState } from "preact/hooks";
import { Calibration } from "./figures/calibration";
import { CoFailures } from "./figures/cofailures";
import { EarlyExitFigure } from "./figures/early_exit";
import { Pareto } from "./figures/pareto";
import { Picture } from "./figures/picture";
import { Samples } from "./figures/samples";
import { Sweep } from "./figures/sweep";
import { Tables } from "./figures/tables";
import { Tiers } from "./figures/tiers";
import { TrustSection } from "./figures/trust";
import { Verdict } from "./figures/verdict";
import { Foot, Head, prefersDark, Warnings } from "./parts/frame";
import { count, percent, plural } from "./format";
import { firstView, PageContext, type View } from "./state";
import type { Study } from "./data";

/** A figure whose data the study lacks shows nothing. */
const figures = [Verdict, TrustSection, Calibration, EarlyExitFigure, Picture, Tiers, CoFailures, Sweep, Pareto, Tables, Samples];

export function App({ study }: { study: Study }) {
  const [view, setView] = useState<View>(() => firstView(study, prefersDark()));
  const page = useMemo(
    () => ({ study, view, set: (change: Partial<View>) => setView((before) => ({ ...before, ...change })) }),
    [study, view],
  );
  return (
    <PageContext.Provider value={page}>
      <Head pool={study.pool} facts={facts(study)} onTheme={(dark) => page.set({ dark })} />
      <main>
        <Warnings warnings={study.warnings} />
        {figures.map((Figure, place) => <Figure key={place} />)}
      </main>
      <Foot pool={study.pool} version={study.version} />
    </PageContext.Provider>
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
    ...(options.merit && options.merit !== "accuracy" ? [`chosen by ${String(options.merit).replaceAll("_", " ")}`] : []),
    ...(betas.length ? [`beta ${betas.join(", ")}`] : []),
  ].join(" · ");
}
