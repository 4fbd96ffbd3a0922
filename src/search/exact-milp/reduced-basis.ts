import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import { propagate } from "../../proof/kernel/propagate.js";
import type { LatticeBasis } from "../../proof/kernel/reformulate.js";
import { viewOf } from "../../proof/kernel/view.js";
import { mergedRows } from "./parallel-rows.js";

/** Weight of a row that leaves no room, against rows of width one. */
const TIGHT = 1_000_000n;

/**
 * A lattice basis in which a thin program is wide: the columns of the constraint matrix, each row divided by the width it
 * leaves, are reduced by the algorithm of Lenstra, Lenstra and Lovász, as Krishnamoorthy and Pataki (2009) reformulate
 * knapsacks and Aardal, Hurkens and Lenstra (2000) systems of equations. Branching on the new columns splits along
 * directions in which the program is thin. `null` where an integer column has no bounds.
 */
export function reducedBasis(program: Program): LatticeBasis | null {
  const integers = program.columns.flatMap(({ integer }, j) => (integer ? [j] : []));
  const { view, box } = viewOf(program);
  propagate(view, box, () => {});
  const position = new Map(integers.map((j, k) => [j, k]));
  const vectors: bigint[][] = integers.map(() => []);
  const addRow = (entries: readonly (readonly [number, Rational])[], width: Rational): void => {
    const weight = width.sign() <= 0 ? Rational.of(TIGHT) : Rational.of(TIGHT).divide(width.add(Rational.one));
    for (const vector of vectors) vector.push(0n);
    for (const [k, coefficient] of entries) {
      const vector = vectors[k] as bigint[];
      vector[vector.length - 1] = roundNearest(coefficient.multiply(weight).multiply(Rational.of(TIGHT)));
    }
  };
  for (const [k, j] of integers.entries()) {
    const lower = box.lower[j] ?? null;
    const upper = box.upper[j] ?? null;
    if (lower === null || upper === null) return null;
    addRow([[k, Rational.one]], upper.subtract(lower));
  }
  for (const { form, lower, upper } of [...program.rows, ...mergedRows(view)]) {
    const entries = form.columns.flatMap((j, k) => {
      const at = position.get(j);
      return at === undefined ? [] : [[at, Rational.of(form.coefficients[k] as bigint, form.denominator)] as const];
    });
    if (entries.length !== form.columns.length) continue;
    const span = entries.reduce((sum, [k, coefficient]) => {
      const j = integers[k] as number;
      const range = (box.upper[j] as Rational).subtract(box.lower[j] as Rational);
      return sum.add(coefficient.absolute().multiply(range));
    }, Rational.zero);
    addRow(entries, lower !== null && upper !== null ? upper.subtract(lower) : span);
  }
  const { transform, inverse } = reduce(vectors);
  // Rows of `transform` are the new basis vectors in the old columns: x = Uᵀ-wise, column k of the matrix is vector k.
  const matrix = integers.map((_, i) => transform.map((vector) => vector[i] as bigint));
  return { matrix, inverse };
}

/**
 * LLL reduction (δ = 3/4) of integer vectors, in exact integer arithmetic (Cohen, A Course in Computational Algebraic
 * Number Theory, algorithm 2.6.7, with Gram–Schmidt coefficients recomputed as rationals: the dimensions are small).
 * Returns the unimodular transformation: row k tells new vector k as a combination of the given ones; and the inverse of
 * its transpose.
 */
function reduce(vectors: readonly (readonly bigint[])[]): { transform: bigint[][]; inverse: bigint[][] } {
  const size = vectors.length;
  const basis = vectors.map((vector) => vector.slice());
  const identity = () => vectors.map((_, i) => vectors.map((__, k) => (i === k ? 1n : 0n)));
  const [transform, inverse] = [identity(), identity()];
  const { mu, norms, refresh } = gramSchmidt(basis);
  const combine = (target: number, source: number, factor: bigint): void => {
    const subtract = (to: bigint[], from: readonly bigint[], times: bigint) => {
      for (let k = 0; k < to.length; k++) to[k] = (to[k] as bigint) - times * (from[k] as bigint);
    };
    for (const list of [basis, transform]) subtract(list[target] as bigint[], list[source] as bigint[], factor);
    subtract(inverse[source] as bigint[], inverse[target] as bigint[], -factor);
    const rates = mu[target] as Rational[];
    const other = mu[source] as Rational[];
    for (let k = 0; k < source; k++) {
      rates[k] = (rates[k] as Rational).subtract((other[k] as Rational).multiply(Rational.of(factor)));
    }
    rates[source] = (rates[source] as Rational).subtract(Rational.of(factor));
  };
  let k = 1;
  while (k < size) {
    for (let l = k - 1; l >= 0; l--) {
      const factor = roundNearest((mu[k] as Rational[])[l] as Rational);
      if (factor !== 0n) combine(k, l, factor);
    }
    const rate = (mu[k] as Rational[])[k - 1] as Rational;
    const wanted = Rational.of(3n, 4n)
      .subtract(rate.multiply(rate))
      .multiply(norms[k - 1] as Rational);
    if ((norms[k] as Rational).compare(wanted) >= 0) k++;
    else {
      for (const list of [basis, transform, inverse]) {
        [list[k - 1], list[k]] = [list[k] as bigint[], list[k - 1] as bigint[]];
      }
      refresh(k - 1);
      k = Math.max(k - 1, 1);
    }
  }
  return { transform, inverse };
}

/** Gram–Schmidt coefficients and squared norms, in rationals; `refresh` recomputes them from a vector on. */
function gramSchmidt(basis: readonly (readonly bigint[])[]) {
  const size = basis.length;
  const mu: Rational[][] = basis.map(() => new Array<Rational>(size).fill(Rational.zero));
  const norms: Rational[] = new Array(size).fill(Rational.zero);
  const inner = (a: readonly bigint[], b: readonly bigint[]) =>
    a.reduce((sum, entry, k) => sum + entry * (b[k] as bigint), 0n);
  const refresh = (from: number): void => {
    for (let i = from; i < size; i++) {
      const row = mu[i] as Rational[];
      for (let j = 0; j <= i; j++) {
        let value = Rational.of(inner(basis[i] as readonly bigint[], basis[j] as readonly bigint[]));
        const other = mu[j] as Rational[];
        for (let k = 0; k < j; k++) {
          value = value.subtract((row[k] as Rational).multiply(other[k] as Rational).multiply(norms[k] as Rational));
        }
        if (j === i) norms[i] = value;
        else row[j] = value.divide(norms[j] as Rational);
      }
    }
  };
  refresh(0);
  return { mu, norms, refresh };
}

function roundNearest(value: Rational): bigint {
  return value.add(Rational.of(1n, 2n)).floor();
}
