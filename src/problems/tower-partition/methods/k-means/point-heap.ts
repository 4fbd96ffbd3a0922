/** Points by a key, the least first; of equal keys any, but always the same. A binary heap. */
export class PointHeap {
  readonly #points: number[] = [];
  readonly #keys: number[] = [];

  /** The point of the least key; −1 where there is none. */
  get first(): number {
    return this.#points[0] ?? -1;
  }

  /** ∞ where there is none. */
  get leastKey(): number {
    return this.#keys[0] ?? Number.POSITIVE_INFINITY;
  }

  push(point: number, key: number): void {
    let hole = this.#points.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if ((this.#keys[parent] as number) <= key) break;
      this.#fill(hole, parent);
      hole = parent;
    }
    this.#points[hole] = point;
    this.#keys[hole] = key;
  }

  /** Takes the first point out. */
  pop(): void {
    const point = this.#points.pop();
    const key = this.#keys.pop();
    const { length } = this.#points;
    if (point === undefined || key === undefined || length === 0) return;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= length) break;
      if (child + 1 < length && (this.#keys[child + 1] as number) < (this.#keys[child] as number)) child++;
      if ((this.#keys[child] as number) >= key) break;
      this.#fill(hole, child);
      hole = child;
    }
    this.#points[hole] = point;
    this.#keys[hole] = key;
  }

  #fill(hole: number, from: number): void {
    this.#points[hole] = this.#points[from] as number;
    this.#keys[hole] = this.#keys[from] as number;
  }
}
