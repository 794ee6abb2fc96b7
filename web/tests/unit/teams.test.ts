// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { choose, compareTeams, containsTeam, parts, supersetCount, supersets, Teams } from "../../src/teams";

const pool = [0, 1, 2, 3, 4, 5, 6, 7];
const all = [...parts(pool, 2), ...parts(pool, 3), ...parts(pool, 5)];

test("teams come back as they were put in", () => {
  const teams = Teams.from(all);
  expect(teams.count).toBe(all.length);
  expect(all.map((_, index) => teams.at(index))).toEqual(all);
  expect(teams.tiers.map((tier) => tier.size)).toEqual([2, 3, 5]);
});

test("every team is found, and no other", () => {
  const teams = Teams.from(all.filter((_, index) => index % 3));
  all.forEach((team, index) => expect(teams.find(team) >= 0).toBe(index % 3 > 0));
  expect(teams.find([0, 1, 2, 3])).toBe(-1);
  expect(Teams.from([]).find([0, 1])).toBe(-1);
});

test("parts are in team order and as many as the binomial coefficient says", () => {
  for (let size = 0; size <= 8; size++) {
    const found = parts(pool, size);
    expect(found.length).toBe(choose(8, size));
    expect(found.toSorted(compareTeams)).toEqual(found);
  }
});

test("the teams cut off by a pruned pair are those that contain it", () => {
  for (const size of [3, 4, 5]) {
    const expected = parts(pool, size).filter((team) => containsTeam(team, [2, 5]));
    expect(supersets(8, [2, 5], size, 1000)).toEqual(expected);
    expect(supersetCount(8, 2, size)).toBe(expected.length);
  }
  expect(supersets(8, [2, 5], 4, 3).length).toBe(3);
});

test("binomial coefficients are exact where doubles are", () => {
  expect(choose(20, 10)).toBe(184_756);
  expect(choose(67, 5)).toBe(9_657_648);
  expect(choose(5, 7)).toBe(0);
  expect(choose(50, 25)).toBe(126_410_606_437_752);
});
