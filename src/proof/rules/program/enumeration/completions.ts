import type { Limit } from "./limits.js";

/** Grains that what is left of a limit is divided into. */
const CELLS = 2000;

/** Steps that completions take within each of so many margins and each two of them, over so many alternatives to come. */
export function completionWork(alternatives: number, margins: number): number {
  return alternatives * CELLS * margins ** 2;
}

/** A limit, and the most that a partial point has left of it. */
export interface Beside {
  readonly limit: Limit;
  readonly room: number;
}

/**
 * The least that all choices to come use of one limit where so much of others is left, by grains of the sum of those (dynamic
 * programming). Uses are rounded down to grains, so that nothing that fits is left out.
 */
export class Completions {
  readonly #grains: readonly number[];
  readonly #least: Float64Array;

  private constructor(grains: readonly number[], least: Float64Array) {
    [this.#grains, this.#least] = [grains, least];
  }

  /** Of the choices from `depth` on: uses of `of`. `null` where they fit into what there is beside, whatever they are. */
  static after(depth: number, of: Limit, beside: readonly Beside[]): Completions | null {
    const isFree = beside.every(({ limit, room }) => mostUsed(limit, depth) <= room);
    if (isFree || beside.some(({ room }) => room < 0)) return null;
    const grains = beside.map(({ room }) => Math.max(1, Math.ceil(room / CELLS)));
    const cells = beside.reduce((sum, { room }, b) => sum + wholes(room, grains[b] as number), 0);
    let least = new Float64Array(cells + 1);
    for (let c = depth; c < of.uses.length; c++) {
      const own = of.uses[c] as Float64Array;
      const next = new Float64Array(cells + 1).fill(Number.POSITIVE_INFINITY);
      for (let k = 0; k < own.length; k++) {
        const use = own[k] as number;
        let width = 0;
        for (const [b, { limit }] of beside.entries()) {
          width += wholes((limit.uses[c] as Float64Array)[k] as number, grains[b] as number);
        }
        for (let r = width; r <= cells; r++) {
          const sum = (least[r - width] as number) + use;
          if (sum < (next[r] as number)) next[r] = sum;
        }
      }
      least = next;
    }
    return new Completions(grains, least);
  }

  /** What they use at least, with so much left of each. */
  at(left: readonly number[]): number {
    let cells = 0;
    for (const [b, own] of left.entries()) {
      if (own < 0) return Number.POSITIVE_INFINITY;
      cells += wholes(own, this.#grains[b] as number);
    }
    return this.#least[cells] as number;
  }
}

function mostUsed({ uses }: Limit, depth: number): number {
  return uses.slice(depth).reduce((sum, own) => sum + Math.max(...own), 0);
}

/** ⌊value / grain⌋ of integers below 2^52, whatever the quotient is rounded to. */
function wholes(value: number, grain: number): number {
  const quotient = Math.floor(value / grain);
  return quotient * grain > value ? quotient - 1 : quotient;
}
