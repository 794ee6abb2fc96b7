// SPDX-License-Identifier: MIT
/** Packed columns: gzip + base64 + byte planes (README.md, "Many teams"). */

export interface Column {
  dtype: "u8" | "u16" | "u32";
  length: number;
  offset?: number;
  step?: number;
  data: string;
}

const widths = { u8: 1, u16: 2, u32: 4 } as const;

export type Integers = Uint8Array | Uint16Array | Uint32Array;

/** The column's integers, before offset and step. Rejects when the data does not fit the length. */
export async function unpackIntegers(column: Column): Promise<Integers> {
  const width = widths[column.dtype];
  const planes = await gunzip(fromBase64(column.data));
  const { length } = column;
  if (planes.length !== length * width)
    throw new Error(`a packed column holds ${planes.length} bytes in place of ${length * width}`);
  if (width === 1) return planes;
  const values = width === 2 ? new Uint16Array(length) : new Uint32Array(length);
  for (let byte = 0; byte < width; byte++)
    for (let i = 0, from = byte * length; i < length; i++, from++) values[i] |= planes[from] << (8 * byte);
  return values;
}

/** The column's values. */
export async function unpack(column: Column): Promise<Float64Array> {
  const integers = await unpackIntegers(column);
  const { offset = 0, step = 1 } = column;
  const values = new Float64Array(integers.length);
  for (let i = 0; i < values.length; i++) values[i] = offset + step * integers[i];
  return values;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
