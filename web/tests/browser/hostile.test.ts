// SPDX-License-Identifier: MIT
/** Names and texts that want to break the page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { bigStudy } from "../../fixtures/big";
import { hostile, hostileStudy } from "../../fixtures/hostile";
import { reportOf } from "../../fixtures/report";
import { comparisonOf } from "../../fixtures/trust";
import { layoutFaults } from "./layout";
import { launch, openReport } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

test("hostile text is shown and never run", async () => {
  const html = reportOf(hostileStudy());
  expect(html.match(/<\/script>/g)!.length).toBe(2);
  const { page, noise } = await openReport(browser, html);
  expect(await page.locator("h1").innerText()).toBe(hostile[0]);
  expect(await page.locator("#page img, #page b, #page script").count()).toBe(0);
  expect(await page.title()).toContain(hostile[0]);
  await page.locator("#co-failures .map").hover();
  await page.locator("#co-failures select").selectOption("0");
  expect(await layoutFaults(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.close();
});

test("a comparison of methods draws every method and its verdict", async () => {
  const { page, noise } = await openReport(browser, reportOf(comparisonOf()));
  expect(await page.locator("#ranks circle").count()).toBe(8);
  expect(await page.locator("#ranks circle.hollow").count()).toBe(3);
  expect(await page.locator("#methods tbody tr").count()).toBe(10);
  expect(noise).toEqual([]);
  await page.close();
});

test("the title of the page has no control characters and no marks of direction", async () => {
  const study = hostileStudy();
  const html = reportOf({ ...study, pool: { ...study.pool, name: "a\u001b[31m\u009bb\u202Ec\u200fd\u2028" + "n".repeat(300) } });
  const { page } = await openReport(browser, html);
  const title = await page.title();
  expect(title).toMatch(/^HQE report: a \[31m bcd n+…n+$/);
  expect(title.length).toBeLessThan(100);
  await page.close();
});

test("hostile text in a comparison is shown, never run", async () => {
  const { page, noise } = await openReport(browser, reportOf(comparisonOf(hostile.join(" "))));
  expect(await page.locator("#page img, #page b, #page script").count()).toBe(0);
  expect(noise).toEqual([]);
  await page.close();
});

test("the policy lets no other script run", async () => {
  const html = reportOf(hostileStudy()).replace("</body>", "<script>window.broken = true</script><img src=x onerror='window.broken = true'></body>");
  const { page, noise } = await openReport(browser, html);
  expect(await page.evaluate(() => "broken" in window)).toBe(false);
  expect(noise.join()).toContain("Content Security Policy");
  await page.close();
});

test("a template without a study says so", async () => {
  const { page, noise } = await openReport(browser, reportOf(null).replace(">null<", ">__HQE_STUDY_JSON__<"));
  expect(await page.locator(".failure").innerText()).toBe("This page holds no study yet.");
  expect(noise).toEqual([]);
  await page.close();
});

test("a study without detail, selections or recommendation still opens", async () => {
  const { scored: _, correlations: __, ...bare } = bigStudy(5);
  const { page, noise } = await openReport(browser, reportOf({ ...bare, selections: [], recommended: null, baselines: { best_single: null, most_accurate: null, best_of_size: null } }));
  expect(await page.locator("h2").first().innerText()).toBe("No team is recommended");
  expect(await layoutFaults(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.close();
});
