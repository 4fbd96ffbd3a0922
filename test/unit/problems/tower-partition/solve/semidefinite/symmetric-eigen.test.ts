import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import {
  leastEigenvalue,
  spectrumOf,
} from "../../../../../../src/problems/tower-partition/solve/semidefinite/symmetric-eigen.js";

const random = seededRandom(3);

function randomSymmetric(n: number): Float64Array {
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      matrix[i * n + j] = random.next() - 0.5;
      matrix[j * n + i] = matrix[i * n + j] as number;
    }
  }
  return matrix;
}

/** Σ value · vector · vectorᵀ and the products of vectors, against the matrix and the identity. */
function expectSpectrum(matrix: Float64Array, n: number): Float64Array {
  const { values, vectors } = spectrumOf(matrix, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let [sum, product] = [0, 0];
      for (let k = 0; k < n; k++) {
        sum += (values[k] as number) * (vectors[k * n + i] as number) * (vectors[k * n + j] as number);
        product += (vectors[i * n + k] as number) * (vectors[j * n + k] as number);
      }
      expect(sum).toBeCloseTo(matrix[i * n + j] as number, 12);
      expect(product).toBeCloseTo(i === j ? 1 : 0, 12);
    }
  }
  return values;
}

test.each([1, 2, 3, 5, 8, 13, 40])("a random matrix of order %d", (n) => {
  const matrix = randomSymmetric(n);
  const values = expectSpectrum(matrix, n).toSorted();
  const rows = Array.from({ length: n }, (_, i) => Array.from(matrix.subarray(i * n, (i + 1) * n)));
  const peer = new EigenvalueDecomposition(new Matrix(rows), { assumeSymmetric: true }).realEigenvalues;
  peer
    .sort((a, b) => a - b)
    .forEach((value, k) => {
      expect(values[k]).toBeCloseTo(value, 12);
    });
  expect(leastEigenvalue(matrix, n)).toBeCloseTo(values[0] as number, 12);
});

test("matrices with equal eigenvalues, of rank one, diagonal and zero", () => {
  const ones = new Float64Array(36).fill(1);
  expect(expectSpectrum(ones, 6).toSorted().at(-1)).toBeCloseTo(6, 12);
  expect(leastEigenvalue(ones, 6)).toBeCloseTo(0, 12);
  const diagonal = Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? -k : 0));
  expect(Array.from(expectSpectrum(diagonal, 4).toSorted())).toEqual([-15, -10, -5, -0]);
  expect(Array.from(expectSpectrum(new Float64Array(9), 3))).toEqual([0, 0, 0]);
});

test("numbers that are not finite", () => {
  expect(() => spectrumOf(new Float64Array(9).fill(Number.NaN), 3)).toThrow(RangeError);
});

test("squared distances of points in the plane, a matrix of rank four: all other eigenvalues are rounding", () => {
  const random = seededRandom(3);
  for (const n of [30, 100]) {
    for (const size of [1e-9, 1, 1e9]) {
      const points = Array.from({ length: n }, () => [size * random.next(), size * random.next()] as const);
      const matrix = Float64Array.from({ length: n * n }, (_, k) => {
        const [a, b] = [points[Math.floor(k / n)], points[k % n]] as [
          readonly [number, number],
          readonly [number, number],
        ];
        return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;
      });
      const { values } = spectrumOf(matrix, n);
      const falling = [...values].map(Math.abs).sort((a, b) => b - a);
      expect(falling[3]).toBeGreaterThan(1e-6 * (falling[0] as number));
      expect(falling[4]).toBeLessThan(1e-12 * (falling[0] as number));
      expect(leastEigenvalue(matrix, n)).toBeCloseTo(Math.min(...values), 9 - 2 * Math.log10(size));
    }
  }
});
