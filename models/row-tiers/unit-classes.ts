import { type ExactAppearances, exactAppearances } from "../../src/access/exact-appearances.js";
import type { RowClasses } from "../../src/access/row-classes.js";
import {
  type RowsBefore,
  type RowTiersInstance,
  type Table,
  TIERS,
  type Tier,
} from "../../src/instance/types/row-tiers.js";

/**
 * Units are what moves between tiers: single rows or, with `granularity` g above 1, blocks of g rows that are
 * neighbours in a table's order of falling access (a table's last block may be shorter). Units with as many rows, the
 * same bytes and the same expected appearances are interchangeable, whatever table they are from, and form one class.
 * Classes whose units have as many rows and bytes form a chain, in falling order of appearances; those that are never
 * read form one of their own, because they make no all-to-all carry anything.
 */
export interface UnitClasses {
  /** By falling bytes of a unit; the chain of what is never read comes after the one of what is. */
  readonly chains: readonly UnitChain[];
  /** Rates are integers over this power of two. */
  readonly rateDenominator: bigint;
}

/** Classes of units of one size. Entry k of the arrays is class k of the chain. */
export interface UnitChain {
  readonly rowsPerUnit: number;
  /** Bytes of one row's parameters: dim · bytes per element. */
  readonly rowBytes: bigint;
  /** Where the rows of a unit were, new rows left out; empty where nobody asks. */
  readonly before: readonly TierBefore[];
  /** How many units there are. */
  readonly units: Float64Array;
  /** Expected appearances in one sample, summed over a unit's rows; strictly falling. */
  readonly rates: readonly bigint[];
  /** Members of class k: from membersFrom[k] up to membersFrom[k + 1]. */
  readonly membersFrom: Int32Array;
  readonly members: Members;
}

export interface TierBefore {
  readonly tier: Tier;
  readonly rows: number;
}

/**
 * Where units lie: `units` units of `table` in its order of falling access, from row `firstRow` (0 is the hottest) on.
 */
export interface Members {
  readonly table: Int32Array;
  readonly firstRow: Float64Array;
  readonly units: Float64Array;
}

/**
 * The unit classes of all tables of an instance; `access` holds one entry per table, and so does `before`, where it matters
 * where rows were: then only units of which as many rows were in each tier are alike.
 */
export function unitClasses(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null = null,
): UnitClasses {
  const { tables, granularity } = instance;
  const known = lastOf.get(access);
  if (known?.tables === tables && known.granularity === granularity && known.before === before) return known.classes;
  const classes = madeClasses(instance, access, before);
  lastOf.set(access, { tables, granularity, before, classes });
  return classes;
}

/** What was made last of some classes of rows: a model and the methods beside it ask for the same. */
const lastOf = new WeakMap<
  readonly RowClasses[],
  Pick<RowTiersInstance, "tables" | "granularity"> & {
    readonly before: readonly RowsBefore[] | null;
    readonly classes: UnitClasses;
  }
>();

function madeClasses(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null,
): UnitClasses {
  const exact = access.map(exactAppearances);
  const exponent = Math.min(0, ...exact.map((one) => one.exponent));
  const drafts = new Map<string, ChainDraft>();
  instance.tables.forEach((table, index) => {
    const perRow = rowBytes(table);
    const shift = BigInt((exact[index] as ExactAppearances).exponent - exponent);
    let draft: ChainDraft | undefined;
    forEachBlock(
      access[index] as RowClasses,
      exact[index] as ExactAppearances,
      instance.granularity,
      before?.[index] ?? null,
      (units, rowsPerUnit, rate, firstRow, were) => {
        const isRead = rate !== 0n;
        const was = were.map(({ tier, rows }) => `${tier} ${rows}`).join(" ");
        if (
          draft?.rowsPerUnit !== rowsPerUnit ||
          draft.isRead !== isRead ||
          draft.rowBytes !== perRow ||
          draft.was !== was
        ) {
          const key = `${rowsPerUnit} ${perRow} ${isRead} ${was}`;
          draft = drafts.get(key);
          if (draft === undefined) {
            const size = { rowsPerUnit, rowBytes: perRow, isRead, was, before: were };
            draft = { ...size, rates: [], table: [], firstRow: [], units: [] };
            drafts.set(key, draft);
          }
        }
        draft.rates.push(shift === 0n ? rate : rate << shift);
        draft.table.push(index);
        draft.firstRow.push(firstRow);
        draft.units.push(units);
      },
    );
  });
  const chains = [...drafts.values()].sort(bySize).map(chainOf);
  return { chains, rateDenominator: 1n << BigInt(-exponent) };
}

