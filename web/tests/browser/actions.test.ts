// SPDX-License-Identifier: MIT
/** What a reader does: hover, pin, brush, filter, sort, copy, follow, and all of it without a mouse. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { reportOf } from "../../fixtures/report";
import { absent, named, studyOf } from "../../fixtures/studies";
import { count, teamKey } from "../../src/format";
import { containsTeam, supersetCount } from "../../src/teams";
import { layoutFaults } from "./layout";
import { launch, openReport, screenshots, type Opened } from "./open";

const study = studyOf("fashion-mnist");

describe.skipIf(!study)(named("the report of the shipped pool", study, absent("fashion-mnist")), () => {
  let browser: Browser;
  let opened: Opened;
  beforeAll(async () => void (browser = await launch()));
  afterAll(() => browser.close());
  beforeEach(async () => void (opened = await openReport(browser, reportOf(study))));
  afterEach(async () => {
    expect(opened.noise).toEqual([]);
    await opened.page.close();
  });
  const pinned = () => opened.page.locator("#picture .pinned-team h3").innerText();
  const scoredBy = (metric: string) => study!.scored.find((each) => each.metric === metric)!;

  test("hovering names a team and its members, clicking pins it everywhere", async () => {
    const { page } = opened;
    const svg = page.locator("#picture .scatter").first();
    await svg.scrollIntoViewIfNeeded();
    const box = (await svg.boundingBox())!;
    let named = "";
    for (let x = 100; x < box.width && !named; x += 4)
      for (let y = 60; y < 200 && !named; y += 12) {
        await page.mouse.move(box.x + x, box.y + y);
        if (await page.locator("#picture .tip").count()) named = await page.locator("#picture .tip strong").innerText();
      }
    const team = named.split(",").map(Number);
    expect(await page.locator("#picture .tip").innerText()).toContain(study!.pool.models[team[0]].name.slice(0, 5));
    await page.screenshot({ path: `${screenshots}/action-hover.png` });
    await page.mouse.down();
    await page.mouse.up();
    expect(await pinned()).toContain(named);
  });

  test("a rectangle lists exactly its teams in the table", async () => {
    const { page } = opened;
    const svg = page.locator("#picture .scatter").first();
    const metric = (await svg.getAttribute("data-metric"))!;
    await svg.scrollIntoViewIfNeeded();
    const box = (await svg.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.55, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 90, { steps: 4 });
    await page.mouse.up();
    const chip = await page.locator("#teams .chip").innerText();
    expect(chip).toContain(metric);
    const listed = Number(/: ([\d,]+) team/.exec(chip)![1].replace(",", ""));
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(scoredBy(metric).teams.length);
    expect(await page.locator("#picture .brush").count()).toBe(1);
    await page.locator("#picture").screenshot({ path: `${screenshots}/action-brush.png` });
    await page.locator("#teams .chip").click();
    expect(await page.locator("#picture .brush").count()).toBe(0);
  });

  test("metric, tier and colour change the picture", async () => {
    const { page } = opened;
    const select = (label: string) => page.locator("#picture").getByLabel(label);
    await select("Metric").selectOption("F-BD");
    expect(await page.locator("#picture .scatter").evaluateAll((all) => all.map((each) => each.getAttribute("data-metric")))).toEqual(["F-BD", "BD"]);
    await select("Tier").selectOption("3");
    const triples = scoredBy("F-BD").teams.filter((team) => team.length === 3).length;
    expect(await page.locator("#picture .scatter").first().getAttribute("data-points")).toBe(String(triples));
    await select("Tier").selectOption("0");
    const kept = (scoredBy("F-BD") as { fate: string }).fate.split("k").length - 1;
    await select("Show").selectOption("kept");
    expect(await page.locator("#picture .scatter").first().getAttribute("data-points")).toBe(String(kept));
    await select("Show").selectOption("all");
    await page.getByRole("button", { name: "team size" }).first().click();
    const sizes = new Set(scoredBy("F-BD").teams.map((team) => team.length));
    expect(await page.locator("#picture .panel:first-child .dots path").count()).toBe(sizes.size);
    await page.locator("#picture").screenshot({ path: `${screenshots}/action-by-size.png` });
    expect(await layoutFaults(page)).toEqual([]);
  });

  test("the table filters by member and size, sorts, turns pages and copies itself", async () => {
    const { page } = opened;
    const teams = async () => (await page.locator("#teams tbody th").allInnerTexts()).map((text) => text.trim().split(",").map(Number));
    await page.locator("#teams").getByLabel("Teams").selectOption("scored F-GD");
    await page.locator("#teams").getByLabel("With member").selectOption("4");
    await page.locator("#teams").getByLabel("Size").selectOption("3");
    const expected = scoredBy("F-GD").teams.filter((team) => team.length === 3 && containsTeam(team, [4]));
    expect(await page.locator("#teams .pager span").innerText()).toContain(`of ${expected.length} teams`);
    for (const team of await teams()) expect(team.length === 3 && team.includes(4)).toBe(true);

    await page.getByRole("button", { name: "Score" }).click();
    const first = scoredBy("F-GD").teams.map((team, i) => ({ team, score: scoredBy("F-GD").score[i] })).filter(({ team }) => expected.some((each) => teamKey(each) === teamKey(team)));
    expect((await teams())[0]).toEqual(first.reduce((a, b) => (b.score > a.score ? b : a)).team);
    expect(await page.locator("#teams th[aria-sort=descending]").innerText()).toContain("Score");
    await page.getByRole("button", { name: "next" }).click();
    expect(await page.locator("#teams .pager span").innerText()).toMatch(/^16–/);

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "copy as CSV" }).click();
    await page.getByRole("button", { name: "copied" }).waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split(/\r?\n/);
    expect(lines.length).toBe(expected.length + 1);
  });

  test("a pruned pair shows everything it cut off", async () => {
    const { page } = opened;
    const metric = (await page.locator("#picture .scatter").first().getAttribute("data-metric"))!;
    const scored = scoredBy(metric) as { teams: number[][]; fate: string };
    const pair = scored.teams.find((team, i) => team.length === 2 && scored.fate[i] === "p")!;
    await page.locator("#tiers select").selectOption({ label: teamKey(pair) });
    const text = await page.locator("#tiers .cut-off").innerText();
    const M = study!.pool.models.length;
    for (const size of [3, 4, 5]) expect(text).toContain(`${supersetCount(M, 2, size)} of size ${size}`);
    await page.locator("#tiers summary").click();
    expect((await page.locator("#tiers .team-list").first().innerText()).match(/\d+,\d+,\d+/g)!.length).toBe(supersetCount(M, 2, 3));
    expect(await page.locator("#tiers .cut-by-team").count()).toBe(3);
    await page.locator("#tiers").screenshot({ path: `${screenshots}/action-cut-off.png` });
  });

  test("a focal model changes the map to its failures", async () => {
    const { page } = opened;
    await page.locator("#co-failures").getByLabel("Focal model").selectOption("2");
    const failures = study!.co_failures[2][2];
    await page.locator('#co-failures [data-pair="4,7"]').hover();
    const expected = study!.focal_co_failures[2][4][7];
    expect(await page.locator("#co-failures .tip").innerText()).toContain(`${count(expected)} of ${count(failures)} samples`);
    await page.locator("#co-failures").screenshot({ path: `${screenshots}/action-focal.png` });
  });

  test("the theme turns at the press of a button", async () => {
    const { page } = opened;
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await paper()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "dark theme" }).click();
    expect(await paper()).toBe("rgb(21, 24, 28)");
  });

  test("everything is reached by keyboard and has a name", async () => {
    const { page } = opened;
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, a, [tabindex]")]
        .filter((each) => !(each.textContent?.trim() || each.getAttribute("aria-label") || each.closest("label")?.textContent?.trim()))
        .map((each) => each.outerHTML.slice(0, 80)));
    expect(nameless).toEqual([]);
    const unlabelled = await page.evaluate(() => [...document.querySelectorAll("svg")].filter((each) => !each.hasAttribute("aria-label") && each.getAttribute("aria-hidden") !== "true").length);
    expect(unlabelled).toBe(0);
    const reached = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement!.closest("section, header")?.id ?? ""));
    }
    for (const id of ["verdict", "picture", "tiers", "co-failures"]) expect(reached).toContain(id);
  });

  test("arrow keys walk through the teams, Enter pins", async () => {
    const { page } = opened;
    const svg = page.locator("#picture .scatter").first();
    const metric = (await svg.getAttribute("data-metric"))!;
    await svg.focus();
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
    const { teams, score } = scoredBy(metric);
    const order = teams.map((_, i) => i).sort((a, b) => score[a] - score[b] || a - b);
    expect(await pinned()).toContain(teamKey(teams[order[order.length - 2]]));
  });

  test("it prints in light colours, without controls, on any theme", async () => {
    // Of Cora: the deciding samples of five members with long names of classes, as here, are wider than a sheet.
    const { page } = await openReport(browser, reportOf(studyOf("cora-10-val")));
    await page.getByRole("button", { name: "dark theme" }).click();
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    expect(await page.locator(".controls:visible").count()).toBe(0);
    const sheet = { width: 703, height: 1000 }; // A4 between its margins
    await page.setViewportSize(sheet);
    expect(await layoutFaults(page)).toEqual([]);
    await page.screenshot({ path: `${screenshots}/print.png`, fullPage: true });
    expect((await page.pdf({ path: `${screenshots}/print.pdf`, format: "A4" })).length).toBeGreaterThan(10_000);
    await page.close();
  });
});
