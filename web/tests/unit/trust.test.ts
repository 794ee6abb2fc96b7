// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { comparisonOf, trustOf } from "../../fixtures/trust";
import { bestSentence, ranked, verdictText, type ComparedMethod } from "../../src/comparison";
import { isComparison, readPage, readStudy } from "../../src/data";
import { whiskerRows } from "../../src/figures/trust";
import { judgedDifference, rivalWords, verdictWords } from "../../src/trust";

const trust = trustOf(7, [1, 3, 5]);

test("a verdict rests on held-out samples, else on the interval corrected for the choice", () => {
  const [comparison] = trust.comparisons;
  expect(judgedDifference(comparison)).toEqual(comparison.held_out);
  expect(judgedDifference({ ...comparison, held_out: null })).toEqual({ difference: 0.012, interval: comparison.corrected });
  const merit = { difference: 0.031, interval: [0.01, 0.05] as const };
  expect(judgedDifference({ ...comparison, merit })).toEqual(merit);
});

test("verdicts and rivals are said in words", () => {
  expect(trust.comparisons.map((each) => `${verdictWords(each)} ${rivalWords(each.against, each.team)}`)).toEqual([
    "Better than the entire ensemble of 7",
    "Cannot be told from the best single model",
    "As good as the 3 most accurate models",
  ]);
  expect(verdictWords({ ...trust.comparisons[2], says: "the same team" })).toBe("The same team as");
});

test("held-out and selection samples stand side by side, the recommended team first", () => {
  const rows = whiskerRows(trust);
  expect(rows.map((row) => row.label)).toEqual(["Recommended team", "Entire ensemble of 7", "Best single model", "3 most accurate models"]);
  expect(rows.map((row) => row.marks.map((mark) => mark.filled))).toEqual(Array(4).fill([true, false]));
  const alone = whiskerRows({ ...trust, teams: trust.teams.map((each) => ({ ...each, held_out: null })) });
  expect(alone[0].marks).toEqual([{ filled: false, value: trust.teams[0].selection.accuracy, interval: trust.teams[0].selection.interval }]);
});

test("a comparison of methods is told from a study", async () => {
  const text = JSON.stringify(comparisonOf());
  expect(isComparison(await readPage(text))).toBe(true);
  await expect(readPage('{"command":"compare","pool":{}}')).rejects.toThrow("not a comparison");
  await expect(readStudy(text)).rejects.toThrow("comparison of methods");
});

test("ranked methods have one verdict each, and the unranked are left out", () => {
  const comparison = comparisonOf();
  expect(ranked(comparison).length).toBe(comparison.methods.length - 1);
  expect(comparison.methods.map(verdictText)).toEqual(["best", "cannot tell", "cannot tell", "cannot tell", "cannot tell", "worse", "worse", "worse", "not tested"]);
});

test("the best method is named with those that chance may have put behind it", () => {
  const comparison = comparisonOf();
  expect(bestSentence(comparison)).toEqual({ title: "greedy forward", rank: "1.60", rest: "Of the 7 others, 4 cannot be told apart from it." });
  const all = (verdict: ComparedMethod["verdict"]) => bestSentence({ ...comparison, methods: comparison.methods.map((each) => ({ ...each, verdict })) })!.rest;
  expect(all("worse")).toBe("All others are worse by more than chance.");
  expect(all("cannot_tell")).toBe("No other method is worse by more than chance.");
  expect(all(null)).toBe("One split cannot say how sure that is.");
  expect(bestSentence({ ...comparison, methods: [] })).toBeNull();
});
