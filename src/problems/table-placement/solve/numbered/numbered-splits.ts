import type { NumberedProgram } from "../../../../../models/table-placement/numbered-program.js";

/** What a column is for. */
interface Counted {
  readonly column: number;
  /** The same for columns that count the same shards, on one device or another: what is learned of one holds for all. */
  readonly key: string;
  /** What a shard costs, as a part of the limit. */
  readonly size: number;
  /** How much sooner than by its size it is split. */
  readonly ahead: number;
}

/** A column that is not whole: at most `at`, or more. */
export interface Split {
  readonly column: number;
  readonly at: number;
  readonly key: string;
  /** What the column has above `at`. */
  readonly part: number;
  readonly merit: number;
}

/** What is nearer to a whole number is taken for it. */
const WHOLE = 1e-6;

/** What it is worth to be among the large shards, and to be one place further to the front there. */
const LARGE = 1;
const PLACE = 0.01;

/** After so many trials halves are expected to gain what they did then. */
const RELIABLE = 2;

interface Learned {
  readonly trials: number;
  /** Of a column's way to the next whole number, below and above, what all of it gains. */
  readonly rates: readonly [below: number, above: number];
}

/** Where a relaxation of a program of numbered devices may be split, large shards first, and what such splits have gained. */
export class NumberedSplits {
  /** Options, and large shards by device. */
  readonly #first: readonly Counted[];
  /** All other shards by device. */
  readonly #last: readonly Counted[];
  readonly #learned = new Map<string, Learned>();

  constructor({ order, shards }: NumberedProgram, limit: number) {
    const ahead = new Map<number, number>();
    order.forEach(({ chosen }, place) => {
      if (!ahead.has(chosen)) ahead.set(chosen, LARGE + PLACE * (order.length - place));
    });
    const options = new Map<number, Counted>();
    const byDevice = shards.map(({ chosen, columns, cost }, s) => {
      const own = { size: cost / limit, ahead: ahead.get(chosen) ?? 0 };
      if ((options.get(chosen)?.size ?? -1) < own.size)
        options.set(chosen, { ...own, column: chosen, key: `y_${chosen}` });
      return columns.map((column) => ({ ...own, column, key: `n_${s}` }));
    });
    const isLarge = (own: readonly Counted[]) => (own[0]?.ahead ?? 0) > 0;
    this.#first = [...options.values(), ...byDevice.filter(isLarge).flat()];
    this.#last = byDevice.filter((own) => !isLarge(own)).flat();
  }

  /** Those of most merit first; small shards where all else is whole. */
  at(point: Float64Array): readonly Split[] {
    const first = fractional(this.#first, point);
    return first.length > 0 ? first : fractional(this.#last, point);
  }

  /** What the halves gain by what was learned; `null` where too little was. */
  expected({ key, part }: Split): readonly [below: number, above: number] | null {
    const learned = this.#learned.get(key);
    if (learned === undefined || learned.trials < RELIABLE) return null;
    const [below, above] = learned.rates;
    return [below * part, above * (1 - part)];
  }

  learn({ key, part }: Split, [below, above]: readonly [below: number, above: number]): void {
    const { trials, rates } = this.#learned.get(key) ?? { trials: 0, rates: [0, 0] };
    const mean = (before: number, own: number) => (before * trials + own) / (trials + 1);
    this.#learned.set(key, {
      trials: trials + 1,
      rates: [mean(rates[0], below / part), mean(rates[1], above / (1 - part))],
    });
  }
}

function fractional(columns: readonly Counted[], point: Float64Array): Split[] {
  return columns
    .flatMap(({ column, key, size, ahead }): Split[] => {
      const value = point[column] as number;
      const at = Math.floor(value + WHOLE);
      const part = value - at;
      return part > WHOLE ? [{ column, at, key, part, merit: ahead + Math.min(part, 1 - part) * size }] : [];
    })
    .sort((a, b) => b.merit - a.merit || a.column - b.column);
}
