// SPDX-License-Identifier: MIT
/** Many marks in a plot: SVG paths for few, one bitmap for many. */
import { useMemo } from "preact/hooks";
import { css, type Colour } from "./palette";

export const shapes = ["circle", "square", "triangle", "diamond", "plus", "bar", "ring"] as const;
export type Shape = (typeof shapes)[number] | "cross";

/** Points of one look; `x`, `y` in pixels of the plot. */
export interface DotGroup {
  shape: Shape;
  colour: Colour;
  radius: number;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** Above this many points the marks become a bitmap. */
export const bitmapAbove = 5000;

export const isStroked = (shape: Shape) => shape === "cross" || shape === "plus" || shape === "ring";

export function shapePath(shape: Shape, x: number, y: number, r: number): string {
  const at = (dx: number, dy: number) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`;
  switch (shape) {
    case "circle":
    case "ring":
      return `M${at(-r, 0)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`;
    case "square":
      return `M${at(-r * 0.9, -r * 0.9)}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`;
    case "triangle":
      return `M${at(0, -1.2 * r)}L${at(1.1 * r, 0.8 * r)}L${at(-1.1 * r, 0.8 * r)}z`;
    case "diamond":
      return `M${at(0, -1.3 * r)}L${at(1.1 * r, 0)}L${at(0, 1.3 * r)}L${at(-1.1 * r, 0)}z`;
    case "bar":
      return `M${at(-0.5 * r, -1.3 * r)}h${r}v${2.6 * r}h${-r}z`;
    case "plus":
      return `M${at(-1.2 * r, 0)}h${2.4 * r}M${at(0, -1.2 * r)}v${2.4 * r}`;
    case "cross":
      return `M${at(-r, -r)}l${2 * r},${2 * r}M${at(-r, r)}l${2 * r},${-2 * r}`;
  }
}

interface DotsProps {
  groups: readonly DotGroup[];
  width: number;
  height: number;
  dark: boolean;
}

export function Dots({ groups, width, height, dark }: DotsProps) {
  const total = groups.reduce((sum, group) => sum + group.x.length, 0);
  const bitmap = useMemo(
    () => (total > bitmapAbove ? drawBitmap(groups, width, height, dark) : null),
    [groups, width, height, total > bitmapAbove && dark],
  );
  const printed = useMemo(
    () => (dark && total > bitmapAbove ? drawBitmap(groups, width, height, false) : null),
    [groups, width, height, dark],
  );
  if (bitmap)
    return (
      <>
        <image href={bitmap} width={width} height={height} class={printed ? "dots on-screen" : "dots"} />
        {printed && <image href={printed} width={width} height={height} class="dots on-paper" />}
      </>
    );
  return (
    <g class="dots">
      {groups.map((group) => {
        let path = "";
        for (let i = 0; i < group.x.length; i++) path += shapePath(group.shape, group.x[i], group.y[i], group.radius);
        return <path d={path} style={markStyle(group.shape, group.colour)} data-count={group.x.length} />;
      })}
    </g>
  );
}

export function markStyle(shape: Shape, colour: Colour) {
  return isStroked(shape) ? { fill: "none", stroke: css(colour) } : { fill: css(colour) };
}

/**
 * A mark is a square of 2 or 3 device pixels. Where marks pile up the pixel becomes more opaque and
 * takes the mean of their colours, so that no group hides another.
 */
function drawBitmap(groups: readonly DotGroup[], width: number, height: number, dark: boolean): string {
  const ratio = 2;
  const canvas = document.createElement("canvas");
  const columns = (canvas.width = Math.max(1, Math.round(width * ratio)));
  const rows = (canvas.height = Math.max(1, Math.round(height * ratio)));
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(columns, rows);
  const total = groups.reduce((sum, group) => sum + group.x.length, 0);
  const side = total > 100_000 ? 2 : 3;
  const step = total > 100_000 ? 30 : 120;
  const sums = new Float32Array(4 * columns * rows);
  for (const { x, y, colour } of groups) {
    const [red, green, blue] = channels(dark ? colour.dark : colour.light);
    const marks = marksAt(x, y, ratio, columns, rows);
    for (let top = 0; top < rows; top++)
      for (let left = 0; left < columns; left++) {
        const many = marks[top * columns + left];
        if (many === 0) continue;
        for (let row = top; row < Math.min(rows, top + side); row++)
          for (let column = left; column < Math.min(columns, left + side); column++) {
            const at = 4 * (row * columns + column);
            sums[at] += many * red;
            sums[at + 1] += many * green;
            sums[at + 2] += many * blue;
            sums[at + 3] += many;
          }
      }
  }
  for (let at = 0; at < sums.length; at += 4) {
    const marks = sums[at + 3];
    if (marks === 0) continue;
    for (let channel = 0; channel < 3; channel++) image.data[at + channel] = sums[at + channel] / marks;
    image.data[at + 3] = Math.min(255, 40 + step * marks);
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** How many marks begin at each pixel: counted first, so that a million cost little more than a picture. */
function marksAt(x: ArrayLike<number>, y: ArrayLike<number>, ratio: number, columns: number, rows: number): Uint32Array {
  const marks = new Uint32Array(columns * rows);
  for (let i = 0; i < x.length; i++) {
    const left = Math.max(0, Math.round(x[i] * ratio) - 1);
    const top = Math.max(0, Math.round(y[i] * ratio) - 1);
    if (left < columns && top < rows) marks[top * columns + left]++;
  }
  return marks;
}

/** "#rrggbb" as three numbers. */
function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
