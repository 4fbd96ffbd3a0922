import {
  type ListedMembers,
  listedMembers,
  membersInOrder,
  type UnitChain,
  type UnitClasses,
  unitClasses,
} from "../../../../models/row-tiers/unit-classes.js";
import type { RowClasses } from "../../../access/row-classes.js";
import { atBytes, type PerByte } from "../../../cost/flexshard.js";
import { firstFrom } from "../../../exact/first-from.js";
import { floorDivide, leastCommonMultiple, Rational } from "../../../exact/rational.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import type { RowTiersInstance, Tier } from "../../../instance/types/row-tiers.js";

/**
 * The units of all tables "merged and sorted into one large distribution" (FlexShard, section 4.6): by falling expected
 * appearances per row, compared exactly; equal ones in the order of the tables and their ranks. Entry k of the arrays
 * is a span: equal units (rows, or blocks of `granularity` rows) at neighbouring ranks of one table.
 */
export interface MergedUnits {
  readonly table: Int32Array;
  readonly units: Float64Array;
  readonly rowsPerUnit: Float64Array;
  /** Bytes of one unit's parameters. */
  readonly parameterBytes: readonly bigint[];
  /** Bytes that one sample reads of one unit, times `readDenominator`. */
  readonly reads: readonly bigint[];
  readonly readDenominator: bigint;
  /** Rows, bytes of parameters and bytes read (times `readDenominator`) before each span; one entry more than spans. */
  readonly rowsBefore: readonly bigint[];
  readonly parametersBefore: readonly bigint[];
  readonly readsBefore: readonly bigint[];
}

export function mergedUnits(instance: RowTiersInstance, access: readonly RowClasses[]): MergedUnits {
  const classes = unitClasses(instance, access);
  const known = mergedOf.get(classes) ?? merged(classes);
  mergedOf.set(classes, known);
  return known;
}

/** Several methods ask for the same. */
const mergedOf = new WeakMap<UnitClasses, MergedUnits>();

function merged(classes: UnitClasses): MergedUnits {
  const { chain, unitClass, member } = spansInOrder(classes);
  const count = chain.length;
  const found = {
    table: new Int32Array(count),
    units: new Float64Array(count),
    rowsPerUnit: new Float64Array(count),
    parameterBytes: new Array<bigint>(count),
    reads: new Array<bigint>(count),
    readDenominator: classes.rateDenominator,
    rowsBefore: new Array<bigint>(count + 1),
    parametersBefore: new Array<bigint>(count + 1),
    readsBefore: new Array<bigint>(count + 1),
  };
  let rows = 0n;
  let parameters = 0n;
  let reads = 0n;
  for (let k = 0; k <= count; k++) {
    found.rowsBefore[k] = rows;
    found.parametersBefore[k] = parameters;
    found.readsBefore[k] = reads;
    if (k === count) break;
    const { rowsPerUnit, rowBytes, rates, members } = classes.chains[chain[k] as number] as UnitChain;
    const units = members.units[member[k] as number] as number;
    const each = rowBytes * (rates[unitClass[k] as number] as bigint);
    found.table[k] = members.table[member[k] as number] as number;
    found.units[k] = units;
    found.rowsPerUnit[k] = rowsPerUnit;
    found.parameterBytes[k] = rowBytes * BigInt(rowsPerUnit);
    found.reads[k] = each;
    const spanRows = BigInt(units * rowsPerUnit);
    rows += spanRows;
    parameters += spanRows * rowBytes;
    reads += BigInt(units) * each;
  }
  return found;
}

