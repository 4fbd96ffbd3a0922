import { milliseconds } from "./units.js";

/** Units of memory with how many are in a GiB. */
const UNITS = [
  ["GiB", 1],
  ["MiB", 2 ** 10],
  ["KiB", 2 ** 20],
] as const;

/**
 * The price of memory as people read it: per extra GiB, or per a smaller unit where the whole budget is less than that, as
 * `−15.61 ms per extra GiB`. `secondsPerGiB` is 0 or less.
 */
export function memoryPrice(secondsPerGiB: number, budgetBytes: number): string {
  const [unit, perGiB] = UNITS.find(([, count]) => budgetBytes >= 2 ** 30 / count) ?? ["byte", 2 ** 30];
  return `${milliseconds(secondsPerGiB / perGiB, 4).replace("-", "−")} per extra ${unit}`;
}
