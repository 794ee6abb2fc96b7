// SPDX-License-Identifier: MIT
/** What a reader does with the map of co-failures: points at a cell, or walks through the cells by keys. */
import { useRef, useState } from "preact/hooks";
import { top, type MapLayout } from "./failure_layout";

/** A row and a column of the map. */
export type Cell = readonly [number, number];

export function useCells({ size, cell, left }: MapLayout) {
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Cell | null>(null);
  const leave = () => setActive(null);

  const onPointerMove = (event: PointerEvent) => {
    const frame = (event.currentTarget as SVGElement).getBoundingClientRect();
    const column = Math.floor((event.clientX - frame.left - left) / cell);
    const row = Math.floor((event.clientY - frame.top - top) / cell);
    setActive(column >= 0 && column < size && row >= 0 && row < size ? [row, column] : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = active ?? [0, -1];
    const clamp = (value: number) => Math.max(0, Math.min(size - 1, value));
    const next: Cell = [clamp(row + step[0]), clamp(column + step[1])];
    setActive(next);
    bringIntoView(left + next[1] * cell);
  };
  /** Scrolls the box to the column that begins at `x`. */
  const bringIntoView = (x: number) => {
    const { scrollLeft, clientWidth } = box.current!;
    if (x < scrollLeft || x + cell > scrollLeft + clientWidth) box.current!.scrollLeft = x - clientWidth / 2;
  };
  return { box, active, leave, on: { onKeyDown, onBlur: leave, onPointerLeave: leave, onPointerMove } };
}