/** All members of all classes in the merged order. */
function spansInOrder(classes: UnitClasses): ListedMembers {
  const { chains } = classes;
  const listed = listedMembers(classes);
  const { chain, unitClass, member } = listed;
  // One chain, and what is never read after it: in order already.
  const isInOrder = chains.length === 1 || (chains.length === 2 && chains[1]?.rates[0] === 0n);
  if (isInOrder) return listed;
  const appearances = chains.map(({ rowsPerUnit, rates }) =>
    // Rounded alike on all chains: only where these agree can the exact numbers be in another order.
    Float64Array.from(rates, (rate) => Number(rate) / rowsPerUnit),
  );
  return membersInOrder(listed, (a, b) => {
    const [first, second] = [chains[chain[a] as number] as UnitChain, chains[chain[b] as number] as UnitChain];
    const [i, j] = [unitClass[a] as number, unitClass[b] as number];
    const [p, q] = [appearances[chain[a] as number]?.[i] as number, appearances[chain[b] as number]?.[j] as number];
    if (Math.abs(p - q) > 1e-14 * Math.max(p, q)) return q - p;
    const left = (second.rates[j] as bigint) * BigInt(first.rowsPerUnit);
    const right = (first.rates[i] as bigint) * BigInt(second.rowsPerUnit);
    if (left !== right) return left < right ? -1 : 1;
    const [m, n] = [member[a] as number, member[b] as number];
    return (
      (first.members.table[m] as number) - (second.members.table[n] as number) ||
      (first.members.firstRow[m] as number) - (second.members.firstRow[n] as number)
    );
  });
}

/** A place in the merged order: all units of the spans before `span`, and the first `units` of that one. */
export interface Cut {
  readonly span: number;
  readonly units: number;
}

/** A linear cost of units, (parameters · R + reads · S) / denominator with R and S as {@link MergedUnits} has them. */
export interface UnitCosts {
  readonly parameters: bigint;
  readonly reads: bigint;
  readonly denominator: bigint;
}

/** `cost.parameters · R + cost.reads · S` in integers. */
export function unitCosts({ readDenominator }: MergedUnits, cost: PerByte): UnitCosts {
  const common = leastCommonMultiple(cost.parameters.denominator, cost.reads.denominator);
  return {
    parameters: cost.parameters.numerator * (common / cost.parameters.denominator) * readDenominator,
    reads: cost.reads.numerator * (common / cost.reads.denominator),
    denominator: common * readDenominator,
  };
}

function costOfUnit({ parameterBytes, reads }: MergedUnits, costs: UnitCosts, span: number): bigint {
  return costs.parameters * (parameterBytes[span] as bigint) + costs.reads * (reads[span] as bigint);
}

/** Of all spans before one. */
function costBeforeSpan({ parametersBefore, readsBefore }: MergedUnits, costs: UnitCosts, span: number): bigint {
  return costs.parameters * (parametersBefore[span] as bigint) + costs.reads * (readsBefore[span] as bigint);
}

/** The first index, from `from` up to `to`, from which on `holds` is true; `to` where it never is. */
function firstWhere(from: number, to: number, holds: (index: number) => boolean): number {
  return from + firstFrom(Math.max(0, to - from), (k) => holds(from + k));
}

/**
 * The first span, from `from` on, whose unit costs more than zero, or (`orZero`) not less than zero; of costs that do
 * not fall with falling appearances (`reads` not above zero), so that it is found by bisection.
 */
export function firstCostly(units: MergedUnits, costs: UnitCosts, from = 0, orZero = false): Cut {
  if (costs.reads > 0n) throw new RangeError("costs that rise with appearances have no first costly span");
  const span = firstWhere(from, units.units.length, (k) => {
    const cost = costOfUnit(units, costs, k);
    return cost > 0n || (orZero && cost === 0n);
  });
  return { span, units: 0 };
}

/**
 * How far one can go from `from`, unit by unit, before a unit would take the running sum of `costs` (which stands at
 * `spent` there) above `limit`, or the span `end` is reached. A unit that costs nothing or less never stops it.
 */
