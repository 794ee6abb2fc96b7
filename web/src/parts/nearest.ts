// SPDX-License-Identifier: MIT
/** Which of many points is nearest to the pointer: points sorted into square cells. */

export class NearestIndex {
  private readonly columns: number;
  private readonly rows: number;
  private begin: Uint32Array | null = null;
  private readonly order: Uint32Array;

  constructor(
    private readonly x: ArrayLike<number>,
    private readonly y: ArrayLike<number>,
    width: number,
    height: number,
    private readonly cell = 12,
  ) {
    this.columns = Math.max(1, Math.ceil(width / cell));
    this.rows = Math.max(1, Math.ceil(height / cell));
    this.order = new Uint32Array(x.length);
  }

  /** Sorted on first use: a page that is only read pays nothing. */
  private cells(): Uint32Array {
    if (this.begin) return this.begin;
    const begin = new Uint32Array(this.columns * this.rows + 1);
    for (let i = 0; i < this.x.length; i++) begin[this.cellOf(this.x[i], this.y[i]) + 1]++;
    for (let c = 1; c < begin.length; c++) begin[c] += begin[c - 1];
    const next = begin.slice();
    for (let i = 0; i < this.x.length; i++) this.order[next[this.cellOf(this.x[i], this.y[i])]++] = i;
    this.begin = begin;
    return begin;
  }

  private clampColumn = (x: number) => Math.max(0, Math.min(this.columns - 1, Math.floor(x / this.cell)));
  private clampRow = (y: number) => Math.max(0, Math.min(this.rows - 1, Math.floor(y / this.cell)));
  private cellOf = (x: number, y: number) => this.clampRow(y) * this.columns + this.clampColumn(x);

  /** The nearest point within `radius`, or -1; the earliest of equals. */
  find(x: number, y: number, radius: number): number {
    const begin = this.cells();
    let found = -1;
    let best = radius * radius;
    for (let row = this.clampRow(y - radius); row <= this.clampRow(y + radius); row++)
      for (let column = this.clampColumn(x - radius); column <= this.clampColumn(x + radius); column++) {
        const cell = row * this.columns + column;
        for (let k = begin[cell]; k < begin[cell + 1]; k++) {
          const i = this.order[k];
          const distance = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
          if (distance < best || (distance === best && (found < 0 || i < found))) {
            best = distance;
            found = i;
          }
        }
      }
    return found;
  }
}
