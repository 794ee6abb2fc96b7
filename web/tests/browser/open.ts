// SPDX-License-Identifier: MIT
/** Debian's chromium, and a page that fails the test on any noise. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";

export const screenshots = fileURLToPath(new URL("../../../build/screenshots", import.meta.url));
mkdirSync(screenshots, { recursive: true });

/** The fonts that a reader's machine may have, each described by a file of tests/fonts. */
export const fontSets = { dejavu: "DejaVu", liberation: "Liberation", noto: "Noto" } as const;
export type FontSet = keyof typeof fontSets;

/** A browser on a machine with only those fonts; DejaVu, the widest, is what a bare Debian has. */
export function launch(fonts: FontSet = "dejavu"): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL(`../fonts/${fonts}.conf`, import.meta.url)) },
  });
}

export interface Opened {
  page: Page;
  /** Console errors, page errors and requests beyond the file itself. */
  noise: string[];
}

interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
}

export async function openReport(browser: Browser, html: string, { width = 1200, height = 900, dark = false }: Look = {}): Promise<Opened> {
  const file = join(tmpdir(), `hqe-report-${process.pid}-${Math.random().toString(36).slice(2)}.html`);
  writeFileSync(file, html);
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
  page.setDefaultTimeout(120_000); // A busy machine is slow, not broken.
  const noise: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && noise.push(message.text()));
  page.on("pageerror", (error) => noise.push(String(error)));
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && noise.push(request.url()));
  page.on("dialog", (dialog) => { noise.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("main, .failure");
  rmSync(file);
  return { page, noise };
}
