import { greatestCommonDivisor, Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { Place } from "../../solvers/highs-relaxation.js";
import { type ShouldStop, UNITS } from "../work.js";
import { ExactBasis, Stopped } from "./exact-basis.js";
import { type Fractions, rationalAt } from "./fractions.js";
import { StandardForm } from "./standard-form.js";

/** The linear relaxation of a view over a box, solved in exact arithmetic. */
export type ExactAnswer =
  | { readonly kind: "optimal"; readonly point: readonly Rational[]; readonly multipliers: Multipliers }
  /** The multipliers show it (`lagrangianBound` with purpose "infeasibility"). */
  | { readonly kind: "infeasible"; readonly multipliers: Multipliers }
  /** From the point, which is feasible, the objective falls for ever along the ray. */
  | { readonly kind: "unbounded"; readonly point: readonly Rational[]; readonly ray: readonly Rational[] };

/**
 * Where to begin: a floating-point optimum, one value per column, or the places of the view's columns and then of its
 * rows in the basis of one.
 */
export type Start = Float64Array | readonly Place[];

/** Pivots without progress before Bland's rule takes over, until there is some: so that the simplex ends. */
const MAX_IDLE = 20;

/** Pivots towards feasibility that look at the costs, where these are not those of a dual feasible basis. */
const MAX_PRICED = 200;

/**
 * A bounded simplex in exact arithmetic whose every step is a solve with the basis itself: nothing is carried over from
 * pivot to pivot, so that no number is longer than the basis makes it. The dual simplex goes on to feasibility, the
 * primal one to the optimum. Made for the basis with which floating point ends: mostly it is optimal, and there is no
 * pivot at all. Returns `null` when `shouldStop` says so.
 */
export function solveExactLinear(
  view: View,
  box: Box,
  start: Start | null = null,
  shouldStop: ShouldStop = () => false,
): ExactAnswer | null {
  const form = new StandardForm(view, box);
  for (let v = 0; v < form.size; v++) {
    const [lower, upper] = [form.lower[v] ?? null, form.upper[v] ?? null];
    if (lower !== null && upper !== null && lower.compare(upper) > 0)
      return { kind: "infeasible", multipliers: new Map() };
  }
  try {
    return new Simplex(form, placesFrom(form, start), shouldStop).run();
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}

class Simplex {
  readonly #form: StandardForm;
  readonly #shouldStop: ShouldStop;
  #basis: ExactBasis;

  constructor(form: StandardForm, places: readonly Place[], shouldStop: ShouldStop) {
    this.#form = form;
    this.#shouldStop = shouldStop;
    this.#basis = ExactBasis.near(form, places, (entries) => shouldStop(UNITS.digit * entries));
  }

  run(): ExactAnswer {
    const conflict = this.#makeFeasible();
    return conflict === null ? this.#improve() : { kind: "infeasible", multipliers: conflict };
  }

  #count(): void {
    if (this.#shouldStop(UNITS.node * this.#form.entries)) throw new Stopped();
  }

  /** The dual simplex; returns multipliers that show that nothing is feasible, or `null`. */
  #makeFeasible(): Multipliers | null {
    const { costs } = this.#form;
    for (let idle = 0, unpriced = 0; ; ) {
      this.#count();
      const isPriced = unpriced < MAX_PRICED;
      const leaving = this.#violated(this.#basis.values(), !isPriced || idle >= MAX_IDLE);
      if (leaving === null) return null;
      const row = this.#basis.row(leaving.variable);
      const multipliers = isPriced ? this.#basis.multipliers(costs) : null;
      const reduced = multipliers && this.#basis.reducedCosts(costs, multipliers);
      const { entering, isIdle, isClean } = this.#cheapest(row, leaving.direction, reduced);
      if (entering === -1) return this.#farkas(leaving.variable, leaving.direction, row);
      idle = isIdle ? idle + 1 : 0;
      if (!isClean) unpriced++;
      this.#basis = this.#basis.exchanged(entering, leaving.variable, leaving.direction > 0 ? "lower" : "upper");
    }
  }

  /** The variable furthest beyond a bound, or the first; `direction`: where it has to go. */
  #violated(
    { numerators, denominator }: Fractions,
    takesFirst: boolean,
  ): { variable: number; direction: 1 | -1 } | null {
    let found: { variable: number; direction: 1 | -1 } | null = null;
    let worst = 0;
    for (let v = 0; v < numerators.length; v++) {
      if (this.#basis.places[v] !== "basic") continue;
      for (const direction of [1, -1] as const) {
        const bound = (direction > 0 ? this.#form.lower : this.#form.upper)[v] ?? null;
        if (bound === null) continue;
        const beyond =
          (bound.numerator * denominator - (numerators[v] as bigint) * bound.denominator) * BigInt(direction);
        if (beyond <= 0n) continue;
        if (takesFirst) return { variable: v, direction };
        const size = Rational.of(beyond, denominator * bound.denominator).toNumber();
        if (found !== null && size <= worst) continue;
        worst = size;
        found = { variable: v, direction };
      }
    }
    return found;
  }

  /**
   * The nonbasic variable that can take the place of one going in a direction, at the least change of the objective for
   * each unit of it; of equals the first. A reduced cost of the wrong sign counts as zero (`isClean` is `false` then).
   */
  #cheapest(row: Fractions, direction: 1 | -1, reduced: readonly bigint[] | null) {
    let entering = -1;
    let [price, slope] = [0n, 1n];
    let isClean = true;
    row.numerators.forEach((entry, v) => {
      if (entry === 0n || this.#basis.places[v] === "basic") return;
      const [up, cost] = [entry > 0n === direction > 0, reduced?.[v] ?? 0n];
      const right = this.#wrongSign(v, cost) === 0 ? absolute(cost) : 0n;
      if (right === 0n && cost !== 0n) isClean = false;
      if (!this.#canMove(v, up)) return;
      const size = absolute(entry);
      if (entering !== -1 && right * slope >= price * size) return;
      entering = v;
      [price, slope] = [right, size];
    });
    return { entering, isIdle: price === 0n, isClean };
  }

  /**
   * The sign of the direction in which a nonbasic variable would improve the objective; 0 where it does not, or cannot
   * go.
   */
  #wrongSign(variable: number, cost: bigint): -1 | 0 | 1 {
    if (cost === 0n) return 0;
    const up = cost < 0n;
    return this.#canMove(variable, up) ? (up ? 1 : -1) : 0;
  }

  #canMove(variable: number, up: boolean): boolean {
    const place = this.#basis.places[variable];
    if (place === "basic") return false;
    if (place === "zero") return true;
    if ((place === "lower") !== up) return false;
    const other = (up ? this.#form.upper : this.#form.lower)[variable] ?? null;
    return other === null || !other.equals((up ? this.#form.lower : this.#form.upper)[variable] as Rational);
  }

  /** The primal simplex, from a feasible basis on. */
  #improve(): ExactAnswer {
    const { costs } = this.#form;
    for (let idle = 0; ; ) {
      this.#count();
      const values = this.#basis.values();
      const multipliers = this.#basis.multipliers(costs);
      const reduced = this.#basis.reducedCosts(costs, multipliers);
      const entering = this.#improving(reduced, idle >= MAX_IDLE);
      if (entering === -1) {
        return { kind: "optimal", point: this.#point(values), multipliers: this.#named(multipliers) };
      }
      const direction = this.#wrongSign(entering, reduced[entering] as bigint);
      const moves = this.#basis.column(entering);
      const blocking = this.#blocking(values, moves, entering, direction > 0);
      if (blocking === null) {
        const ray = Array.from({ length: this.#form.columnCount }, (_, j) => rationalAt(moves, j));
        const along = direction > 0 ? ray : ray.map((value) => value.negate());
        return { kind: "unbounded", point: this.#point(values), ray: along };
      }
      idle = blocking.isIdle ? idle + 1 : 0;
      this.#basis =
        blocking.variable === entering
          ? this.#basis.flipped(entering)
          : this.#basis.exchanged(entering, blocking.variable, blocking.at);
    }
  }

  /** The nonbasic variable that improves the objective most for each unit of it, or the first that does; −1: none. */
  #improving(reduced: readonly bigint[], takesFirst: boolean): number {
    let best = -1;
    let most = 0n;
    for (let v = 0; v < reduced.length; v++) {
      const cost = reduced[v] as bigint;
      if (cost === 0n || this.#wrongSign(v, cost) === 0) continue;
      if (takesFirst) return v;
      const size = absolute(cost);
      if (size > most) [best, most] = [v, size];
    }
    return best;
  }

  /** The variable that first comes to a bound; of equals the first. `null`: none does. */
  #blocking(values: Fractions, moves: Fractions, entering: number, up: boolean) {
    let found: { variable: number; at: Place; isIdle: boolean } | null = null;
    let [reach, rate] = [0n, 1n];
    for (let v = 0; v < moves.numerators.length; v++) {
      const move = moves.numerators[v] as bigint;
      if (move === 0n || (this.#basis.places[v] !== "basic" && v !== entering)) continue;
      const at = move > 0n === up ? "upper" : "lower";
      const bound = (at === "upper" ? this.#form.upper : this.#form.lower)[v] ?? null;
      if (bound === null) continue;
      // Over the denominators that all distances and all moves have in common.
      const distance = absolute(
        bound.numerator * values.denominator - (values.numerators[v] as bigint) * bound.denominator,
      );
      const speed = bound.denominator * absolute(move);
      if (found !== null && distance * rate >= reach * speed) continue;
      [reach, rate] = [distance, speed];
      found = { variable: v, at, isIdle: distance === 0n };
    }
    return found;
  }

  #point(values: Fractions): Rational[] {
    return Array.from({ length: this.#form.columnCount }, (_, j) => rationalAt(values, j));
  }

  /** Multipliers of the form's rows as those of the program's. */
  #named({ numerators, denominator }: Fractions): Multipliers {
    const { rowFactors, rowIds, costFactor } = this.#form;
    const multipliers = new Map<number, Rational>();
    numerators.forEach((numerator, i) => {
      if (numerator === 0n) return;
      multipliers.set(
        rowIds[i] as number,
        Rational.of(numerator * (rowFactors[i] as bigint), denominator * costFactor),
      );
    });
    return multipliers;
  }

  /** The row of a variable that cannot get to its bound says why: what it is made of is already where it helps most. */
  #farkas(variable: number, direction: 1 | -1, row: Fractions): Multipliers {
    const { columnCount, rowFactors, rowIds } = this.#form;
    const factors = row.numerators.slice(columnCount).map((entry) => -entry * BigInt(direction));
    if (variable >= columnCount) factors[variable - columnCount] = row.denominator * BigInt(direction);
    const whole = factors.map((factor, i) => factor * (rowFactors[i] as bigint));
    const divisor = whole.reduce(greatestCommonDivisor, 0n);
    const multipliers = new Map<number, Rational>();
    whole.forEach((factor, i) => {
      if (factor !== 0n) multipliers.set(rowIds[i] as number, Rational.of(factor / divisor));
    });
    return multipliers;
  }
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function placesFrom(form: StandardForm, start: Start | null): readonly Place[] {
  if (start === null) return Array.from({ length: form.size }, (_, v) => (v < form.columnCount ? "lower" : "basic"));
  return start instanceof Float64Array ? placesNear(form, start) : start;
}

/** What is at a bound at a floating-point point is put there, what is between them into the basis. */
function placesNear(form: StandardForm, point: Float64Array): Place[] {
  const place = (v: number, value: number, size: number): Place => {
    const tolerance = 1e-7 * (1 + size);
    const [lower, upper] = [form.lower[v] ?? null, form.upper[v] ?? null];
    if (lower !== null && value - lower.toNumber() <= tolerance) return "lower";
    return upper !== null && upper.toNumber() - value <= tolerance ? "upper" : "basic";
  };
  const columns = Array.from(point, (value, j) => place(j, value, Math.abs(value)));
  const rows = form.rows.map((row, i) => {
    let sum = 0;
    let size = 0;
    row.columns.forEach((j, k) => {
      const term = Number(row.coefficients[k]) * (point[j] as number);
      sum += term;
      size += Math.abs(term);
    });
    return place(form.columnCount + i, sum, size);
  });
  return [...columns, ...rows];
}
