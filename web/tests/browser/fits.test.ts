// SPDX-License-Identifier: MIT
/** Pages fit their reader: whatever fonts the machine has, however wide the window, on light and dark paper. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { hostile, hostileStudy, longStudy } from "../../fixtures/hostile";
import { reportOf } from "../../fixtures/report";
import { cascadesOf } from "../../fixtures/serving";
import { absent, cascadePage, command, comparePage, demo, named, notBuilt, pools, prune, studyOf } from "../../fixtures/studies";
import { comparisonOf } from "../../fixtures/trust";
import { layoutFaults } from "./layout";
import { fontSets, launch, openReport, screenshots, type FontSet } from "./open";

const widths = [1400, 768, 390];

const pages: [name: string, html: string][] = [
  ["long names", reportOf(longStudy())],
  ["hostile names", reportOf(hostileStudy())],
  ["a comparison", reportOf(comparisonOf())],
  ["a hostile comparison", reportOf(comparisonOf(hostile.join(" ")))],
  ["cascades", reportOf(cascadesOf())],
  ["hostile cascades", reportOf(cascadesOf(hostile.join(" "), "test"))],
];
for (const { name } of pools) {
  const study = studyOf(name);
  if (study) pages.push([name, reportOf(study)]);
  else test.skip(named(name, study, absent(name)), () => {});
}
if (command) {
  pages.push(["the demo", prune(demo[0], "--test", demo[1]).page]);
  pages.push(["the demo's comparison", comparePage(demo[0], "--repeats", "4")]);
  pages.push(["the demo's cascades", cascadePage(demo[0], "--test", demo[1], "--team", "9,10,12")]);
} else test.skip(named("the demo's pages", command, notBuilt), () => {});

/** Drawn again: figures follow the window in a frame of their own. */
const settled = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function familyOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  return (await session.send("CSS.getPlatformFontsForNode", { nodeId })).fonts.map((font) => font.familyName);
}

const probes = new Map<FontSet, number>();

for (const fonts of Object.keys(fontSets) as FontSet[])
  describe(`with the fonts of ${fontSets[fonts]}`, () => {
    let browser: Browser;
    beforeAll(async () => void (browser = await launch(fonts)));
    afterAll(() => browser.close());

    test("the page is written in them (scripts/setup test installs them)", async () => {
      const { page } = await openReport(browser, pages[0][1]);
      expect(await familyOf(page, "h1 bdi")).toEqual([`${fontSets[fonts]} Serif`]);
      expect(await familyOf(page, ".facts")).toEqual([`${fontSets[fonts]} Sans`]);
      expect(await familyOf(page, "#co-failures .map text")).toEqual([`${fontSets[fonts]} Sans`]);
      probes.set(fonts, await page.evaluate(() => {
        const pen = document.createElement("canvas").getContext("2d")!;
        pen.font = `100px ${getComputedStyle(document.body).fontFamily}`;
        return pen.measureText("resnext101_32x48d: 97.53 % of the samples").width;
      }));
      await page.close();
    });

    for (const [name, html] of pages)
      test(`${name}: nothing is cut off or covered`, async () => {
        const { page, noise } = await openReport(browser, html, { width: widths[0] });
        const faults: string[] = [];
        for (const width of widths)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            await settled(page);
            faults.push(...(await layoutFaults(page)).map((fault) => `${width} ${colorScheme}: ${fault}`));
            if (fonts === "dejavu" && colorScheme === (width === 390 ? "dark" : "light"))
              await page.screenshot({ path: `${screenshots}/${name.replaceAll(/[^\w-]+/g, "-")}-${width}.png`, fullPage: true });
          }
        expect(faults).toEqual([]);
        expect(noise).toEqual([]);
        await page.close();
      });
  });

test("the three sets of fonts are three different widths of text", () => {
  expect(new Set([...probes.values()].map((width) => width.toFixed(1))).size).toBe(Object.keys(fontSets).length);
  expect(probes.get("dejavu")! / probes.get("liberation")!).toBeGreaterThan(1.08);
});
