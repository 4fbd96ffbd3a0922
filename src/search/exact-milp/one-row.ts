import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import { type View, type ViewRow, viewOf } from "../../proof/kernel/view.js";

/** Points that are gone through at most. */
const MAX_NODES = 200_000;

/** The best point of a program of one row, and the multipliers by which its linear relaxation is bounded. */
export interface OneRowAnswer {
  readonly point: readonly Rational[];
  readonly multipliers: Multipliers;
  readonly nodes: number;
}

/** A column of the row: its coefficients as integers over the row's and the objective's denominators. */
interface Item {
  readonly column: number;
  readonly weight: bigint;
  readonly cost: bigint;
  readonly lower: bigint;
  /** At most, whatever is left; `null`: what is left alone limits it. */
  readonly upper: bigint | null;
}

/**
 * Solves a program of one row Σ a·x ≤ b over integers, a > 0, x from a finite lower bound on, in integers: depth first, the
 * last column by the residue of what is left, branches left where the best ratio of cost and weight shows that nothing is
 * gained. Trees over doubles do not end where points are nearer to each other than their tolerance. `null` for other
 * programs, and where there are too many points.
 */
export function solveOneRow(program: Program): OneRowAnswer | null {
  const { view, box } = viewOf(program);
  const rows = [...view.rows].filter(([, { lower, upper }]) => lower !== null || upper !== null);
  const [only] = rows;
  if (only === undefined || rows.length > 1 || !view.integer.every(Boolean)) return null;
  const [index, row] = only;
  const least = leastOf(row);
  if (least === null || row.form.columns.length !== view.columns.length) return null;
  const items = itemsOf(view, row, box.lower, box.upper);
  if (items === null) return null;
  // Binaries are what the tree is good at.
  if (items.every(({ upper }) => upper === 1n)) return null;
  const capacity = least - items.reduce((sum, { weight, lower }) => sum + weight * lower, 0n);
  if (capacity < 0n) return null;
  const walk = new Walk(items, capacity);
  if (!walk.from(0, capacity, 0n) || walk.best === null) return null;
  const point: Rational[] = program.columns.map(() => Rational.zero);
  items.forEach(({ column, lower }, k) => {
    point[column] = Rational.of(lower + (walk.best?.values[k] as bigint));
  });
  const [first] = items as [Item, ...Item[]];
  // The dual of the relaxation: the best ratio, priced at the row's upper side.
  const ratio = Rational.of(first.cost * row.form.denominator, first.weight * view.objective.denominator);
  return { point, multipliers: ratio.sign() < 0 ? new Map([[index, ratio]]) : new Map(), nodes: walk.nodes };
}

/** The right side over the form's denominator, rounded down; `null` where the row is not of the kind. */
function leastOf({ form, lower, upper }: ViewRow): bigint | null {
  if (lower !== null || upper === null || form.coefficients.some((coefficient) => coefficient <= 0n)) return null;
  return upper.multiply(Rational.of(form.denominator)).floor();
}

/** By ratio of cost and weight, the best first, and the heavy ones before the light; `null` where a lower bound is missing. */
function itemsOf(
  { objective }: View,
  { form }: ViewRow,
  lower: readonly (Rational | null)[],
  upper: readonly (Rational | null)[],
): Item[] | null {
  const costs = new Map(objective.columns.map((column, k) => [column, objective.coefficients[k] as bigint]));
  const items: Item[] = [];
  for (const [k, column] of form.columns.entries()) {
    const least = lower[column] ?? null;
    if (least === null) return null;
    const most = upper[column] ?? null;
    items.push({
      ...{ column, weight: form.coefficients[k] as bigint, cost: costs.get(column) ?? 0n, lower: least.floor() },
      upper: most === null ? null : most.floor() - least.floor(),
    });
  }
  const sign = (value: bigint) => (value < 0n ? -1 : value > 0n ? 1 : 0);
  return items.sort((a, b) => sign(a.cost * b.weight - b.cost * a.weight) || sign(b.weight - a.weight));
}

/** The walk through the points above the lower bounds. */
class Walk {
  best: { readonly cost: bigint; readonly values: readonly bigint[] } | null = null;
  nodes = 0;
  readonly #items: readonly Item[];
  readonly #values: bigint[];

  constructor(items: readonly Item[], capacity: bigint) {
    this.#items = items;
    this.#values = items.map(() => 0n);
    // Crossed bounds leave nothing.
    if (items.some(({ upper }) => upper !== null && upper < 0n) || capacity < 0n) this.nodes = MAX_NODES;
  }

  /** Goes through the values of the columns from `k` on; `false` where that takes too long. */
  from(k: number, left: bigint, cost: bigint): boolean {
    if (++this.nodes > MAX_NODES) return false;
    const item = this.#items[k];
    if (item === undefined) return true;
    // Nothing is better than what is left, filled at the ratio of this column, the best of those to come.
    const gain = item.cost < 0n ? item.cost * left : 0n;
    if (this.best !== null && (cost - this.best.cost) * item.weight + gain >= 0n) return true;
    const most = item.upper === null || item.upper > left / item.weight ? left / item.weight : item.upper;
    const isLast = k === this.#items.length - 1;
    for (let value = item.cost < 0n || !isLast ? most : 0n; value >= 0n; value--) {
      this.#values[k] = value;
      const total = cost + value * item.cost;
      if (!isLast && !this.from(k + 1, left - value * item.weight, total)) return false;
      if (!isLast) continue;
      if (this.best === null || total < this.best.cost) this.best = { cost: total, values: this.#values.slice() };
      return true;
    }
    return true;
  }
}
