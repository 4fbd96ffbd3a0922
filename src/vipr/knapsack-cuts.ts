import { leastCommonMultiple, Rational } from "../exact/rational.js";
import { lagrangianBound, type Multipliers } from "../proof/kernel/bound.js";
import type { View } from "../proof/kernel/view.js";
import { type Coefficients, Combination, type Fact } from "./combination.js";
import type { Derivations } from "./derivations.js";
import { statePlainly } from "./plain-lines.js";
import { negated } from "./problem.js";
import type { RowSums } from "./row-sums.js";
import { type Bounds, reach } from "./sums.js";

/** A cut of a certificate, form ≥ least, over the walked columns, that is shown by the knapsack of a sum of rows. */
export interface StatedKnapsack {
  readonly form: Coefficients;
  readonly least: Rational;
  readonly knapsack: Multipliers;
  readonly view: View;
}

/** A column counted from the bound at which the form is least: `size` each in the form, `gain` each in the sum of rows. */
interface Item {
  readonly column: number;
  readonly sign: Rational;
  readonly start: Rational;
  readonly units: number;
  readonly size: Rational;
  readonly gain: Rational;
}

/**
 * The dynamic program of `greatestBeyond` in lines. Entry (k, room) says that the first k items gain at most so much if they
 * take up at most the room: a line under that assumption. It follows from entries of k − 1, item k at each of its counts:
 * there the others have room left, or the assumption is contradicted.
 */
export function knapsackFact(
  { form, least, knapsack, view }: StatedKnapsack,
  bounds: Bounds,
  sums: RowSums,
  derivations: Derivations,
): Fact {
  const factor = Rational.of(
    [...form.values()].reduce((scale, { denominator }) => leastCommonMultiple(scale, denominator), 1n),
  );
  const whole: Coefficients = new Map([...form].map(([column, value]) => [column, value.multiply(factor)]));
  const most = Rational.of(least.multiply(factor).ceil() - 1n);
  const table = new Table(itemsOf(whole, knapsack, view, bounds), bounds, derivations);
  const broken = derivations.assume(whole, most, "upper");
  const kept = derivations.assume(whole, most.add(Rational.one), "lower");
  // What the form's other columns leave of it, where each is at its least.
  const room = reach(new Combination().add(broken, Rational.one), negated(table.sizes(table.length)), bounds);
  const beyondRows = () => {
    const { sum, absurd } = sums.lagrangian(view, knapsack, table.gains(table.length), bounds);
    return absurd ? sum : sum.add(table.within(room), Rational.one);
  };
  const absurd = table.roomOf(room).sign() < 0 ? reach(room, new Map(), bounds) : beyondRows();
  const share = Rational.one.divide(factor);
  return derivations.unsplitFact(
    statePlainly(derivations, new Combination().add(kept, share), form, least),
    kept.line,
    statePlainly(derivations, absurd, form, least),
    broken.line,
  );
}

/** The columns whose counts raise the sum of rows; the form's others are best where the form is least. */
function itemsOf(form: Coefficients, knapsack: Multipliers, view: View, bounds: Bounds): readonly Item[] {
  const nowhere = { lower: [], upper: [] };
  const summed = lagrangianBound({ ...view, single: [], groups: [] }, nowhere, knapsack, "infeasibility");
  const items: Item[] = [];
  for (const [local, cost] of summed.scaledCosts.entries()) {
    const column = view.columns[local] as number;
    const coefficient = form.get(column);
    if (coefficient === undefined) continue;
    const sign = Rational.of(coefficient.sign() > 0 ? 1n : -1n);
    const gain = Rational.of(-cost, summed.scale).multiply(sign);
    const [lower, upper] = [bounds.value(column, "lower") as Rational, bounds.value(column, "upper") as Rational];
    const units = upper.subtract(lower).toNumber();
    if (gain.sign() <= 0 || units <= 0) continue;
    const start = coefficient.sign() > 0 ? lower : upper;
    items.push({ column, sign, start, units, size: coefficient.absolute(), gain });
  }
  return items;
}

/** `assumed`: the assumption about the room; `null` where the items fit in whatever they are. */
interface Entry {
  readonly most: Rational;
  readonly fact: Fact;
  readonly assumed: Fact | null;
}

class Table {
  readonly #items: readonly Item[];
  readonly #bounds: Bounds;
  readonly #derivations: Derivations;
  readonly #entries = new Map<string, Entry>();

