// SPDX-License-Identifier: MIT
/** Which of many points is nearest to the pointer: points sorted into square cells. */

export class NearestIndex {
  private readonly columns: number;
  private readonly rows: number;
  private readonly begin: Uint32Array;
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
    this.begin = new Uint32Array(this.columns * this.rows + 1);
    this.order = new Uint32Array(x.length);
    for (let i = 0; i < x.length; i++) this.begin[this.cellOf(x[i], y[i]) + 1]++;
    for (let c = 1; c < this.begin.length; c++) this.begin[c] += this.begin[c - 1];
    const next = this.begin.slice();
    for (let i = 0; i < x.length; i++) this.order[next[this.cellOf(x[i], y[i])]++] = i;
  }

  private clampColumn = (x: number) => Math.max(0, Math.min(this.columns - 1, Math.floor(x / this.cell)));
  private clampRow = (y: number) => Math.max(0, Math.min(this.rows - 1, Math.floor(y / this.cell)));
  private cellOf = (x: number, y: number) => this.clampRow(y) * this.columns + this.clampColumn(x);

  /** The nearest point within `radius`, or -1; the earliest of equals. */
  find(x: number, y: number, radius: number): number {
    let found = -1;
    let best = radius * radius;
    for (let row = this.clampRow(y - radius); row <= this.clampRow(y + radius); row++)
      for (let column = this.clampColumn(x - radius); column <= this.clampColumn(x + radius); column++) {
        const cell = row * this.columns + column;
        for (let k = this.begin[cell]; k < this.begin[cell + 1]; k++) {
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
