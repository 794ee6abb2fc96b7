// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";
import { bigStudy, packColumn } from "../../fixtures/big";
import { unpack, unpackIntegers } from "../../src/columns";
import { lookUp, readStudy, teamCost } from "../../src/data";
import { parts } from "../../src/teams";

test("packed columns come back exactly for every width", async () => {
  for (const [dtype, top] of [["u8", 255], ["u16", 65_535], ["u32", 4_294_967_295]] as const) {
    const values = [0, 1, top, Math.floor(top / 3), 7];
    expect([...(await unpackIntegers(packColumn(values, dtype)))]).toEqual(values);
  }
  expect([...(await unpack(packColumn([0, 2, 4], "u8", { offset: 10, step: 0.5 })))]).toEqual([10, 11, 12]);
  expect((await unpack(packColumn([], "u16"))).length).toBe(0);
});

test("a packed column of the wrong length is refused", async () => {
  await expect(unpack({ ...packColumn([1, 2, 3], "u16"), length: 4 })).rejects.toThrow("6 bytes in place of 8");
});

test("a packed study holds every team in order, shared between metrics", async () => {
  const study = await readStudy(JSON.stringify(bigStudy(8)));
  const [focal, baseline] = study.scored;
  const all = [2, 3, 4, 5, 6, 7].flatMap((size) => parts([0, 1, 2, 3, 4, 5, 6, 7], size));
  expect(focal.teams.count).toBe(all.length);
  expect(all.map((_, index) => focal.teams.at(index))).toEqual(all);
  expect(baseline.teams).toBe(focal.teams);
  expect(baseline.correct).toBe(focal.correct);
  expect(baseline.kept).toBeNull();
  expect(focal.rounded).toBe(true);
});

test("a kept team shows its exact score, not the drawn one", async () => {
  const study = await readStudy(JSON.stringify(bigStudy(8)));
  expect(lookUp(study, "F-GD", [0, 1, 2, 3, 4]).score).toBe(0.91234567);
});

test("what is no study is refused in a sentence", async () => {
  await expect(readStudy("__HQE_STUDY_JSON__")).rejects.toThrow("holds no study");
  await expect(readStudy('{"schema":1,"command":"inspect"}')).rejects.toThrow("not the study");
});

test("a team's cost is known when every member's is", async () => {
  const { pool } = await readStudy(JSON.stringify(bigStudy(5)));
  expect(teamCost(pool, [0, 2], "params")).toBe(4e6);
  expect(teamCost(pool, [0, 2], "gflops")).toBeUndefined();
  expect(teamCost(pool, [0, 2], "size")).toBe(2);
});
