import { bitLength } from "../../../exact/rational.js";

/**
 * What a device has to bear as a function of the set of its tables, all whole numbers:
 *
 *   load(S) = constant + Σ_{t in S} slope_t + Σ_j sign_j · max(floor_j, offset_j + Σ_{t in S} slope_jt).
 */
export interface SetLoad {
  readonly constant: bigint;
  /** By table. */
  readonly slopes: readonly bigint[];
  readonly units: readonly LoadUnit[];
  /** The device may have S only with load(S) < limit. */
  readonly limit: bigint;
  /** And only where Σ_{t in S} slope_t ≤ most for each of these. */
  readonly conditions: readonly SetCondition[];
}

export interface LoadUnit {
  readonly sign: 1n | -1n;
  readonly floor: bigint;
  readonly offset: bigint;
  readonly slopes: readonly bigint[];
}

export interface SetCondition {
  readonly slopes: readonly bigint[];
  readonly most: bigint;
}

/** Sums of whole numbers of at most so many bits are exact in doubles, one more addition included. */
const EXACT_BITS = 51;

/** Sets gone through between two looks at the time. */
const SETS_BETWEEN = 2 ** 16;

/**
 * The sets that a device may have, a byte for each of the 2ⁿ sets of n tables. Sets are gone through in doubles that hold
 * whole numbers, rounded so that a load comes out no greater than it is, by less than one for each rounded number; within so
 * much of the limit it is computed exactly. Of a condition with numbers beyond 51 bits a little less may be asked. `checkTime`
 * is called now and then; what it throws ends the work.
 */
export function allowedSets(load: SetLoad, tables: number, checkTime: () => void = () => {}): Uint8Array {
  const allowed = new Uint8Array(2 ** tables).fill(1);
  for (const condition of load.conditions) forbid(allowed, condition, tables);
  const { limit } = load;
  const rounded = roundedDown(load, tables);
  const { most, surely } = rounded;
  eachLoad(rounded, tables, (set, value) => {
    if (set % SETS_BETWEEN === 0) checkTime();
    if (allowed[set] === 0 || value < surely) return;
    if (value >= most || exactLoad(load, set) >= limit) allowed[set] = 0;
  });
  return allowed;
}

/** Takes out the sets that break a condition. */
function forbid(allowed: Uint8Array, { slopes, most }: SetCondition, tables: number): void {
  const shift = shiftFor(slopes.reduce((sum, slope) => sum + absolute(slope), absolute(most)));
  const limit = Number(most >> shift);
  const used = new Float64Array(allowed.length);
  for (let t = 0, size = 1; t < tables; t++, size *= 2) {
    const own = Number((slopes[t] as bigint) >> shift);
    for (let set = 0; set < size; set++) used[size + set] = (used[set] as number) + own;
  }
  for (let set = 0; set < allowed.length; set++) if ((used[set] as number) > limit) allowed[set] = 0;
}

/** A load in doubles, in units of a power of two. */
interface RoundedLoad {
  readonly signs: Float64Array;
  readonly floors: Float64Array;
  /** The linear part first, then the units: what no tables have. */
  readonly offsets: Float64Array;
  /** By table, the same. */
  readonly slopes: readonly Float64Array[];
  /** From here on a load is surely at the limit, below `surely` it is surely below. */
  readonly most: number;
  readonly surely: number;
}

function roundedDown({ constant, slopes, units, limit }: SetLoad, tables: number): RoundedLoad {
  let size = absolute(constant) + absolute(limit);
  for (const slope of slopes) size += absolute(slope);
  for (const unit of units) {
    size += absolute(unit.floor) + absolute(unit.offset);
    for (const slope of unit.slopes) size += absolute(slope);
  }
  const shift = shiftFor(size);
  // What is taken away is rounded up.
  const round = (value: bigint, sign: bigint) => Number(sign > 0n ? value >> shift : -(-value >> shift));
  const most = Number(-(-limit >> shift));
  const roundings = (units.length + 1) * (tables + 2);
  return {
    signs: Float64Array.from(units, ({ sign }) => Number(sign)),
    floors: Float64Array.from(units, ({ floor, sign }) => round(floor, sign)),
    offsets: Float64Array.from([round(constant, 1n), ...units.map(({ offset, sign }) => round(offset, sign))]),
    slopes: slopes.map((slope, t) =>
      Float64Array.from([round(slope, 1n), ...units.map((unit) => round(unit.slopes[t] as bigint, unit.sign))]),
    ),
    most,
    surely: shift === 0n ? most : most - roundings - 1,
  };
}

/** Goes through all sets, a table at a time. */
function eachLoad(
  { signs, floors, offsets, slopes }: RoundedLoad,
  tables: number,
  visit: (set: number, load: number) => void,
): void {
  const levels = Array.from({ length: tables + 1 }, () => offsets.slice());
  const width = offsets.length;
  const go = (table: number, set: number, sums: Float64Array): void => {
    if (table < 0) {
      let load = sums[0] as number;
      for (let j = 1; j < width; j++) {
        const floor = floors[j - 1] as number;
        const sum = sums[j] as number;
        load += (signs[j - 1] as number) * (sum > floor ? sum : floor);
      }
      visit(set, load);
      return;
    }
    go(table - 1, set, sums);
    const own = slopes[table] as Float64Array;
    const next = levels[table] as Float64Array;
    for (let j = 0; j < width; j++) next[j] = (sums[j] as number) + (own[j] as number);
    go(table - 1, set + 2 ** table, next);
  };
  go(tables - 1, 0, offsets);
}

function exactLoad({ constant, slopes, units }: SetLoad, set: number): bigint {
  const sumOf = (start: bigint, of: readonly bigint[]) =>
    of.reduce((sum, slope, t) => ((set >> t) & 1 ? sum + slope : sum), start);
  let load = sumOf(constant, slopes);
  for (const { sign, floor, offset, slopes: own } of units) {
    const sum = sumOf(offset, own);
    load += sign * (sum > floor ? sum : floor);
  }
  return load;
}

function shiftFor(size: bigint): bigint {
  return BigInt(Math.max(0, bitLength(size) - EXACT_BITS));
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
