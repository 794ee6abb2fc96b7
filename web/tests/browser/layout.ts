// SPDX-License-Identifier: MIT
/** Text that overflows its box, lies on other text or is cut off without a word, found by element boxes. */
import type { Page } from "playwright-core";

/** One line for each fault; empty when the page is clean. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    type Box = { left: number; right: number; top: number; bottom: number };
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth + 1) faults.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);

    const frames = new Map<Element, Box>();
    /** What the boxes around an element let through of it. */
    const frameOf = (element: Element | null): Box => {
      if (!element) return { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      let frame = frames.get(element);
      if (!frame) {
        frame = frameOf(element.parentElement);
        if (element.tagName !== "svg" && getComputedStyle(element).overflowX !== "visible") frame = common(frame, element.getBoundingClientRect());
        frames.set(element, frame);
      }
      return frame;
    };
    const common = (a: Box, b: Box): Box => ({ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) });
    const clipped = (box: Box, element: Element): Box | null => {
      const seen = common(box, frameOf(element));
      return seen.right - seen.left > 1 && seen.bottom - seen.top > 1 ? seen : null;
    };

    const texts: { box: Box; text: string; node: Node }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (!node.textContent!.trim() || element.closest(".hidden, .ruler, .tip, option, title, script, style, noscript") || !element.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = clipped(rect, element);
        if (box) texts.push({ box, text: node.textContent!.trim().slice(0, 40), node });
        const svg = element.closest("svg");
        const frame = svg?.getBoundingClientRect();
        if (frame && (rect.left < frame.left - 1 || rect.right > frame.right + 1 || rect.top < frame.top - 1 || rect.bottom > frame.bottom + 1))
          faults.push(`"${node.textContent}" leaves its figure (${svg!.getAttribute("class")})`);
      }
      const style = getComputedStyle(element);
      if (element instanceof HTMLElement && style.display !== "inline" && style.overflowX === "visible" && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        faults.push(`"${node.textContent!.trim().slice(0, 40)}" overflows its ${element.tagName} (${element.scrollWidth} in ${element.clientWidth})`);
    }

    for (const element of document.querySelectorAll<HTMLElement>("#page *:not(svg, svg *)")) {
      if (element.scrollWidth <= element.clientWidth + 1) continue;
      const style = getComputedStyle(element);
      if (style.overflowX === "visible" || element.closest(".hidden") || !element.checkVisibility()) continue;
      const named = `"${element.textContent!.trim().slice(0, 40)}"`;
      if (style.overflowX === "auto") {
        const cue = getComputedStyle(element.parentElement!, "::after");
        const seen = cue.content !== "none" && Number(cue.opacity) === 1 && parseFloat(cue.width) > 10;
        if (element.scrollLeft === 0 && !seen) faults.push(`${named} scrolls, and nothing shows it`);
        if (element.tabIndex !== 0 || !element.getAttribute("aria-label")) faults.push(`${named} scrolls, but not by keyboard`);
      } else if (style.textOverflow !== "ellipsis" || !element.title) faults.push(`${named} is cut off`);
    }

    texts.sort((a, b) => a.box.top - b.box.top);
    const slack = 2;
    for (let i = 0; i < texts.length; i++)
      for (let j = i + 1; j < texts.length && texts[j].box.top < texts[i].box.bottom - slack; j++) {
        const [a, b] = [texts[i], texts[j]];
        if (a.node === b.node) continue;
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > slack && down > slack + 2) faults.push(`"${a.text}" and "${b.text}" overlap`);
      }
    return [...new Set(faults)];
  });
}
