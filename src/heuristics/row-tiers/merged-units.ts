import { unitClasses } from "../../../models/row-tiers/unit-classes.js";
import type { RowClasses } from "../../access/row-classes.js";
import type { PerByte } from "../../cost/flexshard.js";
import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import type { RowTiersInstance, Tier } from "../../instance/instance.js";
import type { Assignment, Run } from "../../plan/row-tiers-assignment.js";

/** Equal units (rows, or blocks of `granularity` rows) at neighbouring ranks of one table. */
export interface UnitSpan {
  readonly table: number;
  readonly units: number;
  readonly rowsPerUnit: number;
  /** Bytes of one unit's parameters. */
  readonly parameterBytes: bigint;
  /** Bytes that one sample reads of one unit, times {@link MergedUnits.readDenominator}. */
  readonly reads: bigint;
  /** Expected appearances in one sample of a row of the unit (of its mean row), rounded to the nearest double. */
  readonly appearances: number;
}

/**
 * The units of all tables "merged and sorted into one large distribution" (FlexShard, section 4.6): by falling expected
 * appearances per row, compared exactly; equal ones in the order of the tables and their ranks.
 */
export interface MergedUnits {
  readonly spans: readonly UnitSpan[];
  readonly readDenominator: bigint;
}

export function mergedUnits(instance: RowTiersInstance, access: readonly RowClasses[]): MergedUnits {
  const classes = unitClasses(instance, access);
  const readDenominator = classes.reduce((all, { readBytes }) => leastCommonMultiple(all, readBytes.denominator), 1n);
  const spans = classes.flatMap(({ rowsPerUnit, parameterBytes, readBytes, members }) => {
    const reads = readBytes.numerator * (readDenominator / readBytes.denominator);
    const appearances = Rational.of(readBytes.numerator, readBytes.denominator * parameterBytes).toNumber();
    return members.map(({ table, firstRow, units }) => ({
      table,
      firstRow,
      units,
      rowsPerUnit,
      parameterBytes,
      reads,
      appearances,
    }));
  });
  spans.sort((a, b) => {
    // Rounding is monotone: only where the doubles agree can the exact numbers be in another order.
    if (a.appearances !== b.appearances) return b.appearances - a.appearances;
    const left = b.reads * a.parameterBytes;
    const right = a.reads * b.parameterBytes;
    return left < right ? -1 : left > right ? 1 : a.table - b.table || a.firstRow - b.firstRow;
  });
  return { spans, readDenominator };
}

/** A place in the merged order: all units of the spans before `span`, and the first `units` of that one. */
export interface Cut {
  readonly span: number;
  readonly units: number;
}

/** A linear cost of each span's unit, in integers over one denominator. */
export interface UnitCosts {
  readonly perUnit: readonly bigint[];
  readonly denominator: bigint;
}

/** `cost.parameters · R + cost.reads · S` of one unit of every span. */
export function unitCosts({ spans, readDenominator }: MergedUnits, cost: PerByte): UnitCosts {
  const common = leastCommonMultiple(cost.parameters.denominator, cost.reads.denominator);
  const parameters = cost.parameters.numerator * (common / cost.parameters.denominator) * readDenominator;
  const reads = cost.reads.numerator * (common / cost.reads.denominator);
  return {
    perUnit: spans.map((span) => span.parameterBytes * parameters + span.reads * reads),
    denominator: common * readDenominator,
  };
}

/** The first span, from `from` on, whose unit costs more than zero, or (`orZero`) not less than zero. */
export function firstCostly({ perUnit }: UnitCosts, from = 0, orZero = false): Cut {
  let span = from;
  while (span < perUnit.length && ((perUnit[span] as bigint) < 0n || (!orZero && perUnit[span] === 0n))) span++;
  return { span, units: 0 };
}

/**
 * How far one can go from `from`, unit by unit, before a unit would take the running sum of `costs` (which stands at
 * `spent` there) above `limit`, or the span `end` is reached. A unit that costs nothing or less never stops it.
 */
export function furthest(
  { spans }: MergedUnits,
  costs: UnitCosts,
  from: Cut,
  spent: Rational,
  limit: Rational,
  end = spans.length,
): Cut {
  const room = limit.subtract(spent).multiply(Rational.of(costs.denominator));
  let left = room.floor();
  for (let span = from.span; span < end; span++) {
    const first = span === from.span ? from.units : 0;
    const available = (spans[span] as UnitSpan).units - first;
    const each = costs.perUnit[span] as bigint;
    let taken = available;
    if (each > 0n) {
      const fitting = left < 0n ? 0n : left / each;
      if (fitting < BigInt(available)) taken = Number(fitting);
    }
    if (taken < available) return { span, units: first + taken };
    left -= each * BigInt(taken);
  }
  return { span: end, units: 0 };
}

/** Σ of `costs` over the units before a cut. */
export function costBefore({ spans }: MergedUnits, { perUnit, denominator }: UnitCosts, cut: Cut): Rational {
  let sum = 0n;
  for (let span = 0; span < cut.span; span++)
    sum += (perUnit[span] as bigint) * BigInt((spans[span] as UnitSpan).units);
  if (cut.units > 0) sum += (perUnit[cut.span] as bigint) * BigInt(cut.units);
  return Rational.of(sum, denominator);
}

/** Rows before a cut. A bigint: one table's rows are a safe integer, those of several need not be. */
export function rowsBefore({ spans }: MergedUnits, cut: Cut): bigint {
  return spans.reduce(
    (sum, { units, rowsPerUnit }, span) => sum + BigInt(unitsBefore(span, units, cut)) * BigInt(rowsPerUnit),
    0n,
  );
}

/**
 * The plan that gives the merged order's segments to tiers: `tiers[0]` up to `cuts[0]`, `tiers[1]` from there to
 * `cuts[1]`, …, the last tier (one more than the cuts) to the end. In every table the runs come out in this order.
 */
export function segments(
  instance: RowTiersInstance,
  { spans }: MergedUnits,
  cuts: readonly Cut[],
  tiers: readonly Tier[],
): Assignment {
  const rows = instance.tables.map(() => tiers.map(() => 0));
  spans.forEach(({ table, units, rowsPerUnit }, span) => {
    const ofTable = rows[table] as number[];
    let before = 0;
    tiers.forEach((_, t) => {
      const cut = cuts[t];
      const until = cut === undefined ? units : unitsBefore(span, units, cut);
      ofTable[t] = (ofTable[t] as number) + (until - before) * rowsPerUnit;
      before = until;
    });
  });
  return rows.map((ofTable) =>
    tiers.map((tier, t): Run => ({ rows: ofTable[t] as number, tier })).filter((run) => run.rows > 0),
  );
}

function unitsBefore(span: number, units: number, cut: Cut): number {
  return span < cut.span ? units : span === cut.span ? cut.units : 0;
}
