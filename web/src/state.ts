// SPDX-License-Identifier: MIT
/** What the reader has chosen; every figure reads it and any figure may change it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isFocal, type Scored, type Study } from "./data";
import type { Team } from "./teams";

export type Judge = "selection" | "test";
export type ColourBy = "fate" | "size";
export type Shown = "all" | "kept" | "pruned";

/** A rectangle drawn in the picture: scores and accuracies of one metric's teams. */
export interface Brush {
  metric: string;
  score: [number, number];
  accuracy: [number, number];
}

export interface View {
  metric: string;
  /** 0 = every size. */
  size: number;
  colourBy: ColourBy;
  shown: Shown;
  judge: Judge;
  pinned: Team | null;
  brush: Brush | null;
  dark: boolean;
}

export interface Page {
  study: Study;
  view: View;
  set: (change: Partial<View>) => void;
}

export const PageContext = createContext<Page>(null as unknown as Page);
export const usePage = () => useContext(PageContext);

export function firstView(study: Study, dark: boolean): View {
  const pruning = study.scored.filter((each) => each.kept);
  const metrics = pruning.length ? pruning : study.scored;
  const first =
    metrics.find((each) => each.metric === study.recommended?.from) ??
    metrics.find((each) => each.metric === "F-GD") ??
    metrics.find((each) => isFocal(each.metric)) ??
    metrics[0];
  return {
    metric: first?.metric ?? study.selections[0]?.metric ?? "",
    size: 0,
    colourBy: "fate",
    shown: "all",
    judge: "selection",
    pinned: study.recommended?.team ?? null,
    brush: null,
    dark,
  };
}

/** The pool that judges: its size, the entire ensemble's accuracy, and a team's accuracy. */
export function judgement(study: Study, judge: Judge) {
  const onTest = judge === "test" && study.test;
  const samples = onTest ? study.test!.pool.samples : study.pool.samples;
  const counts = (scored: Scored) => (onTest && scored.testCorrect ? scored.testCorrect : scored.correct);
  return {
    samples,
    counts,
    name: onTest ? study.test!.pool.name : study.pool.name,
    reference: (onTest ? study.test!.reference.correct : study.reference.correct) / samples,
    gain: (correct: number) => (correct - (onTest ? study.test!.reference.correct : study.reference.correct)) / samples,
    models: onTest ? study.test!.pool.models : study.pool.models,
    accuracy: (scored: Scored, index: number) => counts(scored)[index] / samples,
  };
}
