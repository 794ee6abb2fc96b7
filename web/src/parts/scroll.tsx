// SPDX-License-Identifier: MIT
/** A box for what may be wider than the page: it scrolls alone, and says on which side there is more. */
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface ScrollProps {
  /** What is in the box, for those who hear the page. */
  label: string;
  /** Lends the scrolled element, to those who need its place. */
  holder?: RefObject<HTMLDivElement | null>;
  onScroll?: () => void;
  children: ComponentChildren;
}

interface More {
  before: boolean;
  after: boolean;
}

export function Scroll({ label, holder, onScroll, children }: ScrollProps) {
  const own = useRef<HTMLDivElement>(null);
  const element = holder ?? own;
  const [more, setMore] = useState<More>({ before: false, after: false });
  const look = () => {
    const { scrollLeft, scrollWidth, clientWidth } = element.current!;
    const [before, after] = [scrollLeft > 1, scrollLeft + clientWidth < scrollWidth - 1];
    setMore((known) => (known.before === before && known.after === after ? known : { before, after }));
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element.current!);
    for (const child of element.current!.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const wide = more.before || more.after;
  return (
    <div class={`scroll-box${more.before ? " more-before" : ""}${more.after ? " more-after" : ""}`}>
      <div
        class="scroll" ref={element} onScroll={() => { look(); onScroll?.(); }}
        {...(wide ? { tabIndex: 0, role: "region", "aria-label": `${label}, scrolls sideways` } : {})}
      >
        {children}
      </div>
    </div>
  );
}
