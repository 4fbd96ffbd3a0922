import type { RowClasses } from "../../access/row-classes.js";
import type { Random } from "../../exact/random.js";

/**
 * Draws rows by how often they are read, each draw by itself: a class by its share of all accesses (A. J. Walker's alias method, ACM
 * TOMS 3, 1977, with M. D. Vose's tables, IEEE TSE 17, 1991), then any of its rows.
 */
export class DrawnRows {
  readonly #starts: Float64Array;
  readonly #rows: Float64Array;
  readonly #chances: Float64Array;
  readonly #aliases: Uint32Array;

  /** Throws `RangeError` for a table that is never read. */
  constructor({ rows, appearances }: RowClasses) {
    const count = rows.length;
    const weights = rows.map((own, k) => own * (appearances[k] as number));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (!(total > 0)) throw new RangeError("no row of the table is ever read");
    this.#rows = rows;
    this.#starts = new Float64Array(count);
    for (let k = 1; k < count; k++) this.#starts[k] = (this.#starts[k - 1] as number) + (rows[k - 1] as number);
    this.#chances = weights.map((weight) => (weight / total) * count);
    this.#aliases = Uint32Array.from({ length: count }, (_, k) => k);
    this.#pair();
  }

  /** Fills up the classes that are drawn less than on average with the others. */
  #pair(): void {
    const chances = this.#chances;
    const small: number[] = [];
    const large: number[] = [];
    for (let k = 0; k < chances.length; k++) ((chances[k] as number) < 1 ? small : large).push(k);
    for (;;) {
      const [less, more] = [small.pop(), large.at(-1)];
      if (less === undefined || more === undefined) {
        // What is left of either is 1 but for rounding; a class that is never read has nothing left.
        for (const k of [...small, ...large, ...(less === undefined ? [] : [less])]) chances[k] = 1;
        return;
      }
      this.#aliases[less] = more;
      const left = (chances[more] as number) - (1 - (chances[less] as number));
      chances[more] = left;
      if (left < 1) {
        large.pop();
        small.push(more);
      }
    }
  }

  /** The rank of a row in falling order of access. */
  draw(random: Random): number {
    const at = random.integer(this.#chances.length);
    const own = random.next() < (this.#chances[at] as number) ? at : (this.#aliases[at] as number);
    return (this.#starts[own] as number) + random.integer(this.#rows[own] as number);
  }
}
