// SPDX-License-Identifier: MIT
/** Reports of real pools: they are small, and their numbers are the study's. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { reportOf } from "../../fixtures/report";
import { absent, command, named, notBuilt, pageByCommand, pools, studyIn, studyOf } from "../../fixtures/studies";
import { readStudy } from "../../src/data";
import { count, percent, percentDigits, points, teamKey } from "../../src/format";
import { judgedDifference, rivalWords, verdictWords, type Trust } from "../../src/trust";
import { launch, openReport } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

/** A page holds no costs of teams: it adds up those of its models. */
const withoutTeamCosts = <T>(study: T): T =>
  JSON.parse(JSON.stringify(study), function (this: object, key, value) {
    return key === "costs" && "score" in this ? undefined : value;
  });

for (const { name } of pools) {
  const study = studyOf(name);
  if (!study) {
    test.skip(named(name, study, absent(name)), () => {});
    continue;
  }
  const html = reportOf(study);
  describe(name, () => {
    test("a small pool's report stays under 600 kB", () => {
      const page = command ? pageByCommand({ ...study, sweep: [] }) : html;
      expect(page.length).toBeLessThan(600_000);
    });

    test.skipIf(!command)(named("the command's page holds the same study", command, notBuilt), async () => {
      const plain = { ...study, sweep: [] };
      const held = await readStudy(studyIn(pageByCommand(plain)));
      expect(held).toEqual(await readStudy(JSON.stringify(withoutTeamCosts(plain))));
    });

    test("says what the study says", async () => {
      const { page } = await openReport(browser, html);
      const text = (selector: string) => page.locator(selector).allInnerTexts();
      const { samples } = study.pool;
      const digits = percentDigits(samples);

      const rows = await text("#verdict .comparison tbody tr");
      const figures = [study.recommended, study.reference, study.baselines.best_single, study.baselines.most_accurate, study.baselines.best_of_size];
      expect(rows.length).toBe(figures.length);
      figures.forEach((each, place) => {
        expect(rows[place]).toContain(percent(each.correct / samples, digits));
        expect(rows[place]).toContain(points((each.correct - study.reference.correct) / samples, digits));
      });
      const { trust } = study as { trust?: Trust };
      const { test } = study as { test?: { pool: { name: string; samples: number }; reference: { correct: number }; recommended: { correct: number } } };
      if (test) {
        expect(rows[0]).toContain(percent(test.recommended.correct / test.pool.samples, digits));
        expect(rows[1]).toContain(percent(test.reference.correct / test.pool.samples, digits));
        expect(await page.locator("#verdict .honesty").innerText()).toContain(test.pool.name);
      } else expect(await page.locator("#verdict .honesty").innerText()).toContain(trust?.held_out === "half" ? "judged on a half" : "same samples");

      const judged = test ? (test.recommended.correct - test.reference.correct) / test.pool.samples : (study.recommended.correct - study.reference.correct) / samples;
      expect(await page.locator("#verdict .numbers dd").first().innerText()).toContain(points(judged, percentDigits(test?.pool.samples ?? samples)));

      if (trust) {
        const verdicts = await text("#verdict .verdicts li");
        expect(verdicts.length).toBe(trust.comparisons.length);
        trust.comparisons.forEach((each, place) => {
          expect(verdicts[place]).toContain(`${verdictWords(each)} ${rivalWords(each.against, each.team)}`);
          if (each.says !== "the same team") expect(verdicts[place]).toContain(`${points(judgedDifference(each).difference, percentDigits(each.samples))} points`);
        });
        const drawn = await page.locator("#trust .whiskers text").allTextContents();
        for (const { selection, held_out } of trust.teams)
          for (const figures of held_out ? [selection, held_out] : [selection])
            expect(drawn.some((line) => line.startsWith(percent(figures.accuracy, digits)) && line.includes((100 * figures.interval[0]).toFixed(digits)))).toBe(true);
      }

      const metrics = await text("#metrics .metrics tbody tr:not(.second)");
      [...study.selections, study.consensus].forEach((each, place) => {
        for (const value of [each.metric, count(each.selected), count(each.true_positive), percent(each.precision), percent(each.recall), percent(each.base_rate)])
          expect(metrics[place]).toContain(value);
      });

      const shown = (await page.locator("#picture .scatter").first().getAttribute("data-metric"))!;
      const scored = study.scored.find((each) => each.metric === shown)!;
      expect(await page.locator("#picture .scatter").first().getAttribute("data-points")).toBe(String(scored.teams.length));
      const drawn = await page.locator("#picture .panel:first-child .dots path").evaluateAll((paths) => paths.map((path) => Number(path.getAttribute("data-count"))));
      const kept = (scored.fate ?? "").split("k").length - 1;
      expect(drawn).toEqual([scored.teams.length - kept, kept]);

      const tiers = study.selections.find((each) => each.metric === shown)!.tiers;
      for (const tier of tiers) {
        const column = await page.locator(`#tiers [data-tier="${tier.size}"]`).textContent();
        for (const value of [`${count(tier.candidates - tier.pruned)} kept`, `${count(tier.pruned)} pruned`, `${count(tier.cut)} cut`]) expect(column).toContain(value);
      }

      const models = await text("#models tbody tr");
      for (const model of study.pool.models) expect(models.some((row) => row.includes(model.name) && row.includes(percent(model.correct / samples, digits)) && row.includes(count(samples - model.correct)))).toBe(true);

      const teams = await text("#teams tbody tr th");
      expect(teams.map((each) => each.trim())).toEqual(study.consensus.teams.slice(0, 15).map(({ team }) => teamKey(team)));
      expect(await page.locator("#picture .pinned-team h3").innerText()).toContain(teamKey(study.recommended.team));
      await page.close();
    });
  });
}
