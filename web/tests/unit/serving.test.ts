// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { cascadesOf, effectOf, exitOf, servingOf } from "../../fixtures/serving";
import { cascadeSentence, isCascades, judged, stopText } from "../../src/cascade";
import { readPage, readStudy } from "../../src/data";
import { exitCost, filledBins, isCalibrated, saved, shownPlaces, temperatureText } from "../../src/serving";

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

test("what an early exit costs and saves is said with a unit and a true minus", () => {
  const exit = exitOf(["a", "b", "c"], 100);
  expect(exit.decided_after).toEqual([0, 0.5, 1]);
  expect(exit.expected_models).toBe(2.5);
  expect(saved(exit, exit)).toBe("−17 %");
  expect(saved({ expected_cost: 3 }, { full_cost: 3 })).toBe("±0 %");
  expect([exitCost(0.524, "latency_ms"), exitCost(25.6e6, "params"), exitCost(2.614, null)]).toEqual(["0.524 ms", "25.6 M parameters", "2.61 models"]);
});

test("of a long order the first places and the last are drawn", () => {
  expect(shownPlaces(3)).toEqual([0, 1, 2]);
  expect(shownPlaces(40, 4)).toEqual([0, 1, 2, 39]);
});

test("cascades are read, judged by what was held out, and never called exact", async () => {
  const cascades = cascadesOf();
  const page = await readPage(JSON.stringify(cascades));
  expect(isCascades(page)).toBe(true);
  expect(judged(cascades.rows[1])).toBe(cascades.rows[1].held_out);
  expect(judged(cascadesOf("", null).rows[1]).expected_models).toBe(2.4);
  expect(stopText(cascades.rows[2])).toBe("mean confidence ≥ 0.999");
  expect(cascadeSentence(cascades, 1)).toBe(
    "The exact exit runs 2.91 of 5 models (−42 %) and answers as the full vote does. The cheapest cascade runs 1.41 (−72 %) for −3.3 points of accuracy, and is not exact.",
  );
  expect(cascadeSentence({ ...cascades, rows: cascades.rows.slice(0, 1) }, 1)).toMatch(/No cascade costs less/);
  await expect(readPage('{"command":"cascade","pool":{"models":[]},"order":[],"rows":[]}')).rejects.toThrow("not a team's cascades");
  await expect(readStudy(JSON.stringify(cascades))).rejects.toThrow("a team's cascades");
});
