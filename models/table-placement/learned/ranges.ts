import type { Rational } from "../../../src/exact/rational.js";
import type { NeuralHead } from "./head.js";

/** The least and the most that a ReLU's input can be, times its outgoing weight, in units of 1 / denominator. */
export interface UnitRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** So many shards at most of a part. */
interface PartCount {
  readonly part: number;
  readonly most: number;
}

/** What may be on a device: by table, by option, of which a table has one. */
export type Contents = readonly (readonly (readonly PartCount[])[])[];

/** How often ranges are tightened by one another. */
const ROUNDS = 4;

/** Multipliers of the knapsack are whole multiples of 2⁻³⁰. */
const PRICE_BITS = 30n;

/** The same of a linear function below the head. */
const BITS = 30n;

/** By device and unit; `canBeEmpty`: within the ceiling some device may have nothing. */
export interface Ranges {
  readonly perDevice: readonly (readonly UnitRange[])[];
  readonly canBeEmpty: boolean;
}

/**
 * Ranges of the inputs of all ReLUs on all devices, by interval arithmetic; with a ceiling for those placements only in which
 * no device costs more. Then a linear function below the head makes a knapsack of a device, whose relaxation bounds each
 * input; where every table is one part (`isWhole`), what one device has is besides what the others leave. Devices with the
 * same contents (the same object) are worked out once. `checkTime` is called between devices; what it throws ends the work.
 */
export function unitRanges(
  head: NeuralHead,
  devices: readonly Contents[],
  ceiling: Rational | null,
  isWhole: boolean,
  checkTime: () => void = () => {},
): Ranges {
  let perDevice: Ranges["perDevice"] = mapOnce(devices, (contents) => {
    checkTime();
    return head.units.map((_, j) => intervalOf(head, j, contents));
  });
  if (ceiling === null) return { perDevice, canBeEmpty: true };
  const limit = (ceiling.numerator * head.denominator) / ceiling.denominator + 1n;
  const tighten = () => {
    const known = perDevice;
    perDevice = mapOnce(devices, (contents, d) => {
      checkTime();
      const own = known[d] as readonly UnitRange[];
      const below = minorantOf(head, own, isOnByRange(own));
      return head.units.map((_, j) => knapsackRange(head, j, contents, own[j] as UnitRange, below, limit));
    });
  };
  tighten();
  const canBeEmpty = !isWhole || hasRoomOnFewer(head, devices, perDevice, limit);
  for (let round = 1; round < ROUNDS; round++) {
    if (!canBeEmpty) perDevice = leftByOthers(head, perDevice, devices);
    tighten();
  }
  if (!canBeEmpty) return { perDevice, canBeEmpty };
  // The head of an empty device is no cost and may be above the ceiling.
  return {
    perDevice: perDevice.map((own) => own.map((range, j) => including(range, head.units[j]?.offset as bigint))),
    canBeEmpty,
  };
}

/** `map` over objects of which some are there several times: what is made of one is made once. */
function mapOnce<In extends object, Out>(list: readonly In[], make: (one: In, index: number) => Out): readonly Out[] {
  const made = new Map<In, Out>();
  for (const [k, one] of list.entries()) if (!made.has(one)) made.set(one, make(one, k));
  return list.map((one) => made.get(one) as Out);
}

/** The most that the parts of a device add up to: of each table the option that adds most, of each option what adds. */
function mostOf(contents: Contents, addedBy: (part: number) => bigint): bigint {
  let sum = 0n;
  for (const options of contents) {
    let best = 0n;
    for (const option of options) {
      let own = 0n;
      for (const { part, most } of option) {
        const value = addedBy(part);
        if (value > 0n) own += value * BigInt(most);
      }
      if (own > best) best = own;
    }
    sum += best;
  }
  return sum;
}

function intervalOf({ units }: NeuralHead, j: number, contents: Contents): UnitRange {
  const { offset, slopes } = units[j] as NeuralHead["units"][number];
  const slopeOf = (part: number) => slopes[part] as bigint;
  return {
    least: offset - mostOf(contents, (part) => -slopeOf(part)),
    most: offset + mostOf(contents, slopeOf),
  };
}

/** On is a ReLU whose range lies more above 0 than below. */
function isOnByRange(ranges: readonly UnitRange[]): readonly boolean[] {
  return ranges.map(({ least, most }) => least + most > 0n);
}

/** The range over all fractions of shards that keep a linear function below the head within the limit. */
function knapsackRange(
  { units }: NeuralHead,
  j: number,
  contents: Contents,
  { least, most }: UnitRange,
  { constant, slopes: costs, bits }: Minorant,
  limit: bigint,
): UnitRange {
  const { offset, slopes } = units[j] as NeuralHead["units"][number];
  const room = (limit << bits) - constant;
  const reach = (sign: bigint): bigint => {
    const gainOf = (part: number) => sign * (slopes[part] as bigint);
    const items = contents.flat(2).map(({ part, most: count }) => ({
      gain: gainOf(part),
      cost: costs[part] as bigint,
      count: BigInt(count),
    }));
    const price = knapsackPrice(items, room, bits);
    const left = mostOf(contents, (part) => (gainOf(part) << (PRICE_BITS + bits)) - price * (costs[part] as bigint));
    // Rounded away from 0: the range may be wider, not narrower.
    return ((price * room + left) >> (PRICE_BITS + bits)) + 1n;
  };
  const above = offset + reach(1n);
  const below = offset - reach(-1n);
  const range = { least: below > least ? below : least, most: above < most ? above : most };
  // A device on which nothing fits; whatever is said of it holds.
  return range.least <= range.most ? range : { least, most };
}

