// SPDX-License-Identifier: MIT
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

/** Names the page's own script in its security policy, so that no other script can run. */
function nameScriptInPolicy(): Plugin {
  return {
    name: "name-script-in-policy",
    writeBundle({ dir }) {
      const built = join(dir!, "index.html");
      const html = readFileSync(built, "utf8").replaceAll(/ crossorigin(?=[ >])/g, "");
      const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html);
      if (!script) throw new Error("the built page has no inline script");
      const hash = createHash("sha256").update(script[1]).digest("base64");
      writeFileSync(join(dir!, "report.html"), html.replace("'sha256-of-the-script'", `'sha256-${hash}'`));
      rmSync(built);
    },
  };
}

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), nameScriptInPolicy()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2022", modulePreload: false, reportCompressedSize: false },
});
