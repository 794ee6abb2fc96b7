// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { bigStudy, random } from "../../fixtures/big";
import { readStudy } from "../../src/data";
import { failureShares, noFocal, shadeAt } from "../../src/figures/failure_shares";
import { field, front } from "../../src/figures/pareto_front";
import { howMany } from "../../src/figures/samples";
import { domains, dotGroups, mean, shownTeams } from "../../src/figures/scatter_points";
import { bySimilarity } from "../../src/figures/similarity";
import { linePath } from "../../src/figures/sweep";
import { scoredRows, selectionRows, sorted, teamsCsv, type TeamRow } from "../../src/figures/team_rows";
import { cuttingTeams, lineage, markPlace, teamAt, tierBlocks } from "../../src/figures/tier_layout";
import { shapePath, shapes } from "../../src/parts/dots";
import { NearestIndex } from "../../src/parts/nearest";
import { padded, spaced } from "../../src/parts/plot";
import { sizeColour } from "../../src/parts/palette";

const study = await readStudy(JSON.stringify(bigStudy(7)));
const scored = study.scored[0];

test("the front holds exactly the teams that nothing beats at equal or lower cost", () => {
  const next = random(1);
  const cost = Array.from({ length: 300 }, () => Math.floor(20 * next()));
  const accuracy = Array.from({ length: 300 }, () => Math.floor(50 * next()));
  const beaten = (i: number) => cost.some((c, j) => c <= cost[i] && accuracy[j] >= accuracy[i] && (c < cost[i] || accuracy[j] > accuracy[i]));
  const expected = [...new Set(cost.map((_, i) => i).filter((i) => !beaten(i)).map((i) => `${cost[i]} ${accuracy[i]}`))];
  expect(front(cost, accuracy).map((i) => `${cost[i]} ${accuracy[i]}`).sort()).toEqual(expected.sort());
});

test("the field holds every model, the entire ensemble and each scored team once", () => {
  const all = field(study, "params", "selection")!;
  const keys = Array.from(all.cost, (_, i) => all.team(i).join());
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBe(2 ** 7 - 1);
  keys.forEach((key, i) => expect(all.cost[i]).toBe(key.split(",").reduce((sum, id) => sum + 1e6 * (1 + Number(id)), 0)));
  expect(field(study, "gflops", "selection")).toBeNull();
});

test("a share of failures is of the row's model, or of the focal one; shades span what is not a model with itself", () => {
  const failures = [[0, 1, 2, 3], [2, 3, 4], [3, 5]].map((samples) => new Set(samples));
  const ids = failures.map((_, id) => id);
  const common = (...models: number[]) => [...failures[models[0]]].filter((sample) => models.every((id) => failures[id].has(sample))).length;
  const failing = {
    ...study,
    pool: { ...study.pool, models: study.pool.models.slice(0, ids.length) },
    co_failures: ids.flatMap((i) => ids.map((j) => common(i, j))),
    focal_co_failures: ids.flatMap((f) => ids.flatMap((i) => ids.map((j) => common(f, i, j)))),
  };
  const all = failureShares(failing, noFocal);
  expect([all.share(0, 1), all.share(1, 0), all.whole(1), all.together(2, 1)]).toEqual([2 / 4, 2 / 3, 3, 1]);
  expect([all.shade(0, 0), all.shade(0, 2), all.shade(1, 0)]).toEqual([0, shadeAt(0), shadeAt(1)]);
  expect([all.shareAt(0), all.shareAt(1)]).toEqual([1 / 4, 2 / 3]);
  const focal = failureShares(failing, 1);
  expect([focal.whole(0), focal.together(0, 2), focal.share(0, 0), focal.share(0, 2)]).toEqual([3, 1, 2 / 3, 1 / 3]);
  expect([focal.own(1, 1), focal.own(0, 0), focal.shade(1, 1)]).toEqual([true, false, 0]);
});

test("a tier shows its own teams, size 0 all of them", () => {
  expect(shownTeams(scored, 0).length).toBe(scored.teams.count);
  for (const index of shownTeams(scored, 3)) expect(scored.teams.at(index).length).toBe(3);
  expect(shownTeams(scored, 99).length).toBe(0);
  expect(mean([1, 2, 6], Uint32Array.of(0, 2))).toBe(3.5);
});

test("marks are split by fate and by size without losing any", () => {
  const shown = shownTeams(scored, 0);
  const places = new Float32Array(shown.length);
  for (const by of ["fate", "size"] as const) {
    const groups = dotGroups(scored, scored.kept, shown, places, places, by);
    expect(groups.reduce((sum, group) => sum + group.x.length, 0)).toBe(shown.length);
    expect(new Set(groups.map((group) => group.shape)).size).toBe(groups.length);
  }
});

test("the reference is always in sight", () => {
  const { accuracy } = domains([1, 2], [50, 60], Uint32Array.of(0, 1), 100, 0.9);
  expect(accuracy[0]).toBeLessThan(0.5);
  expect(accuracy[1]).toBeGreaterThan(0.9);
  expect(padded(0.3, 0.3)[0]).toBeLessThan(0.3);
  expect(padded(Infinity, -Infinity)).toEqual([0, 1]);
});

