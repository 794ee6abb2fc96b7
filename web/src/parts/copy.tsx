// SPDX-License-Identifier: MIT
/** A button that copies a table as CSV. */
import { useState } from "preact/hooks";

export function CopyButton({ text }: { text: () => string }) {
  const [state, setState] = useState("copy as CSV");
  const copy = async () => {
    setState((await copyText(text())) ? "copied" : "copying was refused");
    setTimeout(() => setState("copy as CSV"), 2000);
  };
  return <button type="button" class="copy" onClick={copy} aria-live="polite">{state}</button>;
}

/** The clipboard, or where a page from disk may not use it, a selected text area. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