export function furthest(
  units: MergedUnits,
  costs: UnitCosts,
  from: Cut,
  spent: Rational,
  limit: Rational,
  end = units.units.length,
): Cut {
  const room = limit.subtract(spent).multiply(Rational.of(costs.denominator)).floor();
  const start = costTo(units, costs, from);
  // Up to here nothing costs anything; from here on every unit does, and the sum only rises.
  const costly = Math.min(end, firstCostly(units, costs, from.span).span);
  const span = firstWhere(costly, end, (k) => costBeforeSpan(units, costs, k + 1) - start > room);
  if (span >= end) return { span: Math.max(end, from.span), units: end > from.span ? 0 : from.units };
  const first = span === from.span ? from.units : 0;
  const before = span === from.span ? start : costBeforeSpan(units, costs, span);
  const fitting = floorDivide(room - (before - start), costOfUnit(units, costs, span));
  return { span, units: first + (fitting > 0n ? Number(fitting) : 0) };
}

function costTo(units: MergedUnits, costs: UnitCosts, cut: Cut): bigint {
  const before = costBeforeSpan(units, costs, cut.span);
  return cut.units === 0 ? before : before + costOfUnit(units, costs, cut.span) * BigInt(cut.units);
}

/** Σ of `costs` over the units before a cut. */
export function costBefore(units: MergedUnits, costs: UnitCosts, cut: Cut): Rational {
  return Rational.of(costTo(units, costs, cut), costs.denominator);
}

/** What all units come to. */
export function costOfAll({ parametersBefore, readsBefore, readDenominator }: MergedUnits, cost: PerByte): Rational {
  return atBytes(
    cost,
    Rational.of(parametersBefore.at(-1) as bigint),
    Rational.of(readsBefore.at(-1) as bigint, readDenominator),
  );
}

/** Rows before a cut. A bigint: one table's rows are a safe integer, those of several need not be. */
export function rowsBefore({ rowsBefore: before, rowsPerUnit }: MergedUnits, { span, units }: Cut): bigint {
  return (before[span] as bigint) + (units === 0 ? 0n : BigInt(units) * BigInt(rowsPerUnit[span] as number));
}

/** The first place with at least this many rows before it, or the end. */
export function cutAtRows(units: MergedUnits, rows: bigint): Cut {
  const { rowsBefore: before, rowsPerUnit, units: counts } = units;
  const span = firstWhere(0, counts.length, (k) => (before[k + 1] as bigint) >= rows);
  if (span === counts.length) return { span, units: 0 };
  const each = BigInt(rowsPerUnit[span] as number);
  const needed = (rows - (before[span] as bigint) + each - 1n) / each;
  return needed < BigInt(counts[span] as number)
    ? { span, units: needed > 0n ? Number(needed) : 0 }
    : { span: span + 1, units: 0 };
}

/**
 * The plan that gives the merged order's segments to tiers: `tiers[0]` up to `cuts[0]`, `tiers[1]` from there to
 * `cuts[1]`, …, the last tier (one more than the cuts) to the end. In every table the runs come out in this order.
 */
export function segments(
  instance: RowTiersInstance,
  { table, units, rowsPerUnit }: MergedUnits,
  cuts: readonly Cut[],
  tiers: readonly Tier[],
): Assignment {
  const rows = instance.tables.map(() => new Float64Array(tiers.length));
  for (let span = 0; span < units.length; span++) {
    const ofTable = rows[table[span] as number] as Float64Array;
    let before = 0;
    for (let t = 0; t < tiers.length; t++) {
      const cut = cuts[t];
      const count = units[span] as number;
      const until = cut === undefined ? count : unitsBefore(span, count, cut);
      ofTable[t] = (ofTable[t] as number) + (until - before) * (rowsPerUnit[span] as number);
      before = until;
    }
  }
  return rows.map((ofTable) =>
    tiers.map((tier, t): Run => ({ rows: ofTable[t] as number, tier })).filter((run) => run.rows > 0),
  );
}

function unitsBefore(span: number, units: number, cut: Cut): number {
  return span < cut.span ? units : span === cut.span ? cut.units : 0;
}

/** So many of the hottest rows data_parallel, the rest row_wise: a point of FlexShard's figure 5. */
export function hottestReplicated(instance: RowTiersInstance, units: MergedUnits, rows: number): Assignment {
  return segments(instance, units, [cutAtRows(units, BigInt(rows))], ["data_parallel", "row_wise"]);
}