/** A chain under construction: one entry for each member, in no order. */
interface ChainDraft {
  readonly rowsPerUnit: number;
  readonly rowBytes: bigint;
  readonly isRead: boolean;
  /** `before` as a text. */
  readonly was: string;
  readonly before: readonly TierBefore[];
  readonly rates: bigint[];
  readonly table: number[];
  readonly firstRow: number[];
  readonly units: number[];
}

function bySize(a: ChainDraft, b: ChainDraft): number {
  const left = a.rowBytes * BigInt(a.rowsPerUnit);
  const right = b.rowBytes * BigInt(b.rowsPerUnit);
  if (left !== right) return left > right ? -1 : 1;
  // In doubles, read: a yes or no, to sort by.
  return b.rowsPerUnit - a.rowsPerUnit || Number(b.isRead) - Number(a.isRead) || (a.was < b.was ? -1 : 1);
}

/** Sorts the members of a chain by falling rate and makes one class of equal ones. */
function chainOf({ rowsPerUnit, rowBytes: perRow, before, rates, table, firstRow, units }: ChainDraft): UnitChain {
  const common = { rowsPerUnit, rowBytes: perRow, before };
  if (rates.every((rate, k) => k === 0 || rate < (rates[k - 1] as bigint))) {
    const counts = Float64Array.from(units);
    const members = { table: Int32Array.from(table), firstRow: Float64Array.from(firstRow), units: counts };
    const membersFrom = new Int32Array(rates.length + 1);
    for (let k = 0; k < membersFrom.length; k++) membersFrom[k] = k;
    return { ...common, units: counts, rates, membersFrom, members };
  }
  // Equal rates stay in the order of the tables and their rows.
  const order = Int32Array.from({ length: rates.length }, (_, k) => k).sort((a, b) => {
    const left = rates[a] as bigint;
    const right = rates[b] as bigint;
    return left > right ? -1 : left < right ? 1 : a - b;
  });
  const classRates: bigint[] = [];
  const classUnits: number[] = [];
  const membersFrom: number[] = [];
  order.forEach((k, place) => {
    const rate = rates[k] as bigint;
    if (classRates.at(-1) !== rate) {
      classRates.push(rate);
      classUnits.push(0);
      membersFrom.push(place);
    }
    classUnits[classUnits.length - 1] = (classUnits.at(-1) as number) + (units[k] as number);
  });
  membersFrom.push(order.length);
  return {
    ...common,
    units: Float64Array.from(classUnits),
    rates: classRates,
    membersFrom: Int32Array.from(membersFrom),
    members: {
      table: order.map((k) => table[k] as number),
      firstRow: Float64Array.from(order, (k) => firstRow[k] as number),
      units: Float64Array.from(order, (k) => units[k] as number),
    },
  };
}

/**
 * Equal units at neighbouring ranks of one table: how many, the rows of each, the expected appearances in one sample
 * summed over a unit's rows (over the table's own power of two), the first row, and where the rows of each were.
 */
type TakeBlocks = (
  units: number,
  rowsPerUnit: number,
  rate: bigint,
  firstRow: number,
  were: readonly TierBefore[],
) => void;

