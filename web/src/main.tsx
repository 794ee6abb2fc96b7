// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./app";
import { isCascades } from "./cascade";
import { CascadePage } from "./cascade_page";
import { ComparePage } from "./compare_page";
import { isComparison, readPage } from "./data";
import { shorten, visible } from "./format";
import "./style.css";

const page = document.getElementById("page")!;
const holder = document.getElementById("study");

readPage(holder?.textContent ?? "").then(
  (content) => {
    holder?.remove();
    document.title = `HQE report: ${visible(shorten(content.pool.name, 80))}`;
    page.replaceChildren();
    render(isCascades(content) ? <CascadePage cascades={content} /> : isComparison(content) ? <ComparePage comparison={content} /> : <App study={content} />, page);
  },
  (reason: unknown) => {
    const text = document.createElement("p");
    text.className = "failure";
    text.textContent = reason instanceof Error ? reason.message : String(reason);
    page.replaceChildren(text);
  },
);
