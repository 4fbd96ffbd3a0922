import { describe, expect, test } from "vitest";
import { Field, PRIMES } from "../../../../src/search/exact-simplex/modular.js";
import { ModularFactors, type ModularRow } from "../../../../src/search/exact-simplex/modular-factors.js";
import { type Draw, drawFrom } from "../../../fuzz/oracle/draw.js";

const field = new Field(PRIMES[0]);
const big = BigInt(PRIMES[0]);

/** A random matrix with about so many entries in each row, by rows. */
function drawRows(draw: Draw, rowCount: number, columnCount: number, perRow: number): ModularRow[] {
  return Array.from({ length: rowCount }, () => {
    const columns = new Set(Array.from({ length: perRow }, () => draw.int(0, columnCount - 1)));
    return { columns: [...columns], values: [...columns].map(() => draw.int(1, PRIMES[0] - 1)) };
  });
}

const copied = (rows: readonly ModularRow[]): ModularRow[] =>
  rows.map(({ columns, values }) => ({ columns: columns.slice(), values: values.slice() }));

/** A·x and Aᵀ·y modulo the prime, in integers. */
function times(rows: readonly ModularRow[], x: Float64Array): number[] {
  return rows.map(({ columns, values }) =>
    Number(columns.reduce((sum, j, k) => sum + BigInt(values[k] as number) * BigInt(x[j] as number), 0n) % big),
  );
}

function transposedTimes(rows: readonly ModularRow[], columnCount: number, y: Float64Array): number[] {
  const sums: bigint[] = new Array(columnCount).fill(0n);
  rows.forEach(({ columns, values }, i) => {
    columns.forEach((j, k) => {
      sums[j] = (sums[j] as bigint) + BigInt(values[k] as number) * BigInt(y[i] as number);
    });
  });
  return sums.map((sum) => Number(sum % big));
}

describe("Field", () => {
  test("residues of integers of either sign, up to products of two residues", () => {
    const draw = drawFrom(1);
    const values = Array.from({ length: 500 }, () => draw.int(-(2 ** 30), 2 ** 30) * draw.int(0, 2 ** 22));
    for (const value of [...values, 0, -1, PRIMES[0], -PRIMES[0], 2 ** 52, -(2 ** 52)]) {
      const expected = ((BigInt(value) % big) + big) % big;
      expect(BigInt(field.reduce(value))).toBe(expected);
      expect(BigInt(field.reduceBig(BigInt(value)))).toBe(expected);
    }
  });

  test("inverses", () => {
    const draw = drawFrom(2);
    for (let k = 0; k < 300; k++) {
      const residue = k === 0 ? 1 : k === 1 ? PRIMES[0] - 1 : draw.int(1, PRIMES[0] - 1);
      expect((BigInt(residue) * BigInt(field.inverse(residue))) % big).toBe(1n);
    }
  });
});

describe("ModularFactors", () => {
  test.each([
    ["sparse", 2],
    ["with fill", 4],
    ["nearly full", 30],
  ])("solve with a matrix and its transpose: %s", (_, perRow) => {
    let solved = 0;
    for (let seed = 0; seed < 60; seed++) {
      const draw = drawFrom(seed);
      const size = draw.int(1, 40);
      const rows = drawRows(draw, size, size, Math.min(perRow, size));
      // A diagonal, so that most of them are regular.
      rows.forEach((row, i) => {
        if (row.columns.includes(i)) return;
        row.columns.push(i);
        row.values.push(draw.int(1, PRIMES[0] - 1));
      });
      const factors = new ModularFactors(field, copied(rows), size);
      if (factors.rank < size) continue;
      solved++;
      const right = Float64Array.from({ length: size }, () => draw.int(0, PRIMES[0] - 1));
      const x = new Float64Array(size);
      factors.solve(right.slice(), x);
      expect(times(rows, x)).toEqual([...right]);
      factors.solveTransposed(right.slice(), x);
      expect(transposedTimes(rows, size, x)).toEqual([...right]);
    }
    expect(solved).toBeGreaterThan(40);
  });

  test("leave out what depends on other rows and columns", () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = drawFrom(seed);
      const [rank, more] = [draw.int(1, 8), draw.int(1, 6)];
      const own = drawRows(draw, rank, rank + more, 3);
      // Each further row is a combination of two of the first.
      const dependent = Array.from({ length: more }, () => {
        const sums = new Map<number, bigint>();
        for (let k = 0; k < 2; k++) {
          const { columns, values } = draw.of(own);
          const factor = BigInt(draw.int(1, 9));
          columns.forEach((j, e) => {
            sums.set(j, ((sums.get(j) ?? 0n) + factor * BigInt(values[e] as number)) % big);
          });
        }
        const kept = [...sums].filter(([, value]) => value !== 0n);
        return { columns: kept.map(([j]) => j), values: kept.map(([, value]) => Number(value)) };
      });
      const rows = [...own, ...dependent];
      const factors = new ModularFactors(field, copied(rows), rank + more);
      expect(factors.rank).toBe(new ModularFactors(field, copied(own), rank + more).rank);
      // The pivots' rows and columns are a regular matrix of their own.
      const places = new Map(factors.pivotColumns.map((j, k) => [j, k]));
      const square = factors.pivotRows.map((i): ModularRow => {
        const { columns, values } = rows[i] as ModularRow;
        const kept = columns.map((j, k) => [places.get(j), values[k]] as const).filter(([j]) => j !== undefined);
        return { columns: kept.map(([j]) => j as number), values: kept.map(([, value]) => value as number) };
      });
      expect(new ModularFactors(field, square, factors.rank).rank).toBe(factors.rank);
    }
  });
});
