import type { Random } from "../../../../exact/random.js";
import { type Cut, keyOf } from "./cut.js";
import type { Relaxation } from "./relaxation.js";

/** A cut that a matrix M of the relaxation does not satisfy. */
export interface ViolatedCut {
  readonly cut: Cut;
  /** By how much, over the norm of the cut off the diagonal. */
  readonly depth: number;
}

/**
 * Triangle inequalities that are violated by more than `tolerance`, the most violated first, at most `limit` of them.
 */
export function violatedTriangles(
  matrix: Float64Array,
  { elements: n }: Relaxation,
  tolerance: number,
  limit: number,
): readonly ViolatedCut[] {
  const found: ViolatedCut[] = [];
  for (let i = 0; i < n; i++) {
    const own = matrix[i * n + i] as number;
    for (let j = 0; j < n; j++) {
      const first = matrix[i * n + j] as number;
      if (j === i || first <= tolerance) continue;
      for (let k = 0; k < j; k++) {
        if (k === i) continue;
        const violation = first + (matrix[i * n + k] as number) - (matrix[j * n + k] as number) - own;
        // Twice of it is the cut's own: j and k together, against i.
        if (violation > tolerance) {
          found.push({ cut: { floor: 0, plus: [k, j], minus: [i] }, depth: (2 * violation) / Math.sqrt(6) });
        }
      }
    }
  }
  return deepest(found, limit);
}

/** How to look for cuts in general. */
export interface CutSearch {
  /** Which values of `floor` to try. */
  readonly floors: readonly number[];
  /** Descents for each floor. */
  readonly starts: number;
  readonly tolerance: number;
  readonly limit: number;
}

/** Cuts have at most this many elements. */
const MAX_ELEMENTS = 24;
const MAX_MOVES = 100;

/**
 * Cuts that are violated by more than a tolerance, found by descents over b in {−1, 0, 1}^F of
 *
 *   bᵀMb − (2·floor + 1) Σ b_i·M_ii + floor·(floor + 1) Σ w_t
 *
 * that change one element, or else exchange one for another; from a few random elements. The deepest first.
 */
export function violatedCuts(
  matrix: Float64Array,
  relaxation: Relaxation,
  random: Random,
  { floors, starts, tolerance, limit }: CutSearch,
): readonly ViolatedCut[] {
  const found = new Map<string, ViolatedCut>();
  for (const floor of floors) {
    for (let start = 0; start < starts; start++) {
      const descent = new Descent(matrix, relaxation, floor);
      descent.change(random.integer(relaxation.elements), 1);
      for (let extra = random.integer(3); extra > 0; extra--) {
        const element = random.integer(relaxation.elements);
        const sign = random.next() < 0.4 ? -1 : 1;
        if (!descent.has(element)) descent.change(element, sign);
      }
      for (let move = 0; move < MAX_MOVES && (descent.changeOne() || descent.exchange()); move++);
      if (descent.value >= -tolerance || descent.size < 3) continue;
      const cut = descent.cut();
      found.set(keyOf(cut), { cut, depth: -descent.value / Math.sqrt(descent.size * (descent.size - 1)) });
    }
  }
  return deepest([...found.values()], limit);
}

function deepest(cuts: readonly ViolatedCut[], limit: number): readonly ViolatedCut[] {
  return [...cuts].sort((a, b) => b.depth - a.depth).slice(0, limit);
}

/** A vector b, the value of its cut, and M·b. */
class Descent {
  readonly #matrix: Float64Array;
  readonly #n: number;
  readonly #floor: number;
  readonly #signs: Int8Array;
  readonly #product: Float64Array;
  value: number;
  size = 0;

  constructor(matrix: Float64Array, { elements, weight }: Relaxation, floor: number) {
    this.#matrix = matrix;
    this.#n = elements;
    this.#floor = floor;
    this.#signs = new Int8Array(elements);
    this.#product = new Float64Array(elements);
    this.value = floor * (floor + 1) * weight;
  }

  has(element: number): boolean {
    return this.#signs[element] !== 0;
  }

  cut(): Cut {
    const elements = [...this.#signs.keys()];
    return {
      floor: this.#floor,
      plus: elements.filter((element) => this.#signs[element] === 1),
      minus: elements.filter((element) => this.#signs[element] === -1),
    };
  }

  change(element: number, sign: number): void {
    const before = this.#signs[element] as number;
    this.value += this.#gain(element, sign - before, this.#product[element] as number);
    this.size += Math.abs(sign) - Math.abs(before);
    this.#signs[element] = sign;
    const row = element * this.#n;
    for (let j = 0; j < this.#n; j++) {
      this.#product[j] = (this.#product[j] as number) + (sign - before) * (this.#matrix[row + j] as number);
    }
  }

  /** What adding `step` to an entry of b changes, where M·b has `product` there. */
  #gain(element: number, step: number, product: number): number {
    const own = this.#matrix[element * this.#n + element] as number;
    return 2 * step * product + (step * step - (2 * this.#floor + 1) * step) * own;
  }

  /** Changes the one element that lowers the value most; `false` where none does. */
  changeOne(): boolean {
    let [best, chosen, to] = [-1e-9, -1, 0];
    for (let element = 0; element < this.#n; element++) {
      const before = this.#signs[element] as number;
      if (before === 0 && this.size >= MAX_ELEMENTS) continue;
      for (let sign = -1; sign <= 1; sign++) {
        if (sign === before) continue;
        const gain = this.#gain(element, sign - before, this.#product[element] as number);
        if (gain < best) [best, chosen, to] = [gain, element, sign];
      }
    }
    if (chosen === -1) return false;
    this.change(chosen, to);
    return true;
  }

  /** Takes one element out and another in, those that lower the value most; `false` where none do. */
  exchange(): boolean {
    let [best, out, into, to] = [-1e-9, -1, -1, 0];
    for (let i = 0; i < this.#n; i++) {
      const before = this.#signs[i] as number;
      if (before === 0) continue;
      const without = this.#gain(i, -before, this.#product[i] as number);
      for (let j = 0; j < this.#n; j++) {
        if (this.#signs[j] !== 0) continue;
        const product = (this.#product[j] as number) - before * (this.#matrix[i * this.#n + j] as number);
        for (let sign = -1; sign <= 1; sign += 2) {
          const gain = without + this.#gain(j, sign, product);
          if (gain < best) [best, out, into, to] = [gain, i, j, sign];
        }
      }
    }
    if (out === -1) return false;
    this.change(out, 0);
    this.change(into, to);
    return true;
  }
}
