// SPDX-License-Identifier: MIT
/** How to serve the recommended team, as the study says it (docs/formats.md, "serving"). */
import { quantity, reductionText } from "./format";

export interface Bin {
  count: number;
  correct: number;
  confidence: number;
  accuracy: number;
}

export type Side = "before" | "after";
type Sides = Record<Side, number>;

/** What the temperature changes on some samples. */
export interface CalibrationEffect {
  samples: number;
  log_loss: Sides;
  brier: Sides;
  calibration_error: Sides;
  /** Bins of equal width over [0, 1]. */
  reliability: Record<Side, Bin>[];
}

export interface Calibrated extends CalibrationEffect {
  temperature: number;
  test: CalibrationEffect | null;
}

/** What one order came to on some samples. */
export interface ExitRun {
  order: number[];
  samples: number;
  expected_models: number;
  expected_cost: number;
  /** Share of samples that 1, 2, .. all members decide. */
  decided_after: number[];
}

export type ExitCost = "latency_ms" | "gflops" | "params" | null;

/** In which order to run the members, each sample until the rest cannot change the answer. */
export interface EarlyExit extends ExitRun {
  names: string[];
  /** What is counted; null: models. */
  cost: ExitCost;
  full_cost: number;
  is_least: boolean;
  held_out: (ExitRun & { by: "test" | "half" }) | null;
}

/** Votes that give classes no shares have no temperature, nor the figures that go with one. */
export type Serving = (Calibrated | { temperature: null }) & { early_exit?: EarlyExit | null };

export const isCalibrated = (serving: Serving | null | undefined): serving is Calibrated => serving?.temperature != null;

/** "0.52 ms", "25.6 M parameters", "2.61 models". */
export const exitCost = (value: number, cost: ExitCost) => `${quantity(value)} ${cost === null ? "models" : units[cost]}`;
const units = { latency_ms: "ms", gflops: "GFLOPs", params: "parameters" };

/** "−39 %", of what running all members costs. */
export const saved = (run: { expected_cost: number }, { full_cost }: { full_cost: number }) =>
  reductionText(1 - run.expected_cost / full_cost);

/** The places of an order that are drawn: all of them, or the first ones and the last. */
export function shownPlaces(members: number, most = 16): number[] {
  const places = Array.from({ length: members }, (_, place) => place);
  return members <= most ? places : [...places.slice(0, most - 1), members - 1];
}

/** "0.82"; digits enough to tell it from 1. */
export const temperatureText = (temperature: number) => String(Number(temperature.toPrecision(3)));

/** A bin of fewer samples says little: one answer moves it by more than ten points. */
export const fewSamples = 10;

/** The bins that hold samples, each with its place. */
export const filledBins = ({ reliability }: CalibrationEffect, side: Side) =>
  reliability.map((bin, place) => ({ ...bin[side], place, few: bin[side].count < fewSamples })).filter((bin) => bin.count > 0);
