import type { Rational } from "../../../exact/rational.js";
import type { Box, View } from "../view.js";
import { type DeviceLoads, deviceLoads } from "./device-loads.js";
import { allowedSets, type SetLoad } from "./set-load.js";
import { splitByFamilies } from "./subset-cover.js";

/** Tables up to which all sets are gone through: a few seconds and some hundred megabytes. */
export const MAX_TABLES = 20;

/** A way to place all tables, or that there is none. */
export type Partition =
  | { readonly kind: "none" }
  /** The columns that are 1, by local index: a relaxation's point, which rows that were left out may forbid. */
  | { readonly kind: "found"; readonly columns: readonly number[] };

/**
 * Whether tables can be placed on devices so that the objective is below `target` (`null`: at all), by going through all sets
 * of tables: which sets each device may have (device-loads.ts, set-load.ts), and whether one for each makes up all tables
 * (subset-cover.ts). `none` is exact; a partition found need not be feasible.
 *
 * `checkTime` is called now and then, as this may take seconds; what it throws ends the work. Throws `RangeError` where the rows named are not the loads of devices, or there are over {@link MAX_TABLES} tables.
 */
export function partitionBelow(
  view: View,
  box: Box,
  loadRows: readonly number[],
  target: Rational | null,
  checkTime: () => void = () => {},
): Partition {
  if (view.crossed) return { kind: "none" };
  const { tables, columns, loads } = deviceLoads(view, box, loadRows, target);
  if (tables > MAX_TABLES) throw new RangeError(`over ${MAX_TABLES} tables have too many sets`);
  const split = splitByFamilies(familiesOf(loads, tables, checkTime), tables, checkTime);
  if (split === null) return { kind: "none" };
  const isIn = (t: number, set: number) => ((set >> t) & 1) === 1;
  return {
    kind: "found",
    columns: split.flatMap((set, d) => (columns[d] ?? []).filter((_, t) => isIn(t, set)) as number[]),
  };
}

/** The sets that each device may have; devices that may have the same share one family. */
function familiesOf(loads: DeviceLoads["loads"], tables: number, checkTime: () => void): readonly Uint8Array[] {
  const known = new Map<string, Uint8Array>();
  return loads.map((ways) => {
    const key = ways.map(textOf).join("|");
    const found = known.get(key) ?? unionOf(ways, tables, checkTime);
    known.set(key, found);
    return found;
  });
}

function unionOf(ways: readonly SetLoad[], tables: number, checkTime: () => void): Uint8Array {
  const union = new Uint8Array(2 ** tables);
  for (const way of ways) {
    const own = allowedSets(way, tables, checkTime);
    for (let set = 0; set < union.length; set++) if (own[set] === 1) union[set] = 1;
  }
  return union;
}

function textOf({ constant, limit, slopes, units, conditions }: SetLoad): string {
  const parts = units.map(({ sign, floor, offset, slopes: own }) => `${sign} ${floor} ${offset} ${own}`);
  const rows = conditions.map(({ slopes: own, most }) => `${own} ${most}`);
  return [constant, limit, slopes, ...parts, ...rows].join(";");
}
