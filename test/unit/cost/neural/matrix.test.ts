import { expect, test } from "vitest";
import { multiplyTransposed, transpose } from "../../../../src/cost/neural/dense.js";
import { seededRandom } from "../../../../src/exact/random.js";

const random = seededRandom(1);
const drawn = (length: number) => Float64Array.from({ length }, () => random.integer(19) - 9);

test.each([
  [1, 1, 1],
  [1, 6, 3],
  [4, 4, 4],
  [5, 7, 3],
  [8, 9, 21],
  [11, 4, 2],
])("a product of %i × %i numbers over %i is the sum of products, whatever the blocks", (m, n, k) => {
  const [a, b, before] = [drawn(m * k), drawn(n * k), drawn(m * n)];
  const expected = (i: number, j: number) => {
    let sum = 0;
    for (let x = 0; x < k; x++) sum += (a[i * k + x] as number) * (b[j * k + x] as number);
    return sum;
  };
  const [out, added] = [before.slice(), before.slice()];
  multiplyTransposed(a, b, out, [m, n, k]);
  multiplyTransposed(a, b, added, [m, n, k], true);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      expect(out[i * n + j]).toBe(expected(i, j));
      expect(added[i * n + j]).toBe(expected(i, j) + (before[i * n + j] as number));
    }
  }
});

test("a matrix is transposed", () => {
  const out = new Float64Array(6);
  transpose(Float64Array.of(1, 2, 3, 4, 5, 6), out, 2, 3);
  expect([...out]).toEqual([1, 4, 2, 5, 3, 6]);
});
