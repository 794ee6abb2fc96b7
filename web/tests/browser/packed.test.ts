// SPDX-License-Identifier: MIT
/** Pages that the command makes of the demo and of many teams: small enough, exact, and they open. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { command, comparePage, demo, named, notBuilt, prune, studyIn, synthesise } from "../../fixtures/studies";
import { ranked, type Comparison } from "../../src/comparison";
import { readPage, readStudy, type Scored } from "../../src/data";
import { percent, percentDigits } from "../../src/format";
import { layoutFaults } from "./layout";
import { launch, openReport, screenshots } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const bytes = (html: string) => Buffer.byteLength(html, "utf8");

/** The first team whose count, fate or score (to 12 decimals, where the page promises it) differs. */
function difference(drawn: Scored, exact: Scored): string | null {
  if (drawn.teams.count !== exact.teams.count) return `${drawn.teams.count} teams in place of ${exact.teams.count}`;
  for (let i = 0; i < exact.teams.count; i++) {
    const promised = !drawn.rounded || drawn.kept?.[i] === 1;
    const near = Math.abs(drawn.score[i] - exact.score[i]) < (promised ? 6e-13 : 1e-3);
    const same = drawn.kept?.[i] === exact.kept?.[i] && drawn.correct[i] === exact.correct[i] && drawn.testCorrect?.[i] === exact.testCorrect?.[i];
    if (!near || !same || drawn.teams.at(i).join() !== exact.teams.at(i).join()) return `team ${exact.teams.at(i).join()} differs`;
  }
  return null;
}

async function looksRight(html: string, name: string): Promise<void> {
  const { page, noise } = await openReport(browser, html);
  const svg = page.locator("#picture .scatter").first();
  await svg.scrollIntoViewIfNeeded();
  const box = (await svg.boundingBox())!;
  let named = "";
  for (let y = 50; y < box.height - 60 && !named; y += 10) {
    await page.mouse.move(box.x + box.width / 2, box.y + y);
    if (await page.locator("#picture .tip").count()) named = await page.locator("#picture .tip strong").innerText();
  }
  expect(named).toMatch(/^\d+(,\d+)+$/);
  await page.mouse.down();
  await page.mouse.up();
  expect(await page.locator("#picture .pinned-team h3").innerText()).toContain(named);
  await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  expect(await layoutFaults(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.close();
}

describe.skipIf(!command)(named("pages made by the command", command, notBuilt), () => {
  test("the demo's page stays under 600 kB", () => {
    expect(bytes(prune(demo[0], "--test", demo[1]).page)).toBeLessThan(600_000);
  });

  test("a comparison of methods says its ranks", async () => {
    const html = comparePage(synthesise(7, 1000), "--repeats", "4");
    const comparison = (await readPage(studyIn(html))) as Comparison;
    const methods = ranked(comparison);
    expect(methods.length).toBeGreaterThan(10);
    const { page, noise } = await openReport(browser, html);
    expect(await page.locator("#ranks circle").count()).toBe(methods.length);
    expect(await page.locator("#ranks circle.hollow").count()).toBe(methods.filter((each) => each.verdict === "worse").length);
    const rows = await page.locator("#methods tbody tr").allInnerTexts();
    comparison.methods.forEach((each, place) => {
      expect(rows[place]).toContain(each.title);
      if (each.mean_rank !== null) expect(rows[place]).toContain(each.mean_rank.toFixed(2));
      expect(rows[place]).toContain(percent(each.test_accuracy, percentDigits(comparison.test_samples)));
    });
    await page.screenshot({ path: `${screenshots}/comparison.png`, fullPage: true });
    expect(await layoutFaults(page)).toEqual([]);
    expect(noise).toEqual([]);
    await page.close();
  });

  test("a packed page holds every metric exactly", async () => {
    const { page, study } = prune(demo[0], "--test", demo[1], "--size", "7", "--beta", "0.05");
    expect(bytes(page)).toBeLessThan(600_000);
    expect(studyIn(page)).toContain('"packed"');
    const [drawn, exact] = [await readStudy(studyIn(page)), await readStudy(study)];
    expect(drawn.scored.map((each) => each.metric)).toEqual(exact.scored.map((each) => each.metric));
    drawn.scored.forEach((each, place) => expect(difference(each, exact.scored[place])).toBeNull());
    await looksRight(page, "packed");
  });

  test("above 100,000 teams kept ones stay exact", async () => {
    const { page, study } = prune(synthesise(17, 500), "--by", "mean", "--metric", "F-GD");
    const [drawn, exact] = [await readStudy(studyIn(page)), await readStudy(study)];
    expect(drawn.scored.map((each) => [each.metric, each.rounded])).toEqual([["F-GD", true], ["GD", true]]);
    for (const each of drawn.scored) expect(difference(each, exact.scored.find((other) => other.metric === each.metric)!)).toBeNull();
  });

  test("a million teams of twenty models stay under 10 MB, open and answer the pointer", async () => {
    const { page } = prune(synthesise(20, 1000), "--by", "mean", "--metric", "F-GD");
    expect(bytes(page)).toBeLessThan(10_000_000);
    expect(page).toContain('"length":1048554');
    await looksRight(page, "million");
  });
});
