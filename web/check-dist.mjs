// SPDX-License-Identifier: MIT
// Rebuilds the template beside the committed one and fails when they differ.
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), "hqe-report-"));
try {
  await build({ root, logLevel: "error", build: { outDir: fresh, emptyOutDir: true } });
  const same = readFileSync(join(fresh, "report.html")).equals(readFileSync(join(root, "dist/report.html")));
  console.log(same ? "web/dist/report.html is what web/src builds" : "web/dist/report.html is stale: run npm run build in web/ and commit it");
  process.exitCode = same ? 0 : 1;
} finally {
  rmSync(fresh, { recursive: true });
}
