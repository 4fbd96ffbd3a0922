import { Rational } from "../../exact/rational.js";
import { explicitPart } from "../../program/ladder/explicit.js";
import type { Interval } from "../../program/ladder/interval.js";
import { type Chain, firstClasses, type Ladder, type LadderRow } from "../../program/ladder/ladder.js";
import { type LadderBound, ladderBound } from "../../proof/kernel/ladder/bound.js";
import type { LadderNode } from "../../proof/kernel/ladder/node.js";
import { type RelaxationClaim, solveRelaxation } from "../../solvers/highs-relaxation.js";
import { termAt } from "./breakpoint.js";
import type { LadderDual } from "./dual.js";

/** Neighbouring classes of a chain, from `from` up to `to`, taken together. */
interface Cell {
  readonly chain: number;
  readonly from: number;
  readonly to: number;
}

/** Cells of a chain to begin with, and those that a cell is cut into. */
const FIRST_CELLS = 24;
const PARTS = 8;

const MAX_ROUNDS = 40;

/** Within this of the bound, relatively, the linear program's value is that of the relaxation. */
const CLOSED = 1e-13;

/** Ways to round fractional classes that are tried. */
const MAX_ROUNDINGS = 256;

/**
 * The relaxation of a node under any number of capacities, by linear programs over neighbouring classes taken together, units
 * of a cell being shared among the tiers alike: cells that are shared, or in which the cheapest tier changes, are cut until
 * they are single classes. The multipliers are HiGHS's word in doubles, what they prove is exact. `known` is a plan, at
 * whose changes of tier cells begin.
 *
 * `null` where HiGHS gives up before there is any bound.
 */
export async function aggregatedDual(
  ladder: Ladder,
  node: LadderNode,
  known: Float64Array | null,
  shouldStop: () => boolean,
): Promise<LadderDual | null> {
  let cells = firstCells(ladder, known);
  let best: { readonly multipliers: ReadonlyMap<number, Rational>; readonly bound: LadderBound } | null = null;
  let last: { readonly cells: readonly Cell[]; readonly point: Float64Array } | null = null;
  for (let round = 0; round < MAX_ROUNDS && !shouldStop(); round++) {
    const claim = await solved(ladder, node, cells);
    if (claim === null) break;
    const isInfeasible = claim.status === "infeasible";
    const duals = isInfeasible ? claim.farkas : claim.rowDuals;
    if (duals === undefined) break;
    const multipliers = multipliersOf(ladder, duals.subarray(cells.length));
    const bound = ladderBound(ladder, node, multipliers, isInfeasible ? "infeasibility" : "bound");
    if (bound.infeasible) return { kind: "infeasible", multipliers };
    if (isInfeasible) {
      if (bound.bound !== null && bound.bound.sign() > 0) return { kind: "infeasible", multipliers };
    } else if (bound.bound !== null) {
      if (best === null || bound.bound.compare(best.bound.bound as Rational) > 0) best = { multipliers, bound };
      last = { cells, point: claim.point as Float64Array };
      const value = claim.primalBound ?? Number.NaN;
      if (value - bound.bound.toNumber() <= CLOSED * Math.abs(value) && isCut(node, last)) break;
    }
    const finer = cutCells(node, cells, bound.cheapest, isInfeasible ? null : (claim.point ?? null));
    if (finer.length === cells.length) break;
    cells = finer;
  }
  if (best === null) return null;
  return {
    kind: "solved",
    multipliers: best.multipliers,
    bound: best.bound,
    candidates: last === null ? [] : await candidatesNear(ladder, node, last),
  };
}

/**
 * Whole plans near a relaxed point: its roundings, and those of the point that leaves room in every capacity for as many units
 * as were rounded.
 */
