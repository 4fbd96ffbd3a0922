import { Rational } from "../../../exact/rational.js";
import { coefficientAt } from "../../../program/program.js";
import type { Box, View, ViewRow } from "../view.js";

/** Items for devices, of which each has so much room; in whole numbers that doubles hold. */
export interface Packing {
  readonly kinds: readonly DeviceKind[];
  readonly items: number;
}

/** Devices that are alike. */
export interface DeviceKind {
  /** The devices, as they were named. */
  readonly devices: readonly number[];
  /** By row of a device. */
  readonly room: readonly number[];
  /** By item, and then by row: what it takes; `null`: it may not be here. */
  readonly sizes: readonly (readonly number[] | null)[];
  /** By device and item, the column that puts it there, by local index. */
  readonly columns: readonly (readonly (number | null)[])[];
}

/** Items, and devices, up to which sums are below 2⁵³. */
const MAX_ITEMS = 1000;

/** The largest room of a row is so many grains. */
const GRAINS = Rational.of(2n ** 42n);

/**
 * Reads a view as items to be put on devices. A row of `itemRows` is an item: with all other columns at their most it asks that of
 * its open binaries one is 1. Such a column puts the item on the device that has it in one of its rows of `deviceRows`, Σ ≤ upper
 * side, and takes its coefficient there; all other columns of these rows are at their least, and the objective's only column at most
 * at `target` (`null`: at its upper bound). Sizes are rounded down and rooms up: whatever can be packed can be packed here.
 *
 * Rows that the view has left out are satisfied, and so are these. Throws `RangeError` where the rows are not of this form.
 */
export function packingOf(
  view: View,
  box: Box,
  itemRows: readonly number[],
  deviceRows: readonly (readonly number[])[],
  target: Rational | null,
): Packing {
  if (deviceRows.length > MAX_ITEMS) throw new RangeError(`over ${MAX_ITEMS} devices`);
  const itemOf = itemsOf(view, box, itemRows);
  const rows = deviceRows.map((own) => own.map((r) => roomOf(view, box, view.rows.get(r), itemOf, target)));
  const dimensions = Math.max(0, ...rows.map(({ length }) => length));
  const scales = Array.from({ length: dimensions }, (_, k) => scaleOf(rows.map((own) => own[k] ?? null)));
  const items = new Set(itemOf.values()).size;
  const deviceOf = new Map<number, number>();
  const kinds = new Map<string, DeviceKind & { readonly devices: number[]; readonly columns: (number | null)[][] }>();
  rows.forEach((own, d) => {
    const columns = new Array<number | null>(items).fill(null);
    for (const row of own) {
      for (const j of row?.sizes.keys() ?? []) {
        const item = itemOf.get(j) as number;
        if ((deviceOf.get(j) ?? d) !== d) throw new RangeError("an item's column is of two devices");
        if ((columns[item] ?? j) !== j) throw new RangeError("an item has two columns for a device");
        deviceOf.set(j, d);
        columns[item] = j;
      }
    }
    const room = scales.map((scale, k) => grains(own[k]?.room ?? Rational.zero, scale, "up"));
    const sizes = columns.map((j) => {
      if (j === null) return null;
      return scales.map((scale, k) => grains(own[k]?.sizes.get(j) ?? Rational.zero, scale, "down"));
    });
    const key = JSON.stringify([room, sizes]);
    const known = kinds.get(key) ?? { devices: [], room, sizes, columns: [] };
    known.devices.push(d);
    known.columns.push(columns);
    kinds.set(key, known);
  });
  for (const j of itemOf.keys()) if (!deviceOf.has(j)) throw new RangeError("an item may be where no device is named");
  return { kinds: [...kinds.values()], items };
}

/** The open columns of items, with the item that each is of. */
function itemsOf(view: View, box: Box, itemRows: readonly number[]): Map<number, number> {
  const itemOf = new Map<number, number>();
  let items = 0;
  for (const r of itemRows) {
    const row = view.rows.get(r);
    if (row === undefined) continue;
    const { form, lower } = row;
    if (lower === null) throw new RangeError("the row of an item has no lower side");
    let rest = lower;
    const open: number[] = [];
    form.columns.forEach((j, k) => {
      const factor = coefficientAt(form, k);
      if (factor.sign() > 0 && isOpenBinary(view, box, j)) open.push(j);
      else rest = rest.subtract(factor.multiply(boundOf(box, j, factor.sign() > 0 ? "upper" : "lower")));
    });
    if (rest.sign() <= 0) continue;
    for (const j of open) {
      if (itemOf.has(j)) throw new RangeError("a column is of two items");
      itemOf.set(j, items);
    }
    // Without an open column the row cannot be kept, which `infeasible` shows.
    if (open.length > 0) items++;
  }
  if (items > MAX_ITEMS) throw new RangeError(`over ${MAX_ITEMS} items`);
  return itemOf;
}

/** What a row leaves to items, and what each column takes of it. */
interface Room {
  readonly room: Rational;
  readonly sizes: ReadonlyMap<number, Rational>;
}

function roomOf(
  view: View,
  box: Box,
  row: ViewRow | undefined,
  itemOf: ReadonlyMap<number, number>,
  target: Rational | null,
): Room | null {
  if (row === undefined) return null;
  const { form, upper } = row;
  if (upper === null) throw new RangeError("the row of a device has no upper side");
  let room = upper;
  const sizes = new Map<number, Rational>();
  form.columns.forEach((j, k) => {
    const factor = coefficientAt(form, k);
    if (itemOf.has(j)) {
      if (factor.sign() < 0) throw new RangeError("an item makes room");
      sizes.set(j, factor);
    } else if (factor.sign() > 0) room = room.subtract(factor.multiply(boundOf(box, j, "lower")));
    else room = room.subtract(factor.multiply(mostOf(view, box, j, target)));
  });
  return { room, sizes };
}

/** The most that a column has; of the objective's only one, what the target allows. */
function mostOf(view: View, box: Box, j: number, target: Rational | null): Rational {
  const { columns, coefficients, denominator } = view.objective;
  const [coefficient] = coefficients;
  const upper = box.upper[j] ?? null;
  if (target === null || columns.length !== 1 || columns[0] !== j || coefficient === undefined || coefficient <= 0n) {
    return boundOf(box, j, "upper");
  }
  const most = target.subtract(view.constant).divide(Rational.of(coefficient, denominator));
  return upper !== null && upper.compare(most) < 0 ? upper : most;
}

function boundOf(box: Box, j: number, side: "lower" | "upper"): Rational {
  const bound = box[side][j] ?? null;
  if (bound === null) throw new RangeError(`a column beside the items has no ${side} bound`);
  return bound;
}

function isOpenBinary(view: View, box: Box, j: number): boolean {
  return view.integer[j] === true && box.lower[j]?.sign() === 0 && box.upper[j]?.equals(Rational.one) === true;
}

/** Grains for a unit of what rows are in; `null` where none has room. */
function scaleOf(rows: readonly (Room | null)[]): Rational | null {
  let most = Rational.zero;
  for (const row of rows) if (row !== null && row.room.compare(most) > 0) most = row.room;
  return most.sign() === 0 ? null : GRAINS.divide(most);
}

/** Where no device has room, all that takes anything takes one grain; what fits nowhere takes one more than there is. */
function grains(value: Rational, scale: Rational | null, rounding: "up" | "down"): number {
  if (scale === null) return value.sign();
  const scaled = value.multiply(scale);
  if (scaled.compare(GRAINS) > 0) return Number(GRAINS.numerator) + 1;
  return Number(rounding === "up" ? scaled.ceil() : scaled.floor());
}
