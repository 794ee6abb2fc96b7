// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { effectOf, servingOf } from "../../fixtures/serving";
import { filledBins, isCalibrated, temperatureText } from "../../src/serving";

test("only bins with samples are drawn, each in its place", () => {
  const bins = filledBins(effectOf(5000), "before");
  expect(bins.map((bin) => bin.place)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  expect(bins[0].confidence).toBeCloseTo(4.5 / 15);
  expect(bins.map((bin) => bin.few)).toEqual(bins.map((bin) => bin.count < 10));
  expect(bins.filter((bin) => bin.few).map((bin) => bin.place)).toEqual([4, 5]);
});

test("a temperature has three digits, without trailing zeros", () => {
  expect([0.8171, 2, 0.05, 1.0004, 20].map(temperatureText)).toEqual(["0.817", "2", "0.05", "1", "20"]);
});

test("votes without shares, and studies of older versions, have nothing to calibrate", () => {
  expect([servingOf(100), { temperature: null }, null, undefined].map(isCalibrated)).toEqual([true, false, false, false]);
});