async function candidatesNear(ladder: Ladder, node: LadderNode, relaxed: Shares): Promise<readonly Float64Array[]> {
  const found = [...roundings(ladder, node, relaxed)];
  const rows = ladder.rows.map((row) => ({
    ...row,
    upper: row.upper.subtract(roundedUse(ladder, node, relaxed, row)),
  }));
  const narrower: Ladder = { ...ladder, rows };
  let cells = relaxed.cells;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const claim = await solved(narrower, node, cells);
    if (claim?.status !== "optimal" || claim.point === undefined) break;
    const shares = { cells, point: claim.point };
    const finer = isCut(node, shares) ? cells : cutCells(node, cells, [], claim.point);
    if (finer.length === cells.length) return [...found, ...roundings(ladder, node, shares)];
    cells = finer;
  }
  return found;
}

/** What rounding may add to a row, for every class that is shared: a unit in the tier that takes most of it. */
function roundedUse(ladder: Ladder, node: LadderNode, shares: Shares, { form }: LadderRow): Rational {
  let sum = Rational.zero;
  for (const { cell, tiers, units } of sharesOf(node, shares)) {
    const used = tiers.filter((_, k) => (units[k] as number) > 0);
    if (used.length < 2) continue;
    const rate = Rational.of((ladder.chains[cell.chain] as Chain).rates[cell.from] as bigint, ladder.rateDenominator);
    const terms = used.map((tier) => termAt(form, cell.chain, tier, rate));
    const most = terms.reduce((a, b) => (a.compare(b) >= 0 ? a : b));
    const least = terms.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
    sum = sum.add(most.subtract(least));
  }
  return sum;
}

/** Cells of about as many classes, cut where a known plan goes from one tier to another; classes that it shares stand alone. */
function firstCells({ chains, tiers }: Ladder, known: Float64Array | null): readonly Cell[] {
  let first = 0;
  return chains.flatMap(({ units }, chain) => {
    const size = Math.max(1, Math.ceil(units.length / FIRST_CELLS));
    const cuts = new Set<number>([0, units.length]);
    for (let k = size; k < units.length; k += size) cuts.add(k);
    const tierAt = (k: number): number => {
      const at = (first + k) * tiers.length;
      return tiers.findIndex((_, t) => known?.[at + t] === units[k]);
    };
    let before = known === null ? 0 : tierAt(0);
    for (let k = 0; known !== null && k < units.length; k++) {
      const tier = tierAt(k);
      if (tier !== before || tier === -1) cuts.add(k);
      if (tier === -1) cuts.add(k + 1);
      before = tier;
    }
    first += units.length;
    const sorted = [...cuts].sort((a, b) => a - b);
    return sorted.slice(1).map((to, k): Cell => ({ chain, from: sorted[k] as number, to }));
  });
}

/** The linear program over cells; `null` where HiGHS has no answer. */
async function solved(ladder: Ladder, node: LadderNode, cells: readonly Cell[]): Promise<RelaxationClaim | null> {
  const chains = ladder.chains.map((chain, r) =>
    together(
      chain,
      cells.filter((cell) => cell.chain === r),
    ),
  );
  const { program } = explicitPart({ ...ladder, chains }, { ...node, decided: [] });
  return solveRelaxation(program);
}

/** A chain whose classes are cells, each with the mean rate of its units, rounded down: these programs only propose. */
function together({ unitsBefore, rateBefore }: Chain, cells: readonly Cell[]): Chain {
  const units = Float64Array.from(cells, ({ from, to }) => (unitsBefore[to] as number) - (unitsBefore[from] as number));
  const rates = cells.map(
    ({ from, to }, k) => ((rateBefore[to] as bigint) - (rateBefore[from] as bigint)) / BigInt(units[k] as number),
  );
  return { units, rates, unitsBefore, rateBefore };
}

/** Multipliers of the ladder's rows, without those of the sides that they do not have. */
function multipliersOf({ rows }: Ladder, duals: Float64Array): ReadonlyMap<number, Rational> {
  const multipliers = new Map<number, Rational>();
  rows.forEach((_, row) => {
    const dual = duals[row] as number;
    if (Number.isFinite(dual) && dual < 0) multipliers.set(row, Rational.fromNumber(dual));
  });
  return multipliers;
}

