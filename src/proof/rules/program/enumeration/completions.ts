import type { Limit } from "./limits.js";

/** A limit, and the most that any partial point has left of it, or that can be used of it if that is less. */
export interface Beside {
  readonly limit: Limit;
  readonly room: number;
}

/** Which choices are looked at, and how closely (see `Completions.after`). */
export interface Span {
  readonly depth: number;
  readonly later: number;
  readonly side: number;
}

/** Cells that what is left of one limit is divided into: `last` is the last one. */
interface Scale {
  readonly room: number;
  readonly grain: number;
  readonly last: number;
}

/** No limit at all: everything is in the one cell. */
const NO_SCALE: Scale = { room: 0, grain: 1, last: 0 };

/** What an alternative takes of what is left, in cells, and what it uses. */
interface Taking {
  readonly first: number;
  readonly second: number;
  readonly use: number;
}

/** What choices use at least: `cells`, and `shift` in each of them. */
interface Table {
  readonly cells: Float64Array;
  readonly shift: number;
}

/**
 * The least that all choices to come use of one limit where so much is left of one other, or of two others, by cells of those
 * (dynamic programming). Uses are rounded down to cells, and so is what is left, so that nothing that fits is left out.
 */
export class Completions {
  readonly #scales: readonly [Scale, Scale];
  /** By how many choices are decided. */
  readonly #tables: ReadonlyMap<number, Table>;

  private constructor(scales: readonly [Scale, Scale], tables: ReadonlyMap<number, Table>) {
    [this.#scales, this.#tables] = [scales, tables];
  }

  /**
   * Of the choices from `depth` on, and of those from any of so many `later` ones on. What is left of each of two is divided
   * into `side` cells, of one alone into as many as of two together.
   */
  static after(
    { depth, later, side }: Span,
    of: Limit,
    [one, other]: readonly [Beside] | readonly [Beside, Beside],
  ): Completions {
    const first = scaleOf(one.room, other === undefined ? side ** 2 : side);
    const second = other === undefined ? NO_SCALE : scaleOf(other.room, side);
    const tables = new Map<number, Table>();
    let table: Table = { cells: new Float64Array((first.last + 1) * (second.last + 1)), shift: 0 };
    for (let c = of.uses.length; c >= depth; c--) {
      if (c < of.uses.length) {
        const takings = Array.from(of.uses[c] as Float64Array, (use, k) => ({
          first: wholes((one.limit.uses[c] as Float64Array)[k] as number, first.grain),
          second: other === undefined ? 0 : wholes((other.limit.uses[c] as Float64Array)[k] as number, second.grain),
          use,
        }));
        table = withChoice(table, needed(takings, first.last, second.last), first.last, second.last);
      }
      if (c <= depth + later) tables.set(c, table);
    }
    return new Completions([first, second], tables);
  }

  /** What the choices from `depth` on use at least, with so much left of the one and of the other; 0 where that is not known. */
  at(depth: number, left: number, other = 0): number {
    const table = this.#tables.get(depth);
    if (table === undefined) return 0;
    if (left < 0 || other < 0) return Number.POSITIVE_INFINITY;
    const [first, second] = this.#scales;
    const cell = cellOf(left, first) * (second.last + 1) + cellOf(other, second);
    return (table.cells[cell] as number) + table.shift;
  }
}

function scaleOf(room: number, cells: number): Scale {
  const grain = Math.max(1, Math.ceil(room / cells));
  return { room, grain, last: wholes(room, grain) };
}

function cellOf(left: number, { room, grain, last }: Scale): number {
  return left >= room ? last : wholes(left, grain);
}

/** ⌊value / grain⌋ of integers below 2^52, whatever the quotient is rounded to. */
function wholes(value: number, grain: number): number {
  const quotient = Math.floor(value / grain);
  return quotient * grain > value ? quotient - 1 : quotient;
}

/** Without what takes more than there is, and where another takes and uses no more. */
function needed(takings: readonly Taking[], lastFirst: number, lastSecond: number): readonly Taking[] {
  const kept: Taking[] = [];
  const sorted = takings
    .filter((taking) => taking.first <= lastFirst && taking.second <= lastSecond)
    .sort((a, b) => a.first - b.first || a.second - b.second || a.use - b.use);
  for (const taking of sorted) {
    if (!kept.some(({ second, use }) => second <= taking.second && use <= taking.use)) kept.push(taking);
  }
  return kept;
}

/** What choices use at least with one more choice, of such alternatives. */
function withChoice({ cells, shift }: Table, takings: readonly Taking[], first: number, second: number): Table {
  const [only] = takings;
  if (takings.length === 1 && only?.first === 0 && only.second === 0) return { cells, shift: shift + only.use };
  const next = new Float64Array(cells.length).fill(Number.POSITIVE_INFINITY);
  for (const taking of takings) {
    const back = taking.first * (second + 1) + taking.second;
    for (let x = taking.first; x <= first; x++) {
      const end = (x + 1) * (second + 1);
      for (let cell = x * (second + 1) + taking.second; cell < end; cell++) {
        const sum = (cells[cell - back] as number) + taking.use;
        if (sum < (next[cell] as number)) next[cell] = sum;
      }
    }
  }
  return { cells: next, shift };
}
