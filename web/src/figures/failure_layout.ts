// SPDX-License-Identifier: MIT
/** Where the map of co-failures puts names, cells, bars and accuracies: as much room as their texts take. */
import type { Study } from "../data";
import { isolate, percent, percentDigits } from "../format";
import { textWidth, widest } from "../parts/ruler";

const narrowBelow = 600;
const [shortestBar, longestBar] = [6, 62];

/** Where the first row begins, below the ids of the columns. */
export const top = 26;

export function mapLayout({ models, samples }: Study["pool"], width: number) {
  const narrow = width < narrowBelow;
  const accuracies = models.map((model) => model.correct / samples);
  const accuracyTexts = accuracies.map((accuracy) => percent(accuracy, narrow ? 1 : percentDigits(samples)));
  const columns = columnsOf(width, narrow, models.map((model) => model.name), accuracyTexts);
  const { cell, left, right } = columns;
  const extent = cell * models.length;
  return {
    ...columns,
    size: models.length,
    accuracyTexts,
    bars: barsOf(accuracies, narrow),
    narrow,
    end: left + extent,
    width: left + extent + right,
    height: top + extent + 8,
    /** Whether the cells have room for their shares. */
    numbers: cell >= textWidth("100", { size: 11 }) + 4,
  };
}

export type MapLayout = ReturnType<typeof mapLayout>;

/** Names and ids on the left, then the cells, then bars and accuracies. */
function columnsOf(width: number, narrow: boolean, names: readonly string[], accuracies: readonly string[]) {
  const ids = names.map((_, id) => String(id));
  const sides = (size: number) => {
    const name = Math.min(Math.ceil(widest(names.map(isolate), { size, bold: true })), Math.max(80, 0.2 * width));
    const figures = (narrow ? shortestBar : longestBar) + 4 + widest(accuracies, { size: Math.min(12, size) });
    return { name, left: Math.ceil(name + 8 + widest(ids, { size }) + 10), right: Math.ceil(8 + Math.max(figures, narrow ? 0 : textWidth("accuracy"))) };
  };
  const largest = sides(13);
  const cell = Math.max(narrow ? 14 : 11, Math.min(44, Math.floor((width - largest.left - largest.right) / names.length)));
  const font = Math.min(13, Math.max(9, cell - 2));
  return { cell, font, ...sides(font), every: Math.ceil((widest(ids, { size: font }) + 3) / cell) };
}

/** How long the bars of the accuracies are; where there is little room all of them are short. */
function barsOf(accuracies: readonly number[], narrow: boolean): number[] {
  const [worst, best] = [Math.min(...accuracies), Math.max(...accuracies)];
  return accuracies.map((accuracy) => shortestBar + (narrow ? 0 : ((accuracy - worst) / (best - worst || 1)) * (longestBar - shortestBar)));
}
