import { expect, test } from "vitest";
import { type Random, seededRandom } from "../../../../src/exact/random.js";
import { BasisFactors } from "../../../../src/search/simplex/basis-factors.js";
import { SparseVectors } from "../../../../src/search/simplex/sparse-vectors.js";

type Entries = readonly (readonly [row: number, value: number])[];

function stored(columns: readonly Entries[]): SparseVectors {
  const vectors = new SparseVectors();
  for (const entries of columns) {
    for (const [row, value] of entries) vectors.push(row, value);
    vectors.close();
  }
  return vectors;
}

/** m unit vectors, then `count` columns that have a few values each; in most cases zeros and ones. */
function drawnColumns(random: Random, m: number, count: number): readonly Entries[] {
  const isBinary = random.integer(3) > 0;
  const drawn = Array.from({ length: count }, (): Entries => {
    const rows = new Set(Array.from({ length: 1 + random.integer(Math.min(m, 9)) }, () => random.integer(m)));
    return [...rows].map((row) => [row, isBinary ? 1 : (random.next() - 0.5) * 10 ** (random.integer(3) - 1)]);
  });
  return [...Array.from({ length: m }, (_, row): Entries => [[row, 1]]), ...drawn];
}

/** The largest errors of B·x = v and Bᵀ·y = v for the solutions by the factors, relative to what is added up. */
function residuals(factors: BasisFactors, heads: Int32Array, columns: readonly Entries[], random: Random) {
  const m = heads.length;
  const v = Float64Array.from({ length: m }, () => (random.integer(3) === 0 ? random.next() - 0.5 : 0));
  const x = v.slice();
  factors.forward(x);
  const [sums, sizes] = [new Float64Array(m), new Float64Array(m).fill(1)];
  const y = v.slice();
  factors.backward(y);
  let worst = 0;
  heads.forEach((column, slot) => {
    let [sum, size] = [0, 1];
    for (const [row, value] of columns[column] as Entries) {
      sums[row] = (sums[row] as number) + value * (x[slot] as number);
      sizes[row] = (sizes[row] as number) + Math.abs(value * (x[slot] as number));
      sum += value * (y[row] as number);
      size += Math.abs(value * (y[row] as number));
    }
    worst = Math.max(worst, Math.abs(sum - (v[slot] as number)) / size);
  });
  v.forEach((value, row) => {
    worst = Math.max(worst, Math.abs((sums[row] as number) - value) / (sizes[row] as number));
  });
  return worst;
}

test("factors solve with bases and their transposes, and after columns were replaced", () => {
  const random = seededRandom(9101);
  let [replaced, repaired, unsound] = [0, 0, 0];
  for (let round = 0; round < 150; round++) {
    const m = 1 + random.integer(60);
    const columns = drawnColumns(random, m, 4 * m);
    const logicals = Int32Array.from({ length: m }, (_, row) => row);
    const basic = Int32Array.from({ length: m }, (_, place) => m + place);
    const vectors = stored(columns);
    let factors = new BasisFactors(vectors, basic, logicals);
    let heads = factors.heads.slice();
    expect(new Set(heads).size).toBe(m);
    for (const column of heads) {
      if (column < m) repaired++;
      else expect(column).toBeLessThan(2 * m);
    }
    expect(residuals(factors, heads, columns, random)).toBeLessThan(1e-11);
    const direction = new Float64Array(m);
    for (let k = 0; k < 40; k++) {
      const entering = random.integer(columns.length);
      if (heads.includes(entering)) continue;
      direction.fill(0);
      for (const [row, value] of columns[entering] as Entries) direction[row] = value;
      factors.forward(direction, true);
      const slot = direction.reduce(
        (best, value, at) => (Math.abs(value) > Math.abs(direction[best] as number) ? at : best),
        0,
      );
      const isSound = factors.replace(slot, direction[slot] as number);
      heads[slot] = entering;
      replaced++;
      if (isSound) continue;
      unsound++;
      factors = new BasisFactors(vectors, heads, logicals);
      heads = factors.heads.slice();
    }
    expect(residuals(factors, heads, columns, random)).toBeLessThan(1e-10);
  }
  expect(replaced).toBeGreaterThan(4000);
  expect(unsound).toBeLessThan(0.01 * replaced);
  expect(repaired).toBeGreaterThan(50);
});

test("a triangular basis is factored without fill", () => {
  const m = 50;
  const columns = Array.from({ length: m }, (_, place): Entries => {
    const entries: [number, number][] = [[place, 2]];
    for (let row = place + 1; row < m; row += 3) entries.push([row, 1]);
    return entries;
  });
  const given = columns.reduce((sum, entries) => sum + entries.length, 0);
  const order = Int32Array.from({ length: m }, (_, place) => (place * 7) % m);
  const factors = new BasisFactors(stored(columns), order, new Int32Array(m));
  expect(factors.size).toBe(given - m);
  expect([...factors.heads]).toEqual([...order.keys()]);
});

test("a column that depends on others gives way to the logical one of the row that is left", () => {
  const columns: readonly Entries[] = [
    [[0, 1]],
    [[1, 1]],
    [[2, 1]],
    [
      [0, 1],
      [1, 1],
    ],
    [
      [1, 1],
      [2, 1],
    ],
    [
      [0, 1],
      [1, 2],
      [2, 1],
    ],
  ];
  const factors = new BasisFactors(stored(columns), Int32Array.of(3, 4, 5), Int32Array.of(0, 1, 2));
  expect([...factors.heads].filter((column) => column >= 3)).toHaveLength(2);
  expect(residuals(factors, factors.heads, columns, seededRandom(2))).toBeLessThan(1e-12);
});

test("a replacement whose pivot is not what the solution said is refused", () => {
  const columns: readonly Entries[] = [
    [[0, 1]],
    [[1, 1]],
    [
      [0, 1],
      [1, 2],
    ],
  ];
  const factors = new BasisFactors(stored(columns), Int32Array.of(0, 1), Int32Array.of(0, 1));
  const direction = Float64Array.of(1, 2);
  factors.forward(direction, true);
  expect(factors.replace(1, 2.1)).toBe(false);
});