interface Shares {
  readonly cells: readonly Cell[];
  /** Columns of the cells' allowed tiers, in order. */
  readonly point: Float64Array;
}

/** Units of a cell by tier, in its allowed tiers. */
function* sharesOf({ allowed }: LadderNode, { cells, point }: Shares) {
  let at = 0;
  for (const cell of cells) {
    const tiers = (allowed[cell.chain] as readonly boolean[]).flatMap((may, tier) => (may ? [tier] : []));
    const units = tiers.map((_, k) => Math.max(0, point[at + k] as number));
    at += tiers.length;
    yield { cell, tiers, units };
  }
}

/** Whether every cell that is shared among tiers is a single class. */
function isCut(node: LadderNode, shares: Shares): boolean {
  for (const { cell, units } of sharesOf(node, shares)) {
    if (units.filter((count) => count > 0).length > 1 && cell.to - cell.from > 1) return false;
  }
  return true;
}

/** The cells with those cut that are shared, or in which the cheapest tier changes. */
function cutCells(
  node: LadderNode,
  cells: readonly Cell[],
  cheapest: readonly Interval[],
  point: Float64Array | null,
): readonly Cell[] {
  const shared = new Set<Cell>();
  if (point !== null) {
    for (const { cell, units } of sharesOf(node, { cells, point })) {
      if (units.filter((count) => count > 0).length > 1) shared.add(cell);
    }
  }
  return cells.flatMap((cell) => {
    const { chain, from, to } = cell;
    const breaks = cheapest.flatMap((one) =>
      one.chain === chain && one.from > from && one.from < to ? [one.from] : [],
    );
    if (to - from < 2 || (breaks.length === 0 && !shared.has(cell))) return [cell];
    const size = Math.max(1, Math.ceil((to - from) / PARTS));
    const cuts = new Set([from, to, ...breaks]);
    for (let k = from + size; k < to; k += size) cuts.add(k);
    const sorted = [...cuts].sort((a, b) => a - b);
    return sorted.slice(1).map((end, k): Cell => ({ chain, from: sorted[k] as number, to: end }));
  });
}

/** Whole units nearest to a relaxed point: classes that are shared, a unit more or less in each of their tiers. */
function roundings(ladder: Ladder, node: LadderNode, shares: Shares): readonly Float64Array[] {
  const size = ladder.tiers.length;
  const firsts = firstClasses(ladder);
  const base = new Float64Array((firsts.at(-1) as number) * size);
  /** Of each class that is shared: its places, and how many units are still to be given to one of them. */
  const open: { readonly places: readonly number[]; readonly left: number }[] = [];
  for (const { cell, tiers, units } of sharesOf(node, shares)) {
    const { chain, from, to } = cell;
    const of = (ladder.chains[chain] as Chain).units;
    const most = units.indexOf(Math.max(...units));
    for (let k = from; k < to; k++) {
      const at = ((firsts[chain] as number) + k) * size;
      const count = of[k] as number;
      const used = units.flatMap((share, t) => (share > 1e-9 ? [t] : []));
      if (to - from > 1 || used.length < 2) {
        base[at + (tiers[most] as number)] = count;
        continue;
      }
      let left = count;
      for (const t of used) {
        const whole = Math.min(left, Math.floor((units[t] as number) + 1e-9));
        base[at + (tiers[t] as number)] = whole;
        left -= whole;
      }
      if (left > 0) open.push({ places: used.map((t) => at + (tiers[t] as number)), left });
    }
  }
  let found: Float64Array[] = [base];
  for (const { places, left } of open) {
    const next: Float64Array[] = [];
    for (const counts of found) {
      for (const place of places) {
        if (next.length >= MAX_ROUNDINGS) break;
        const copy = Float64Array.from(counts);
        copy[place] = (copy[place] as number) + left;
        next.push(copy);
      }
    }
    found = next;
  }
  return found;
}
