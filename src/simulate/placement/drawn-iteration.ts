import type { RowClasses } from "../../access/row-classes.js";
import type { Random } from "../../exact/random.js";
import { needsRows, type PartCounts, type TableCounts } from "./part-counts.js";

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

/** Draws ids and sends each to the part of the table that has its row, bag by bag. */
export class DrawnTraffic {
  readonly #counts: TableCounts;
  readonly #rows: DrawnRows | null;
  readonly #hotRows: number;

  constructor(counts: TableCounts) {
    this.#counts = counts;
    this.#rows = needsRows(counts.table) ? new DrawnRows(counts.table.classes) : null;
    this.#hotRows = counts.table.parts.length > 1 ? (counts.table.parts[0]?.rows ?? 0) : 0;
  }

  /** The bags of one iteration of all devices. */
  draw(devices: number, random: Random): void {
    const { table, parts, bags } = this.#counts;
    for (let device = 0; device < devices; device++) {
      for (const [feature, { length, bags: mean }] of table.features.entries()) {
        const count = wholeNear(mean, random);
        bags[device] = (bags[device] as number) + count;
        for (let bag = 0; bag < count; bag++) {
          this.#drawBag(wholeNear(length, random), device, random);
          for (const part of parts) part.endBag(device, feature);
        }
      }
    }
    for (const { cache } of parts) cache?.endIteration();
  }

  #drawBag(ids: number, device: number, random: Random): void {
    const { parts } = this.#counts;
    const rows = this.#rows;
    if (rows === null) {
      (parts[0] as PartCounts).takeAny(ids, device);
      return;
    }
    const last = parts.at(-1) as PartCounts;
    for (let k = 0; k < ids; k++) {
      const row = rows.draw(random);
      if (row < this.#hotRows) (parts[0] as PartCounts).take(row, device);
      else last.take(row - this.#hotRows, device);
    }
  }
}

/** ⌊mean⌋, and one more with the probability of the rest. */
function wholeNear(mean: number, random: Random): number {
  const whole = Math.floor(mean);
  return mean === whole || random.next() >= mean - whole ? whole : whole + 1;
}