/** A price of the limit that bounds the knapsack's gain well: any price of 0 or more bounds it. */
function knapsackPrice(
  items: readonly { gain: bigint; cost: bigint; count: bigint }[],
  room: bigint,
  bits: bigint,
): bigint {
  const rates = items
    // In doubles, searched: any price of 0 or more bounds.
    .map((item) => ({ item, gain: Number(item.gain), cost: Number(item.cost), count: Number(item.count) }))
    .filter(({ gain, cost }) => gain > 0 !== cost < 0);
  rates.sort((a, b) => b.gain / b.cost - a.gain / a.cost);
  // In doubles, searched: any price of 0 or more bounds.
  let left = Number(room);
  // In doubles, searched: any price of 0 or more bounds.
  for (const { cost, count } of items) if (cost < 0n) left -= Number(cost) * Number(count);
  for (const { item, gain, cost, count } of rates) {
    if (cost === 0) continue;
    left -= Math.abs(cost) * count;
    if (left > 0) continue;
    // In doubles, searched: any price of 0 or more bounds.
    const rate = Math.round((gain / cost) * 2 ** Number(PRICE_BITS + bits));
    // Beyond doubles the quotient is taken as it is.
    const price = Number.isFinite(rate) ? BigInt(rate) : (item.gain << (PRICE_BITS + bits)) / item.cost;
    return price > 0n ? price : 0n;
  }
  return 0n;
}

/** Whether all tables may fit on one device less, as far as a linear function below the head can tell. */
function hasRoomOnFewer(
  head: NeuralHead,
  devices: readonly Contents[],
  perDevice: readonly (readonly UnitRange[])[],
  limit: bigint,
): boolean {
  const parts = (devices[0] as Contents).flat(2).map(({ part }) => part);
  const fewer = BigInt(devices.length - 1);
  if (fewer === 0n) return false;
  const isOn = head.units.map(({ offset, slopes }) => {
    const total = parts.reduce((sum, part) => sum + (slopes[part] as bigint), 0n);
    return offset * fewer + total > 0n;
  });
  // The widest of all devices' ranges, so that one function is below the head on all of them.
  const widest = head.units.map((_, j) =>
    perDevice.map((own) => own[j] as UnitRange).reduce((a, b) => including(including(a, b.least), b.most)),
  );
  const { constant, slopes, bits } = minorantOf(head, widest, isOn);
  const all = parts.reduce((sum, part) => sum + (slopes[part] as bigint), 0n);
  const room = (limit << bits) - constant;
  return room * (room > 0n ? fewer : 1n) >= all;
}

/** What a device has is all that there is but what the others have. */
function leftByOthers(
  { units }: NeuralHead,
  perDevice: readonly (readonly UnitRange[])[],
  [first]: readonly Contents[],
): readonly (readonly UnitRange[])[] {
  return mapOnce(perDevice, (own, d) =>
    own.map((range, j) => {
      const { offset, slopes } = units[j] as NeuralHead["units"][number];
      let [least, most] = [offset, offset];
      for (const { part } of (first as Contents).flat(2)) {
        least += slopes[part] as bigint;
        most += slopes[part] as bigint;
      }
      for (const [other, ranges] of perDevice.entries()) {
        if (other === d) continue;
        least -= (ranges[j] as UnitRange).most - offset;
        most -= (ranges[j] as UnitRange).least - offset;
      }
      const narrowed = {
        least: least > range.least ? least : range.least,
        most: most < range.most ? most : range.most,
      };
      return narrowed.least <= narrowed.most ? narrowed : range;
    }),
  );
}

function including({ least, most }: UnitRange, value: bigint): UnitRange {
  return { least: value < least ? value : least, most: value > most ? value : most };
}

/** A linear function of what is on a device, nowhere above the head: numbers are in units of 2^−bits / denominator. */
interface Minorant {
  readonly constant: bigint;
  /** By part. */
  readonly slopes: readonly bigint[];
  readonly bits: bigint;
}

/**
 * A linear function below the head where the inputs of ReLUs are in their ranges: a ReLU that makes the device dearer is its input
 * where `isOn` says so, and 0 elsewhere; one that makes it cheaper is its chord.
 */
function minorantOf({ constant, units }: NeuralHead, ranges: readonly UnitRange[], isOn: readonly boolean[]): Minorant {
  let fixed = constant << BITS;
  const slopes = new Array<bigint>(units[0]?.slopes.length ?? 0).fill(0n);
  for (const [j, { sign, offset, slopes: own }] of units.entries()) {
    const { least, most } = ranges[j] as UnitRange;
    if (most <= 0n) continue;
    const isOpen = least < 0n;
    if (isOpen && sign > 0n && isOn[j] !== true) continue;
    // s·a + max(−s·least, (1 − s)·most) is nowhere below max(0, a) on the range, whatever s from 0 to 1.
    const one = 1n << BITS;
    const s = isOpen && sign < 0n ? (most << BITS) / (most - least) : one;
    if (s !== one) fixed -= -s * least > (one - s) * most ? -s * least : (one - s) * most;
    fixed += sign * s * offset;
    for (const [p, slope] of own.entries()) slopes[p] = (slopes[p] as bigint) + sign * s * slope;
  }
  return { constant: fixed, slopes, bits: BITS };
}
