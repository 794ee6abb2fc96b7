// SPDX-License-Identifier: MIT
/** What every page has: a head with contents and the theme's button, warnings, a foot. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Pool } from "../data";

export const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

interface HeadProps {
  pool: Pool;
  facts: string;
  onTheme?: (dark: boolean) => void;
}

export function Head({ pool, facts, onTheme }: HeadProps) {
  const [dark, setDark] = useState(prefersDark);
  const toggle = () => {
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    setDark(!dark);
    onTheme?.(!dark);
  };
  return (
    <header>
      <button type="button" class="quiet" onClick={toggle} aria-label={`Switch to the ${dark ? "light" : "dark"} theme`}>
        {dark ? "☀ light" : "☾ dark"}
      </button>
      <p class="brand">HQE report</p>
      <h1><bdi>{pool.name || "Unnamed pool"}</bdi></h1>
      {pool.about && <p class="about"><bdi>{pool.about}</bdi></p>}
      <p class="facts">{facts}</p>
      <Contents />
    </header>
  );
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (!warnings.length) return null;
  return (
    <aside class="warnings" aria-label="Warnings">
      {warnings.map((warning, place) => <p key={place}>{warning}</p>)}
    </aside>
  );
}

/** Links to the sections that are there, by their titles or what these are for short. */
function Contents() {
  const [entries, setEntries] = useState<[string, string][]>([]);
  useLayoutEffect(() => {
    const titles = [...document.querySelectorAll<HTMLElement>("section[id] > h2")];
    setEntries(titles.map((title) => [title.parentElement!.id, title.dataset.short ?? title.textContent ?? ""]));
  }, []);
  return (
    <nav aria-label="Contents">
      {entries.map(([id, title]) => <a key={id} href={`#${id}`}>{title}</a>)}
    </nav>
  );
}

export function Foot({ pool, version }: { pool: Pool; version?: string }) {
  const { licence, source } = pool;
  return (
    <footer>
      <p>
        Made by hqe{version ? ` ${version}` : ""} after Wu, Chow, Wei, Liu: “Hierarchical Pruning of Deep Ensembles with
        Focal Diversity”, ACM TIST 2023. The page holds its data and needs no network.
      </p>
      {(licence || source) && (
        <p>Predictions: {source && <bdi>{source}</bdi>}{licence && <> (licence: <bdi>{licence}</bdi>)</>}.</p>
      )}
    </footer>
  );
}
