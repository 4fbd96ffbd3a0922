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
  /** Where A is not zero, below the diagonal, and on it unless the diagonal is given. */
  readonly cells: Int32Array;
  readonly entries: Int32Array;
  /** By cell: what it counts in ⟨A, W⟩, for which one below the diagonal stands for that above it too. */
  readonly weights: Int32Array;
  readonly least: number;
  /** ⟨A, A⟩ */
  readonly square: number;
}

/** A cut with price zero. */
export function pricedCut(cut: Cut, { elements: n, weight, diagonal }: Relaxation): PricedCut {
  const { floor, plus, minus } = cut;
  const signed = [...plus.map((element) => ({ element, sign: 1 })), ...minus.map((element) => ({ element, sign: -1 }))];
  const below = signed.flatMap((a, k) =>
    signed.slice(0, k).map((b) => ({
      cell: Math.max(a.element, b.element) * n + Math.min(a.element, b.element),
      entry: a.sign * b.sign,
      times: 2,
    })),
  );
  const isGiven = diagonal.low === diagonal.high;
  const onDiagonal = signed.map(({ element, sign }) => {
    return { cell: element * n + element, entry: 1 - (2 * floor + 1) * sign, times: 1 };
  });
  const given = isGiven ? onDiagonal.reduce((sum, { entry }) => sum + entry * diagonal.low, 0) : 0;
  const all = [...below, ...(isGiven ? [] : onDiagonal.filter(({ entry }) => entry !== 0))];
  return {
    ...{ cut, dual: 0, idle: 0, least: -floor * (floor + 1) * weight - given },
    cells: Int32Array.from(all, ({ cell }) => cell),
    entries: Int32Array.from(all, ({ entry }) => entry),
    weights: Int32Array.from(all, ({ entry, times }) => entry * times),
    square: all.reduce((sum, { entry, times }) => sum + entry * entry * times, 0),
  };
}

/** Raises or lowers a cut's price to what is best while all else stays; `w` as in {@link DualAscent}. */
export function settleCut(entry: PricedCut, w: Float64Array, inverse: number): void {
  const { cells, entries, weights } = entry;
  let inner = 0;
  for (let k = 0; k < cells.length; k++) inner += (weights[k] as number) * (w[cells[k] as number] as number);
  const dual = Math.max(0, entry.dual + (inverse * entry.least - inner) / entry.square);
  const change = dual - entry.dual;
  if (change === 0) return;
  entry.dual = dual;
  for (let k = 0; k < cells.length; k++) {
    const at = cells[k] as number;
    w[at] = (w[at] as number) + change * (entries[k] as number);
  }
}
