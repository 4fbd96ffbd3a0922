import type { RowClasses } from "../../src/access/row-classes.js";
import { Rational } from "../../src/exact/rational.js";
import type { RowTiersInstance, Table } from "../../src/instance/instance.js";

/**
 * Units are what moves between tiers: single rows or, with `granularity` g above 1, blocks of g rows that are neighbours
 * in a table's order of falling access (a table's last block may be shorter). Units with as many rows, the same bytes and
 * the same expected reads are interchangeable, whatever table they are from, and form one class.
 */
export interface UnitClass {
  /** How many such units there are. */
  readonly units: number;
  readonly rowsPerUnit: number;
  /** Bytes of one unit's parameters: rows · dim · bytes per element. */
  readonly parameterBytes: bigint;
  /** Expected bytes that one sample reads of one unit: Σ p · dim · bytes per element. */
  readonly readBytes: Rational;
  /** Where the units lie: in the table's order of falling access, from row `firstRow` (0 is the hottest) on. */
  readonly members: readonly ClassMember[];
}

export interface ClassMember {
  readonly table: number;
  readonly firstRow: number;
  readonly units: number;
}

/**
 * The unit classes of all tables of an instance, by size and then by falling reads, so that classes whose units may be
 * exchanged are neighbours; `access` holds one entry per table.
 */
export function unitClasses(instance: RowTiersInstance, access: readonly RowClasses[]): readonly UnitClass[] {
  const classes: (UnitClass & { units: number; members: ClassMember[] })[] = [];
  const known = new Map<string, number>();
  instance.tables.forEach((table, index) => {
    for (const block of blocksOf(access[index] as RowClasses, instance.granularity)) {
      const perRow = rowBytes(table);
      const parameterBytes = BigInt(block.rowsPerUnit) * perRow;
      const readBytes = block.appearances.multiply(Rational.of(perRow));
      const member = { table: index, firstRow: block.firstRow, units: block.units };
      const key = instance.tables.length === 1 ? "" : `${block.rowsPerUnit} ${parameterBytes} ${readBytes}`;
      const same = key === "" ? undefined : classes[known.get(key) ?? -1];
      if (same !== undefined) {
        same.units += block.units;
        same.members.push(member);
        continue;
      }
      if (key !== "") known.set(key, classes.length);
      classes.push({
        units: block.units,
        rowsPerUnit: block.rowsPerUnit,
        parameterBytes,
        readBytes,
        members: [member],
      });
    }
  });
  return instance.tables.length === 1 && instance.granularity === 1 ? classes : classes.sort(bySizeAndHeat);
}

function bySizeAndHeat(a: UnitClass, b: UnitClass): number {
  if (a.parameterBytes !== b.parameterBytes) return a.parameterBytes > b.parameterBytes ? -1 : 1;
  return b.readBytes.compare(a.readBytes);
}

/** Equal units at neighbouring ranks of one table. */
interface Blocks {
  readonly units: number;
  readonly rowsPerUnit: number;
  /** Expected appearances in one sample, summed over a unit's rows. */
  readonly appearances: Rational;
  readonly firstRow: number;
}

function* blocksOf(access: RowClasses, granularity: number): Generator<Blocks> {
  let firstRow = 0;
  let heldRows = 0;
  let heldAppearances = Rational.zero;
  for (let k = 0; k < access.rows.length; k++) {
    let rows = access.rows[k] as number;
    const each = Rational.fromNumber(access.appearances[k] as number);
    if (heldRows > 0) {
      const taken = Math.min(granularity - heldRows, rows);
      heldAppearances = heldAppearances.add(each.multiply(Rational.of(BigInt(taken))));
      heldRows += taken;
      rows -= taken;
      if (heldRows === granularity) {
        yield { units: 1, rowsPerUnit: granularity, appearances: heldAppearances, firstRow };
        firstRow += granularity;
        heldRows = 0;
        heldAppearances = Rational.zero;
      }
    }
    const units = Math.floor(rows / granularity);
    if (units > 0) {
      const appearances = granularity === 1 ? each : each.multiply(Rational.of(BigInt(granularity)));
      yield { units, rowsPerUnit: granularity, appearances, firstRow };
      firstRow += units * granularity;
      rows -= units * granularity;
    }
    if (rows > 0) {
      heldRows = rows;
      heldAppearances = each.multiply(Rational.of(BigInt(rows)));
    }
  }
  if (heldRows > 0) yield { units: 1, rowsPerUnit: heldRows, appearances: heldAppearances, firstRow };
}

/** Bytes of one row of a table. */
export function rowBytes(table: Table): bigint {
  return BigInt(table.dim) * BigInt(table.elementBytes);
}
