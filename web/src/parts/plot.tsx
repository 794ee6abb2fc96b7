// SPDX-License-Identifier: MIT
/** What the figures share: measured width, axes, and the place of a tooltip. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScaleContinuousNumeric } from "d3-scale";
import { firstFitting, textWidth, widest } from "./ruler";

export type Scale = ScaleContinuousNumeric<number, number>;

interface MeasuredProps {
  class: string;
  children: (width: number) => ComponentChildren;
}

const narrowest = 200;

/** A box that draws its content once its width is known, and again when that changes. */
export function Measured({ class: name, children }: MeasuredProps) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth((before) => {
      const now = Math.round(element.current?.clientWidth ?? 0);
      return now === 0 ? before : Math.max(narrowest, now); // Printing lays a page out at odd widths.
    });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return <div class={name} ref={element}>{width > 0 && children(width)}</div>;
}

interface Ticks {
  scale: Scale;
  /** About how many, or exactly which. */
  ticks: number | number[];
  format: (value: number) => string;
}

interface AxisProps extends Ticks {
  at: number;
  /** What follows its first comma is left out where there is no room. */
  label: string;
  /** Where grid lines end; nothing = no grid. */
  grid?: number;
}

/** The nearest place to `middle` at which a centred text of that width stays within [0, frame]. */
const within = (middle: number, width: number, frame: number) => Math.max(width / 2, Math.min(frame - width / 2, middle));

/** `frame`: the width of the figure, which no text leaves. */
export function AxisBottom({ scale, at, ticks, format, label, grid, frame }: AxisProps & { frame: number }) {
  const [left, right] = scale.range();
  const place = (tick: number) => within(scale(tick), textWidth(format(tick)), frame);
  const words = firstFitting([label, label.split(",")[0]], frame);
  return (
    <g class="axis" aria-hidden="true">
      <line x1={left} x2={right} y1={at} y2={at} />
      {spaced(ticksOf(scale, ticks), place, (tick) => textWidth(format(tick)) + 10).map((tick) => (
        <g key={tick} transform={`translate(${scale(tick)},${at})`}>
          {grid !== undefined && <line class="grid" y2={grid - at} />}
          <line y2="4" />
          <text x={place(tick) - scale(tick)} y="17" text-anchor="middle">{format(tick)}</text>
        </g>
      ))}
      <text class="label" x={within((left + right) / 2, textWidth(words), frame)} y={at + 36} text-anchor="middle">{words}</text>
    </g>
  );
}

export function AxisLeft({ scale, at, ticks, format, label, grid }: AxisProps) {
  const top = Math.min(...scale.range());
  return (
    <g class="axis" aria-hidden="true">
      {spaced(ticksOf(scale, ticks), (tick) => scale(tick), () => 18).map((tick) => (
        <g key={tick} transform={`translate(${at},${scale(tick)})`}>
          {grid !== undefined && <line class="grid" x2={grid - at} />}
          <text x="-8" dy="0.32em" text-anchor="end">{format(tick)}</text>
        </g>
      ))}
      <text class="label" y={top - 20} text-anchor="start">{label}</text>
    </g>
  );
}

/** The room that the ticks of a left axis need beside it. */
export const axisRoom = ({ scale, ticks, format }: Ticks) => Math.ceil(widest(ticksOf(scale, ticks).map(format))) + 10;

/** The ticks of shares, in per cent. */
export const percentTicks = (scale: Scale): Ticks => ({ scale, ticks: 6, format: (value) => `${+(100 * value).toFixed(3)}` });

const ticksOf = (scale: Scale, ticks: number | number[]) => (typeof ticks === "number" ? scale.ticks(ticks) : ticks);

/** Leaves out ticks whose texts, `room` pixels long about their places, would touch. */
export function spaced(ticks: number[], place: (tick: number) => number, room: (tick: number) => number): number[] {
  const kept: number[] = [];
  for (const tick of ticks) {
    const last = kept[kept.length - 1];
    if (!kept.length || Math.abs(place(tick) - place(last)) >= (room(tick) + room(last)) / 2) kept.push(tick);
  }
  return kept;
}

interface TipProps {
  x: number;
  y: number;
  width: number;
  children: ComponentChildren;
}

/** A tooltip beside (x, y) that stays inside a figure of the given width. */
export function Tip({ x, y, width, children }: TipProps) {
  const room = Math.min(260, width - 16);
  const left = Math.max(0, Math.min(x + 14, width - room - 8));
  return (
    <div class="tip" style={{ left: `${left}px`, top: `${y + 16}px`, maxWidth: `${room}px` }} aria-hidden="true">
      {children}
    </div>
  );
}

/** Where a linear scale puts `values[i] / unit` for each i of `indices`; fast for a million. */
export function pixels(scale: Scale, values: ArrayLike<number>, indices: Uint32Array, unit = 1): Float32Array {
  const from = scale(0);
  const slope = (scale(1) - from) / unit;
  const places = new Float32Array(indices.length);
  for (let i = 0; i < places.length; i++) places[i] = from + slope * values[indices[i]];
  return places;
}

/** 0, 1, .. count - 1. */
export function indicesBelow(count: number): Uint32Array {
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}

/** A domain with some air on both sides; never empty. */
export function padded(low: number, high: number, air = 0.04): [number, number] {
  if (!(low <= high)) return [0, 1];
  const margin = high > low ? (high - low) * air : Math.max(Math.abs(low) * air, 1e-6);
  return [low - margin, high + margin];
}
