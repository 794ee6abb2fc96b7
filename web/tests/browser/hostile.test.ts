// SPDX-License-Identifier: MIT
/** Names and texts that want to break the page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { bigStudy } from "../../fixtures/big";
import { reportOf } from "../../fixtures/report";
import { comparisonOf, trustOf } from "../../fixtures/trust";
import { layoutFaults } from "./layout";
import { launch, openReport, screenshots } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const hostile = [
  "</script><img src=x onerror=alert(1)>",
  "\"quoted\" 'names' & <b>bold</b>",
  "evil\u202Egpj.exe \u2067right to left",
  "n".repeat(300),
  "模型 😀 עברית العربية ñ\u0301 \u2028 line",
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} <!--",
  "",
];

/** A small study in which every text is hostile. */
function hostileStudy() {
  const study = bigStudy(7);
  study.pool.models.forEach((model, id) => (model.name = hostile[id]));
  const M = 7;
  const fails = study.pool.models.map((model) => study.pool.samples - model.correct);
  return {
    ...study,
    pool: { ...study.pool, name: hostile[0], about: hostile[3], licence: hostile[1], source: hostile[2], classes: hostile },
    recommended: { ...study.recommended, why: hostile[0] },
    trust: trustOf(M, study.recommended.team, hostile.join(" ")),
    warnings: hostile.slice(0, 6),
    co_failures: fails.map((a, i) => fails.map((b, j) => (i === j ? a : Math.round(Math.min(a, b) * 0.5)))),
    focal_co_failures: fails.map((f) => fails.map(() => Array.from({ length: M }, () => Math.round(f * 0.4)))),
    deciding_samples: {
      team: [0, 1, 2, 3, 4], repaired: 2, broken: 0,
      samples: [0, 1].map((sample) => ({ sample, truth: 0, answer: 0, repaired: true, members: [0, 1, 2, 3, 4].map((model) => ({ model, classes: [model, 0, 3], confidences: [0.5, 0.3, 0.2] })) })),
    },
  };
}

for (const width of [1200, 390])
  test(`hostile text is shown, never run, and breaks nothing at ${width} pixels`, async () => {
    const html = reportOf(hostileStudy());
    expect(html.match(/<\/script>/g)!.length).toBe(2);
    const { page, noise } = await openReport(browser, html, { width });
    expect(await page.locator("h1").innerText()).toBe(hostile[0]);
    expect(await page.locator("#page img, #page b, #page script").count()).toBe(0);
    expect(await page.title()).toContain(hostile[0]);
    await page.locator("#co-failures .map").hover();
    await page.locator("#co-failures select").selectOption("0");
    await page.screenshot({ path: `${screenshots}/hostile-${width}.png`, fullPage: true });
    expect(await layoutFaults(page)).toEqual([]);
    expect(noise).toEqual([]);
    await page.close();
  });

for (const [look, options] of Object.entries({ light: {}, dark: { dark: true }, phone: { width: 390 } }))
  test(`a comparison of methods opens with nothing cut off: ${look}`, async () => {
    const { page, noise } = await openReport(browser, reportOf(comparisonOf()), options);
    expect(await page.locator("#ranks circle").count()).toBe(8);
    expect(await page.locator("#ranks .group").count()).toBe(3);
    expect(await page.locator("#methods tbody tr").count()).toBe(10);
    await page.screenshot({ path: `${screenshots}/comparison-${look}.png`, fullPage: true });
    expect(await layoutFaults(page)).toEqual([]);
    expect(noise).toEqual([]);
    await page.close();
  });

test("hostile text in a comparison is shown, never run", async () => {
  const { page, noise } = await openReport(browser, reportOf(comparisonOf(hostile.join(" "))), { width: 390 });
  expect(await page.locator("#page img, #page b, #page script").count()).toBe(0);
  expect(await layoutFaults(page)).toEqual([]);
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
