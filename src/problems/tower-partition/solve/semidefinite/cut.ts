import type { Relaxation } from "./relaxation.js";

/**
 * A cut of the semidefinite relaxation. For whole numbers x, (x − floor) · (x − floor − 1) ≥ 0; with x = b(S_t) for the
 * clusters S_t, where b is 1 on `plus` and −1 on `minus`, summed with the clusters' weights w_t (see {@link
 * Relaxation}):
 *
 *   bᵀMb − (2·floor + 1) Σ b_i·M_ii + floor·(floor + 1) Σ w_t ≥ 0.
 *
 * Two elements against one with floor 0 is the triangle inequality M_ij + M_ik − M_jk ≤ M_ii; T + 1 elements with floor
 * 1 say that two of them are together. (Grötschel and Wakabayashi 1990; Chopra and Rao 1993; Deza and Laurent 1997.)
 */
export interface Cut {
  readonly floor: number;
  /** Elements, rising. */
  readonly plus: readonly number[];
  readonly minus: readonly number[];
}

/** Equal cuts have equal keys. */
export function keyOf({ floor, plus, minus }: Cut): string {
  return `${floor}:${plus}:${minus}`;
}

/** A cut with its multiplier, and as a row ⟨A, M⟩ ≥ least of the relaxation. */
export interface PricedCut {
  readonly cut: Cut;
  /** ≥ 0. */
  dual: number;
  /** For how many rounds of cuts the price has been zero. */
  idle: number;
  /** Where A is ±1 below the diagonal (and above it the same). */
  readonly cells: Int32Array;
  readonly signs: Int8Array;
  /** Where A is not zero on the diagonal; nowhere if the diagonal is given. */
  readonly diagonalCells: Int32Array;
  readonly diagonalFactors: Int32Array;
  readonly least: number;
  /** ⟨A, A⟩ */
  readonly square: number;
}

/** A cut with price zero. */
export function pricedCut(cut: Cut, { elements: n, weight, diagonal }: Relaxation): PricedCut {
  const { floor, plus, minus } = cut;
  const signed = [...plus.map((element) => ({ element, sign: 1 })), ...minus.map((element) => ({ element, sign: -1 }))];
  const cells: number[] = [];
  const signs: number[] = [];
  signed.forEach((a, k) => {
    for (const b of signed.slice(0, k)) {
      cells.push(Math.max(a.element, b.element) * n + Math.min(a.element, b.element));
      signs.push(a.sign * b.sign);
    }
  });
  const isGiven = diagonal.low === diagonal.high;
  const onDiagonal = signed.map(({ element, sign }) => ({ element, factor: 1 - (2 * floor + 1) * sign }));
  const given = isGiven ? onDiagonal.reduce((sum, { factor }) => sum + factor * diagonal.low, 0) : 0;
  const kept = isGiven ? [] : onDiagonal.filter(({ factor }) => factor !== 0);
  return {
    cut,
    dual: 0,
    idle: 0,
    cells: Int32Array.from(cells),
    signs: Int8Array.from(signs),
    diagonalCells: Int32Array.from(kept, ({ element }) => element * n + element),
    diagonalFactors: Int32Array.from(kept, ({ factor }) => factor),
    least: -floor * (floor + 1) * weight - given,
    square: 2 * cells.length + kept.reduce((sum, { factor }) => sum + factor * factor, 0),
  };
}

/** Raises or lowers a cut's price to what is best while all else stays; `w` as in {@link DualAscent}. */
export function settleCut(entry: PricedCut, w: Float64Array, inverse: number): void {
  const { cells, signs, diagonalCells, diagonalFactors } = entry;
  let inner = 0;
  for (let k = 0; k < cells.length; k++) inner += (signs[k] as number) * (w[cells[k] as number] as number);
  inner *= 2;
  for (let k = 0; k < diagonalCells.length; k++) {
    inner += (diagonalFactors[k] as number) * (w[diagonalCells[k] as number] as number);
  }
  const dual = Math.max(0, entry.dual + (inverse * entry.least - inner) / entry.square);
  const change = dual - entry.dual;
  if (change === 0) return;
  entry.dual = dual;
  for (let k = 0; k < cells.length; k++) {
    const at = cells[k] as number;
    w[at] = (w[at] as number) + change * (signs[k] as number);
  }
  for (let k = 0; k < diagonalCells.length; k++) {
    const at = diagonalCells[k] as number;
    w[at] = (w[at] as number) + change * (diagonalFactors[k] as number);
  }
}