function forEachBlock(
  access: RowClasses,
  { integers }: ExactAppearances,
  granularity: number,
  before: RowsBefore | null,
  take: TakeBlocks,
): void {
  let firstRow = 0;
  let heldRows = 0;
  let heldRate = 0n;
  let held = new Map<Tier, number>();
  const hold = (tier: Tier | null, rows: number) => {
    if (tier !== null) held.set(tier, (held.get(tier) ?? 0) + rows);
  };
  const takeHeld = () => {
    const were = TIERS.flatMap((tier) => (held.has(tier) ? [{ tier, rows: held.get(tier) as number }] : []));
    take(1, heldRows, heldRate, firstRow, were);
    firstRow += heldRows;
    heldRows = 0;
    heldRate = 0n;
    held = new Map();
  };
  for (const { k, rows: all, tier } of stretches(access, before)) {
    let rows = all;
    const each = integers[k] as bigint;
    if (heldRows > 0) {
      const taken = Math.min(granularity - heldRows, rows);
      heldRate += each * BigInt(taken);
      heldRows += taken;
      hold(tier, taken);
      rows -= taken;
      if (heldRows === granularity) takeHeld();
    }
    const units = Math.floor(rows / granularity);
    if (units > 0) {
      const were = tier === null ? [] : [{ tier, rows: granularity }];
      take(units, granularity, granularity === 1 ? each : each * BigInt(granularity), firstRow, were);
      firstRow += units * granularity;
      rows -= units * granularity;
    }
    if (rows > 0) {
      heldRows = rows;
      heldRate = each * BigInt(rows);
      hold(tier, rows);
    }
  }
  if (heldRows > 0) takeHeld();
}

/** Classes of rows (their number is `k`), cut where the tier of before changes. */
function* stretches(
  { rows }: RowClasses,
  before: RowsBefore | null,
): Generator<{ readonly k: number; readonly rows: number; readonly tier: Tier | null }> {
  let piece = 0;
  let left = before?.[0]?.rows ?? 0;
  for (let k = 0; k < rows.length; k++) {
    let missing = rows[k] as number;
    if (before === null) {
      yield { k, rows: missing, tier: null };
      continue;
    }
    while (missing > 0) {
      while (left === 0) left = before[++piece]?.rows ?? Number.POSITIVE_INFINITY;
      const taken = Math.min(missing, left);
      yield { k, rows: taken, tier: before[piece]?.tier ?? null };
      missing -= taken;
      left -= taken;
    }
  }
}

/** Members of all chains: by place the chain, the class in it, and the member among the chain's. */
export interface ListedMembers {
  readonly chain: Int32Array;
  readonly unitClass: Int32Array;
  readonly member: Int32Array;
}

/** All members of all classes, one chain after the other. */
export function listedMembers({ chains }: UnitClasses): ListedMembers {
  const count = chains.reduce((sum, { members }) => sum + members.table.length, 0);
  const listed = { chain: new Int32Array(count), unitClass: new Int32Array(count), member: new Int32Array(count) };
  let at = 0;
  chains.forEach(({ units, membersFrom }, r) => {
    for (let k = 0; k < units.length; k++) {
      for (let m = membersFrom[k] as number; m < (membersFrom[k + 1] as number); m++, at++) {
        listed.chain[at] = r;
        listed.unitClass[at] = k;
        listed.member[at] = m;
      }
    }
  });
  return listed;
}

/** The same members in another order: `compare` is given two of their places. */
export function membersInOrder(members: ListedMembers, compare: (a: number, b: number) => number): ListedMembers {
  const order = Int32Array.from(members.chain.keys()).sort(compare);
  const sorted = (values: Int32Array) => order.map((k) => values[k] as number);
  return { chain: sorted(members.chain), unitClass: sorted(members.unitClass), member: sorted(members.member) };
}

/** Bytes of one row of a table. */
export function rowBytes(table: Table): bigint {
  return BigInt(table.dim) * BigInt(table.elementBytes);
}

/** Units of each class of all chains, one after the other. */
export function classCount({ chains }: UnitClasses): number {
  return chains.reduce((sum, { units }) => sum + units.length, 0);
}

/** Bytes of parameters of all units, and the bytes that one sample reads of them times the rate denominator. */
export function totalBytes({ chains }: UnitClasses): { parameters: bigint; reads: bigint } {
  let parameters = 0n;
  let reads = 0n;
  for (const { rowsPerUnit, rowBytes: perRow, units, rates } of chains) {
    let rows = 0n;
    let rate = 0n;
    units.forEach((count, k) => {
      rows += BigInt(count);
      rate += BigInt(count) * (rates[k] as bigint);
    });
    parameters += rows * BigInt(rowsPerUnit) * perRow;
    reads += rate * perRow;
  }
  return { parameters, reads };
}
