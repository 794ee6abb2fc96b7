// SPDX-License-Identifier: MIT
/** A name from a file in a figure: never wider than its room, and whole when the pointer rests on it. */
import type { JSX } from "preact";
import { isolate } from "../format";
import { fitted } from "./ruler";

type LabelProps = JSX.IntrinsicElements["text"] & {
  text: string;
  room: number;
  size?: number;
  bold?: boolean;
};

export function Label({ text, room, size, bold, children, ...place }: LabelProps) {
  return (
    <text {...place} font-size={size} font-weight={bold ? 700 : undefined}>
      <title>{isolate(text)}</title>
      {fitted(text, room, { size, bold })}{children}
    </text>
  );
}
