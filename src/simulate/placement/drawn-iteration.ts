import type { Random } from "../../exact/random.js";
import { DrawnRows } from "./drawn-rows.js";
import { needsRows, type PartCounts, type TableCounts } from "./part-counts.js";

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
