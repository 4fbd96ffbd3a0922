import type { Margin } from "./alike-limits.js";
import { type Beside, Completions, type Span } from "./completions.js";
import type { Limit } from "./limits.js";

/** Cells that what is left of each of two margins is divided into at first; twice as many each time after. */
const FIRST_SIDE = 48;

/** Numbers that all tables may have: some hundred megabytes. */
const MAX_NUMBERS = 2 ** 24;

/** Checks that each partial point to come is put to. */
const MAX_CHECKS = 32;

/** When it is looked at which partial points the choices to come can complete. */
export interface Looking {
  /** At most so many steps of tables for one of going on with partial points. */
  readonly proportion: number;
  /** Not before partial points are so many times as many as were left the last time. */
  readonly growth: number;
}

/** Where partial points stand. */
export interface Standing {
  readonly points: number;
  /** Steps that it took to come here, and that it takes to go on. */
  readonly spent: number;
  /** Choices to come, and alternatives of them. */
  readonly choices: number;
  readonly alternatives: number;
  /** Margins that tell partial points apart, beside the first one. */
  readonly margins: number;
}

/** The least and the most that is left of a margin, at any partial point. */
export interface Left {
  readonly least: number;
  readonly most: number;
}

/**
 * What choices to come can complete. A partial point is left when they use more of a limit than it has left, however they
 * are taken within what it has left of other margins (completions.ts): of the first margin's limit beside each other margin
 * alone and beside each two, and of every limit that follows beside each two (beside one where there is no other).
 */
export class Outlook {
  readonly #limits: readonly Limit[];
  readonly #looking: Looking;
  readonly #follows: readonly number[];
  #checks: readonly Check[] = [];
  #side = 0;
  #steps = 0;
  #pointsLeft = 1;

  constructor(limits: readonly Limit[], looking: Looking) {
    [this.#limits, this.#looking] = [limits, looking];
    this.#follows = [...limits.keys()].filter((r) => (limits[r] as Limit).follows);
  }

  /** Whether the choices from `depth` on may complete what uses this much of all limits, from `start` on. */
  allows(depth: number, used: Float64Array, start: number): boolean {
    return this.#checks.every((check) => check.allows(depth, used, start));
  }

  /** Whether it is time to look (again, more closely). */
  isWorth(standing: Standing): boolean {
    const { points, spent, alternatives } = standing;
    if (points === 0 || alternatives === 0 || points < this.#looking.growth * this.#pointsLeft) return false;
    const numbers = this.#tables(standing) * this.#nextSide(standing) ** 2;
    if (numbers === 0 || numbers > MAX_NUMBERS) return false;
    return this.#steps + numbers * alternatives <= this.#looking.proportion * spent;
  }

  /** Looks at the choices from `depth` on. */
  look(depth: number, standing: Standing, margins: readonly Margin[], leftOf: (margin: Margin) => Left): void {
    const tables = this.#tables(standing);
    this.#side = this.#nextSide(standing);
    this.#steps += tables * this.#side ** 2 * standing.alternatives;
    const later = Math.floor(MAX_NUMBERS / (tables * this.#side ** 2)) - 1;
    this.#checks = this.#checksAfter({ depth, later, side: this.#side }, margins, leftOf);
  }

  /** Goes on with those checks that left the most, and with so many partial points. */
  goOn(points: number): void {
    this.#pointsLeft = points;
    this.#checks = this.#checks.toSorted((a, b) => b.broken - a.broken).slice(0, MAX_CHECKS);
  }

  /** Twice the last one as long as there is room for all choices to come. */
  #nextSide(standing: Standing): number {
    if (this.#side === 0) return FIRST_SIDE;
    const finer = 2 * this.#side;
    return this.#tables(standing) * (standing.choices + 1) * finer ** 2 <= MAX_NUMBERS ? finer : this.#side;
  }

  #tables({ margins }: Standing): number {
    const pairs = (margins * (margins - 1)) / 2;
    return margins + pairs + this.#follows.length * (margins === 1 ? 1 : pairs);
  }

  /** Margins that no partial point can break any more count for nothing. */
  #checksAfter(span: Span, [first, ...others]: readonly Margin[], leftOf: (margin: Margin) => Left): readonly Check[] {
    const of = first?.limits[0];
    if (of === undefined) return [];
    const beside = others.flatMap((margin) => {
      const limit = this.#limits[margin.limits[0] as number] as Limit;
      const { least, most } = leftOf(margin);
      const used = mostUsed(limit, span.depth);
      return used <= least ? [] : [{ margin, limit, room: Math.min(most, used) }];
    });
    const alone = beside.map((one) => [one] as const);
    const pairs = beside.flatMap((one, b) => beside.slice(b + 1).map((other) => [one, other] as const));
    const checkOf = (r: number, own: readonly [Tight] | readonly [Tight, Tight]) =>
      new Check(this.#limits, r, own, Completions.after(span, this.#limits[r] as Limit, own));
    return [
      ...[...alone, ...pairs].map((own) => checkOf(of, own)),
      ...this.#follows.flatMap((r) => (pairs.length > 0 ? pairs : alone).map((own) => checkOf(r, own))),
    ];
  }
}

/** A margin that partial points may break yet. */
interface Tight extends Beside {
  readonly margin: Margin;
}

/** A limit that choices to come must keep, beside one margin or two. */
class Check {
  /** Partial points that were left by it. */
  broken = 0;
  readonly #limits: readonly Limit[];
  readonly #of: number;
  readonly #one: Margin;
  readonly #other: Margin | null;
  readonly #completions: Completions;

  constructor(
    limits: readonly Limit[],
    of: number,
    [one, other]: readonly [Tight] | readonly [Tight, Tight],
    completions: Completions,
  ) {
    [this.#limits, this.#of, this.#completions] = [limits, of, completions];
    [this.#one, this.#other] = [one.margin, other?.margin ?? null];
  }

  /** See {@link Outlook.allows}. */
  allows(depth: number, used: Float64Array, start: number): boolean {
    const left = leftOf(this.#one, this.#limits, used, start);
    const leftOther = this.#other === null ? 0 : leftOf(this.#other, this.#limits, used, start);
    const room = (this.#limits[this.#of] as Limit).slack - (used[start + this.#of] as number);
    if (this.#completions.at(depth, left, leftOther) <= room) return true;
    this.broken++;
    return false;
  }
}

/** What is left of a margin after uses of all limits, from `start` on: of the limit where that is least. */
export function leftOf({ limits: own }: Margin, limits: readonly Limit[], used: Float64Array, start: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const r of own) {
    const left = (limits[r] as Limit).slack - (used[start + r] as number);
    if (left < least) least = left;
  }
  return least;
}

function mostUsed({ uses }: Limit, depth: number): number {
  return uses.slice(depth).reduce((sum, own) => sum + Math.max(...own), 0);
}
