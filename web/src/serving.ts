// SPDX-License-Identifier: MIT
/** How to serve the recommended team, as the study says it (docs/formats.md, "serving"). */

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

/** Votes that give classes no shares have no temperature, nor the figures that go with one. */
export type Serving = Calibrated | { temperature: null };

export const isCalibrated = (serving: Serving | null | undefined): serving is Calibrated => serving?.temperature != null;

/** "0.82"; digits enough to tell it from 1. */
export const temperatureText = (temperature: number) => String(Number(temperature.toPrecision(3)));

/** A bin of fewer samples says little: one answer moves it by more than ten points. */
export const fewSamples = 10;

/** The bins that hold samples, each with its place. */
export const filledBins = ({ reliability }: CalibrationEffect, side: Side) =>
  reliability.map((bin, place) => ({ ...bin[side], place, few: bin[side].count < fewSamples })).filter((bin) => bin.count > 0);
