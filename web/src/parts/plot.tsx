// SPDX-License-Identifier: MIT
/** What the figures share: measured width, axes, and the place of a tooltip. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScaleContinuousNumeric } from "d3-scale";

export type Scale = ScaleContinuousNumeric<number, number>;

/** The width of the element that carries the returned reference. */
export function useWidth(initial: number) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const measure = () => {
      const now = Math.round(element.current?.clientWidth ?? 0);
      if (now > 0) setWidth(now);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

interface AxisProps {
  scale: Scale;
  at: number;
  ticks: number;
  format: (value: number) => string;
  label: string;
  /** Where grid lines end; nothing = no grid. */
  grid?: number;
}

export function AxisBottom({ scale, at, ticks, format, label, grid }: AxisProps) {
  const [left, right] = scale.range();
  return (
    <g class="axis" aria-hidden="true">
      <line x1={left} x2={right} y1={at} y2={at} />
      {spaced(scale.ticks(ticks), (tick) => scale(tick), (tick) => format(tick).length * 6.5 + 10).map((tick) => (
        <g key={tick} transform={`translate(${scale(tick)},${at})`}>
          {grid !== undefined && <line class="grid" y2={grid - at} />}
          <line y2="4" />
          <text y="17" text-anchor="middle">{format(tick)}</text>
        </g>
      ))}
      <text class="label" x={(left + right) / 2} y={at + 36} text-anchor="middle">{label}</text>
    </g>
  );
}

export function AxisLeft({ scale, at, ticks, format, label, grid }: AxisProps) {
  const top = Math.min(...scale.range());
  return (
    <g class="axis" aria-hidden="true">
      {spaced(scale.ticks(ticks), (tick) => scale(tick), () => 18).map((tick) => (
        <g key={tick} transform={`translate(${at},${scale(tick)})`}>
          {grid !== undefined && <line class="grid" x2={grid - at} />}
          <text x="-8" dy="0.32em" text-anchor="end">{format(tick)}</text>
        </g>
      ))}
      <text class="label" x={at} y={top - 12} text-anchor="start" dx="-44">{label}</text>
    </g>
  );
}

/** Leaves out ticks whose texts would touch. */
export function spaced(ticks: number[], place: (tick: number) => number, room: (tick: number) => number): number[] {
  const kept: number[] = [];
  for (const tick of ticks)
    if (!kept.length || Math.abs(place(tick) - place(kept[kept.length - 1])) >= room(tick)) kept.push(tick);
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

/** A domain with some air on both sides; never empty. */
export function padded(low: number, high: number, air = 0.04): [number, number] {
  if (!(low <= high)) return [0, 1];
  const margin = high > low ? (high - low) * air : Math.max(Math.abs(low) * air, 1e-6);
  return [low - margin, high + margin];
}