test("models that fail together stand together", () => {
  const families = [[0, 3, 5], [1, 4], [2]];
  const related = (i: number, j: number) => families.some((family) => family.includes(i) && family.includes(j));
  const counts = Array.from({ length: 36 }, (_, k) => {
    const [i, j] = [Math.floor(k / 6), k % 6];
    return i === j ? 100 : related(i, j) ? 80 : 10;
  });
  const order = bySimilarity(counts, 6);
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const family of families) {
    const places = family.map((id) => order.indexOf(id));
    expect(Math.max(...places) - Math.min(...places)).toBe(family.length - 1);
  }
});

test("the nearest point is the one a plain search finds", () => {
  const next = random(3);
  const x = Float32Array.from({ length: 500 }, () => 400 * next());
  const y = Float32Array.from({ length: 500 }, () => 300 * next());
  const index = new NearestIndex(x, y, 400, 300);
  for (let trial = 0; trial < 200; trial++) {
    const [px, py] = [450 * next() - 20, 350 * next() - 20];
    let [expected, best] = [-1, 15 * 15];
    x.forEach((value, i) => {
      const distance = (value - px) ** 2 + (y[i] - py) ** 2;
      if (distance < best) [expected, best] = [i, distance];
    });
    expect(index.find(px, py, 15)).toBe(expected);
  }
});

test("a mark's place leads back to its team", () => {
  const blocks = tierBlocks(scored, 900, 20);
  for (let index = 0; index < scored.teams.count; index++) {
    const place = markPlace(scored, blocks, scored.teams.at(index))!;
    expect(teamAt(blocks, place.x, place.y)).toBe(index);
  }
  expect(teamAt(blocks, -5, 3)).toBe(-1);
});

test("the better score stands first", () => {
  for (const { order } of tierBlocks(scored, 900, 20))
    for (let rank = 1; rank < order!.length; rank++) expect(scored.score[order![rank - 1]]).toBeGreaterThanOrEqual(scored.score[order![rank]]);
});

test("a team descends from all its parts of two or more", () => {
  const { teams, steps } = lineage([1, 4, 6, 7]);
  expect(teams.length).toBe(6 + 4 + 1);
  expect(steps.length).toBe(4 * 3 + 4);
});

test("only pruned teams below the last tier cut anything off", () => {
  for (const team of cuttingTeams(scored, 50)) {
    expect(lookKept(team)).toBe(0);
    expect(team.length).toBeLessThan(6);
  }
});
const lookKept = (team: number[]) => scored.kept![scored.teams.find(team)];

test("rows sort both ways, equal ones in team order, missing values last", () => {
  const rows: TeamRow[] = [
    { team: [1, 2], score: 0.5, correct: 9 },
    { team: [0, 2], score: 0.5 },
    { team: [0, 1], score: 0.7, correct: 3 },
  ];
  const keys = (key: "score" | "correct" | "team", down: boolean) => sorted(rows, key, down).map((row) => row.team.join(""));
  expect(keys("score", true)).toEqual(["01", "02", "12"]);
  expect(keys("score", false)).toEqual(["02", "12", "01"]);
  expect(keys("correct", true)).toEqual(["12", "01", "02"]);
  expect(keys("team", true)).toEqual(["12", "02", "01"]);
});

test("a brush and the filters keep exactly the teams inside", () => {
  const brush = { metric: "F-GD", score: [0.4, 0.6] as [number, number], accuracy: [0, 0.85] as [number, number] };
  const accuracy = (index: number) => scored.correct[index] / study.pool.samples;
  const { rows, total } = scoredRows(scored, { members: [2], size: 3 }, brush, accuracy);
  let expected = 0;
  for (let i = 0; i < scored.teams.count; i++) {
    const team = scored.teams.at(i);
    if (team.length === 3 && team.includes(2) && scored.score[i] >= 0.4 && scored.score[i] <= 0.6 && accuracy(i) <= 0.85) expected++;
  }
  expect(total).toBe(expected);
  expect(rows.length).toBe(expected);
  expect(expected).toBeGreaterThan(0);
});

test("the CSV has a line a team and names its members", () => {
  const lines = teamsCsv(study, selectionRows(study.selections[0])).trimEnd().split("\r\n");
  expect(lines[0]).toBe("team,members,size,score,correct,accuracy,test_correct,fate,votes");
  expect(lines[1]).toMatch(/^"0,1,2,3,4",model_0; model_1; model_2; model_3; model_4,5,0\.91234567,/);
});

test("a line breaks where a value is missing", () => {
  expect(linePath([[0, 1], [1, 2], null, [3, 4], [5, 6]])).toBe("M0.0,1.0L1.0,2.0M3.0,4.0L5.0,6.0");
});

test("texts that would touch are left out", () => {
  expect(spaced([0, 1, 2, 3, 4], (tick) => 10 * tick, () => 20)).toEqual([0, 2, 4]);
});

test("every shape is drawn differently, every size has its own colour", () => {
  expect(new Set(shapes.map((shape) => shapePath(shape, 0, 0, 3))).size).toBe(shapes.length - 1);
  expect(new Set([0, 1, 2, 3, 4, 5, 6].map((step) => sizeColour(step, 7).light)).size).toBe(7);
});

test("the samples that decide say how many of them are listed", () => {
  expect([howMany(1, 1), howMany(0, 0), howMany(20, 1234), howMany(0, 1234)]).toEqual(
    ["1 sample.", "0 samples.", "The first 20 of 1,234.", "1,234 samples, none of them listed."]);
});