  constructor(items: readonly Item[], bounds: Bounds, derivations: Derivations) {
    this.#items = items;
    this.#bounds = bounds;
    this.#derivations = derivations;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Σ size·column of the first k items, signed as the form has them. */
  sizes(k: number): Coefficients {
    return this.#form(k, "size");
  }

  gains(k: number): Coefficients {
    return this.#form(k, "gain");
  }

  #form(k: number, what: "size" | "gain"): Coefficients {
    return new Map(this.#items.slice(0, k).map((item) => [item.column, item[what].multiply(item.sign)]));
  }

  /** What all items gain at most, from a sum that says how much room they take up at most. */
  within(room: Combination): Fact {
    return this.#discharged(this.length, this.roomOf(room), room);
  }

  roomOf(room: Combination): Rational {
    return room.rhs.negate().subtract(this.#startOf(this.length, "size"));
  }

  /** Entry (k, room) as a fact that rests on `beside`, a sum that says −Σ size·column ≥ −(room + start). */
  #discharged(k: number, room: Rational, beside: Combination): Fact {
    const { fact, assumed } = this.#entry(k, room);
    if (assumed === null) return fact;
    const more = room.add(this.#startOf(k, "size")).add(Rational.one);
    const opposite = this.#derivations.assume(this.sizes(k), more, "lower");
    const absurd = beside.copy().add(opposite, Rational.one);
    const other = statePlainly(this.#derivations, absurd, fact.coefficients, fact.rhs);
    return this.#derivations.unsplitFact(fact, assumed.line, other, opposite.line);
  }

  #entry(k: number, room: Rational): Entry {
    const key = `${k} ${room}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const all = this.#sum(k, ({ size, units }) => size.multiply(Rational.fromNumber(units)));
    const entry = all.compare(room) <= 0 ? this.#fitting(k) : this.#derived(k, room);
    this.#entries.set(key, entry);
    return entry;
  }

  #fitting(k: number): Entry {
    const most = this.#sum(k, ({ gain, units }) => gain.multiply(Rational.fromNumber(units)));
    const form = negated(this.gains(k));
    const sum = reach(new Combination(), form, this.#bounds);
    return { most, fact: statePlainly(this.#derivations, sum, form, this.#rhs(k, most)), assumed: null };
  }

  #derived(k: number, room: Rational): Entry {
    const item = this.#items[k - 1] as Item;
    const assumed = this.#derivations.assume(this.sizes(k), room.add(this.#startOf(k, "size")), "upper");
    let most = Rational.zero;
    for (let count = 0; count <= item.units; count++) {
      const left = room.subtract(item.size.multiply(Rational.fromNumber(count)));
      if (left.sign() < 0) break;
      const gained = this.#entry(k - 1, left).most.add(item.gain.multiply(Rational.fromNumber(count)));
      if (gained.compare(most) > 0) most = gained;
    }
    const fact = this.#counted(k, room, assumed, most, 0, this.#boundOf(item, 0));
    return { most, fact, assumed };
  }

  /** What the first k items gain, where item k is at least `count`, which `atLeast` says. */
  #counted(k: number, room: Rational, assumed: Fact, most: Rational, count: number, atLeast: Fact): Fact {
    const item = this.#items[k - 1] as Item;
    const form = negated(this.gains(k));
    const rhs = this.#rhs(k, most);
    const left = room.subtract(item.size.multiply(Rational.fromNumber(count)));
    const others = new Combination().add(assumed, Rational.one).add(atLeast, item.size);
    if (left.sign() < 0) {
      return statePlainly(this.#derivations, reach(others, new Map(), this.#bounds), form, rhs);
    }
    const here = (atMost: Fact) => {
      const sum = new Combination().add(this.#discharged(k - 1, left, others), Rational.one).add(atMost, item.gain);
      return statePlainly(this.#derivations, sum, form, rhs);
    };
    if (count === item.units) return here(this.#boundOf(item, item.units));
    const one: Coefficients = new Map([[item.column, item.sign]]);
    const at = item.sign.multiply(item.start).add(Rational.fromNumber(count));
    const few = this.#derivations.assume(one, at, "upper");
    const more = this.#derivations.assume(one, at.add(Rational.one), "lower");
    const fewer = here(few);
    const further = this.#counted(k, room, assumed, most, count + 1, more);
    return this.#derivations.unsplitFact(fewer, few.line, further, more.line);
  }

  /** An item's bound at its start (count 0) or at the other end. */
  #boundOf({ column, sign }: Item, count: number): Fact {
    return this.#bounds.fact(column, (count === 0) === sign.sign() > 0 ? "lower" : "upper");
  }

  /** Of −Σ gain·column ≥ −(most + start). */
  #rhs(k: number, most: Rational): Rational {
    return most.add(this.#startOf(k, "gain")).negate();
  }

  #startOf(k: number, what: "size" | "gain"): Rational {
    return this.#sum(k, (item) => item[what].multiply(item.sign).multiply(item.start));
  }

  /** Over the first k items. */
  #sum(k: number, of: (item: Item) => Rational): Rational {
    return this.#items.slice(0, k).reduce((sum, item) => sum.add(of(item)), Rational.zero);
  }
}
