import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import { Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { packedByFullPatterns } from "../packing/full-patterns.js";
import { packedShards } from "../packing/packed-shards.js";
import type { Room } from "./best-filling.js";
import type { CountedPoint } from "./counted-lp.js";
import { type CountedRelaxation, copyOf } from "./counted-relaxation.js";

/** What is nearer to a whole number is taken for it. */
export const WHOLE = 1e-6;

/** Roundings of patterns where all else is whole. */
const MOST_TRIES = 400;

interface Held {
  readonly pattern: number;
  readonly v: number;
  readonly lower: number;
}

/** Dives to whole numbers of patterns, where all else is whole: what a placement below the limit may count. */
export class CountedDive {
  readonly #relaxation: CountedRelaxation;

  constructor(relaxation: CountedRelaxation) {
    this.#relaxation = relaxation;
  }

  /**
   * Whole numbers of patterns where all else is whole: one after the other is held at what it is rounded up to, and where that leaves
   * nothing, below it.
   */
  settled(open: Box, { chosen, filling }: CountedPoint): Counts | null {
    const relaxation = this.#relaxation;
    const { lp, program } = relaxation;
    const { structure } = program;
    const box = copyOf(open);
    const counts = {
      chosen: chosen.map((own) => own.map(Math.round)),
      filling: filling.map((own) => own.map(Math.round)),
    };
    counts.chosen.forEach((own, c) => {
      own.forEach((value, o) => {
        settle(box, structure.chosen[c]?.[o] as number, value);
      });
    });
    counts.filling.forEach((own, s) => {
      own.forEach((value, v) => {
        settle(box, structure.filling[s]?.columns[v] as number, value);
      });
    });
    if (!relaxation.keeps(box)) return null;
    const room = relaxation.roomBeside(counts);
    lp.goTo(box, room);
    const held = new Map<string, Held>();
    const hold = (pattern: number, v: number, lower: number, upper = Number.POSITIVE_INFINITY) => {
      held.set(`${pattern} ${v}`, { pattern, v, lower });
      lp.hold(pattern, v, [lower, upper]);
    };
    let free: number[][] | null = null;
    let last: Held | null = null;
    for (let tries = 0; tries < MOST_TRIES && !relaxation.isStopped; tries++) {
      if (!relaxation.fits(box, room)) {
        if (last === null) break;
        hold(last.pattern, last.v, 0, last.lower);
        last = null;
        continue;
      }
      const uses = lp.uses();
      const parted: (Held & { readonly part: number })[] = [];
      uses.forEach((own, pattern) => {
        own.forEach((value, v) => {
          const lower = Math.floor(value + WHOLE);
          if (value - lower > WHOLE) parted.push({ pattern, v, lower, part: value - lower });
          if (lower > (held.get(`${pattern} ${v}`)?.lower ?? 0)) hold(pattern, v, lower);
        });
      });
      const [first] = parted.sort((a, b) => b.part - a.part || a.pattern - b.pattern || a.v - b.v);
      if (first === undefined) {
        free = this.#freeOf(uses);
        break;
      }
      last = first;
      hold(first.pattern, first.v, first.lower + 1);
    }
    for (const { pattern, v } of held.values()) lp.hold(pattern, v, null);
    if (free === null && !relaxation.isStopped) free = this.#packed(counts, room);
    return free === null ? null : { ...counts, free };
  }

  /** The same by going through ways to fill devices, where there are few shards. */
  #packed({ chosen }: Pick<Counts, "chosen">, room: readonly Room[]): number[][] | null {
    const { model } = this.#relaxation;
    const wanted = model.free.map(() => 0);
    chosen.forEach((own, c) => {
      own.forEach((tables, o) => {
        for (const [kind, count] of model.options[c]?.[o]?.free ?? []) {
          wanted[kind] = (wanted[kind] as number) + tables * count;
        }
      });
    });
    const spend = (units: number) => this.#relaxation.spend(units);
    return (
      packedShards(model, wanted, room, spend) ??
      packedByFullPatterns(this.#relaxation.points, model, wanted, room, spend)
    );
  }

  /** By kind and device, the shards of whole patterns. */
  #freeOf(uses: readonly (readonly number[])[]): number[][] {
    const { model, lp, program } = this.#relaxation;
    const counts = model.free.map(() => new Array<number>(model.devices).fill(0));
    const next = program.structure.bases.map((_, v) => v * model.gpusPerNode);
    uses.forEach((own, pattern) => {
      own.forEach((value, v) => {
        for (let k = 0; k < Math.round(value); k++) {
          const device = next[v] as number;
          next[v] = device + 1;
          lp.patterns[pattern]?.counts.forEach((count, s) => {
            (counts[s] as number[])[device] = count;
          });
        }
      });
    });
    return counts;
  }
}

function settle(box: Box, column: number, value: number): void {
  box.lower[column] = box.upper[column] = Rational.of(BigInt(Math.round(value)));
}
