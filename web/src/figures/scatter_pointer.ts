// SPDX-License-Identifier: MIT
/** What a reader does with a scatter: points at a team, pins it, draws a box, walks by keys. */
import { useRef, useState } from "preact/hooks";
import type { Scored } from "../data";
import { usePage } from "../state";
import { floor, height, type Layout } from "./scatter_layout";

type Box = [number, number, number, number];

const reach = 16;
const shortestDrag = 6;
const inOrder = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);

export function usePointer(scored: Scored, { shown, nearest, x, y }: Layout, width: number) {
  const { view, set } = usePage();
  const svg = useRef<SVGSVGElement>(null);
  const [active, setActive] = useState(-1);
  const [drag, setDrag] = useState<Box | null>(null);

  const place = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    return [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height] as const;
  };
  /** What lies on the bottom edge may be anything below. */
  const accuracyAt = (pixel: number) => (pixel >= floor ? 0 : y.invert(pixel));
  const onPointerMove = (event: PointerEvent) => {
    const [mx, my] = place(event);
    if (drag) setDrag([drag[0], drag[1], mx, my]);
    else setActive(nearest.find(mx, my, reach));
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.pointerType === "touch" || event.button !== 0) return;
    const [mx, my] = place(event);
    svg.current!.setPointerCapture(event.pointerId);
    setDrag([mx, my, mx, my]);
  };
  const onPointerUp = (event: PointerEvent) => {
    const [mx, my] = place(event);
    const from = drag;
    setDrag(null);
    if (from && Math.hypot(mx - from[0], my - from[1]) > shortestDrag) {
      set({ brush: { metric: scored.metric, score: inOrder(x.invert(from[0]), x.invert(mx)), accuracy: inOrder(accuracyAt(from[1]), accuracyAt(my)) } });
      return;
    }
    const hit = nearest.find(mx, my, reach);
    if (hit >= 0) set({ pinned: scored.teams.at(shown[hit]), brush: null });
    else if (view.brush) set({ brush: null });
  };
  const { onKeyDown } = useKeys(scored, shown, active, setActive);
  const on = { onPointerMove, onPointerDown, onPointerUp, onPointerLeave: () => !drag && setActive(-1), onKeyDown, onBlur: () => setActive(-1) };
  return { svg, active, drag, on };
}

/** Arrow keys walk through the teams by score; Enter pins one, Escape lets go. */
function useKeys(scored: Scored, shown: ArrayLike<number> & { keys(): Iterable<number> }, active: number, setActive: (mark: number) => void) {
  const { set } = usePage();
  const byScore = useRef<Uint32Array | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step !== undefined && shown.length) {
      event.preventDefault();
      if (byScore.current?.length !== shown.length)
        byScore.current = Uint32Array.from(shown.keys()).sort((a, b) => scored.score[shown[a]] - scored.score[shown[b]]);
      const order = byScore.current;
      const now = active < 0 ? (step > 0 ? -1 : order.length) : order.indexOf(active);
      setActive(order[Math.max(0, Math.min(order.length - 1, now + step))]);
    } else if ((event.key === "Enter" || event.key === " ") && active >= 0) {
      event.preventDefault();
      set({ pinned: scored.teams.at(shown[active]) });
    } else if (event.key === "Escape") {
      setActive(-1);
      set({ brush: null });
    }
  };
  return { onKeyDown };
}
