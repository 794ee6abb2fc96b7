// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./app";
import { readStudy } from "./data";
import "./style.css";

const page = document.getElementById("page")!;
const holder = document.getElementById("study");

readStudy(holder?.textContent ?? "").then(
  (study) => {
    holder?.remove();
    document.title = `HQE report: ${study.pool.name}`;
    page.replaceChildren();
    render(<App study={study} />, page);
  },
  (reason: unknown) => {
    const text = document.createElement("p");
    text.className = "failure";
    text.textContent = reason instanceof Error ? reason.message : String(reason);
    page.replaceChildren(text);
  },
);
