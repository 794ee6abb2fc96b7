// SPDX-License-Identifier: MIT
/** What is too wide or too long: boxes that scroll and say so, names that are shortened and say all on demand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { longStudy } from "../../fixtures/hostile";
import { reportOf } from "../../fixtures/report";
import { launch, openReport } from "./open";

const study = longStudy();
let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

test("a wide table says on which side there is more, and scrolls by keyboard", async () => {
  const { page, noise } = await openReport(browser, reportOf(study), { width: 1400 });
  const box = page.locator("#samples .scroll-box");
  const cues = () => box.evaluate((element) => ["::before", "::after"].map((side) => Number(getComputedStyle(element, side).opacity)));
  const table = box.locator(".scroll");
  await expect.poll(cues).toEqual([0, 1]);
  expect(await table.getAttribute("role")).toBe("region");
  await table.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(cues).toEqual([1, 1]);
  const atEnd = () => table.evaluate((element) => element.scrollLeft + element.clientWidth >= element.scrollWidth - 1);
  for (let press = 0; press < 100 && !(await atEnd()); press++) await page.keyboard.press("ArrowRight");
  await expect.poll(cues).toEqual([1, 0]);
  expect(await page.evaluate(() => document.documentElement.scrollLeft)).toBe(0);
  expect(noise).toEqual([]);
  await page.close();
});

test("a table with room enough has no cue and takes no stop of the keyboard", async () => {
  const { page } = await openReport(browser, reportOf(study), { width: 1400 });
  const table = page.locator("#verdict .scroll");
  expect(await table.getAttribute("tabindex")).toBeNull();
  expect(await table.locator("..").getAttribute("class")).toBe("scroll-box");
  await page.setViewportSize({ width: 390, height: 900 });
  await expect.poll(() => table.getAttribute("tabindex")).toBe("0");
  await page.close();
});

test("a shortened name is whole under the pointer", async () => {
  const { page } = await openReport(browser, reportOf(study), { width: 390 });
  const name = study.pool.models[2].name;
  const label = page.locator("#co-failures .map text").filter({ hasText: name });
  await label.scrollIntoViewIfNeeded();
  const [shown, told, hit] = await label.evaluate((text) => {
    const box = text.getBoundingClientRect();
    const under = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [text.childNodes[1].textContent!, text.querySelector("title")!.textContent!, under === text];
  });
  expect(told).toContain(name);
  expect(shown).toContain("…");
  expect(shown.length).toBeLessThan(name.length);
  expect(hit).toBe(true);
  await page.close();
});

test("the arrow keys bring a cell of a wide map into view, its words beside it", async () => {
  const many = { ...study, pool: { ...study.pool, models: Array.from({ length: 40 }, (_, id) => ({ ...study.pool.models[id % 9], id })) } };
  const fails = many.pool.models.map((model) => many.pool.samples - model.correct);
  const { page } = await openReport(browser, reportOf({ ...many, co_failures: fails.map((a, i) => fails.map((b, j) => (i === j ? a : Math.min(a, b) >> 1))) }), { width: 390 });
  const map = page.locator("#co-failures .map").first();
  await map.focus();
  for (let i = 0; i < 35; i++) await page.keyboard.press("ArrowRight");
  const frame = (await page.locator("#co-failures .scroll").boundingBox())!;
  for (const each of [map.locator("rect.active"), page.locator("#co-failures .tip")]) {
    const box = (await each.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(frame.x);
    expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width + 1);
  }
  await page.close();
});
