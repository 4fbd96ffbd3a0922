import { floorDivide, leastCommonMultiple, Rational } from "../../../exact/rational.js";
import { clusterCost, isAllowed } from "../../../program/grouping/evaluate.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import { type ElementPair, type GroupingNode, type Units, unitsOf } from "./node.js";
import { leastTable } from "./size-vectors.js";

/**
 * Closes a node by the dual of a semidefinite relaxation. All numbers are integers, in units of 2^−bits; elements are
 * counted from 0 in the order of the grouping. Any numbers prove some bound: see {@link semidefiniteBound}.
 */
export interface SemidefiniteStep {
  readonly semidefinite: {
    readonly bits: number;
    /** r_i, one for each element. */
    readonly rows: readonly number[];
    readonly cuts: readonly SemidefiniteCut[];
    /** The rows of a lower triangular matrix L, the row i with i + 1 entries. */
    readonly factor: readonly (readonly number[])[];
  };
}

/** A cut with its price ≥ 0; `plus` and `minus` are elements, all different. */
export interface SemidefiniteCut {
  readonly price: number;
  readonly floor: number;
  readonly plus: readonly number[];
  readonly minus: readonly number[];
}

/** What a semidefinite step proves of a node. */
export interface SemidefiniteBound {
  /** No labeling of the node has a value below this; `null` where it has none, by its sizes or its pairs. */
  readonly bound: Rational | null;
  /**
   * By pair (see {@link pairIndex}): a labeling of the node with both elements in one cluster, and with them all that
   * the node joins to either, has at least the value `bound` + this. Zero for pairs that the node itself joins or
   * parts.
   */
  readonly reduced: readonly Rational[];
}

/**
 * The bound that a step proves. For a partition into clusters S_t of n_t elements let w_t = 1 (`whole`) or 1/n_t
 * (`bySize`) and M = Σ_t w_t · 1_t·1_tᵀ, so that its value is ½ Σ_ij pair(i, j)·M_ij. For it hold
 *
 *   M ≥ 0,   M_ij = 0 for i, j apart,   M_ii = w and M_ij = w for i, j together, with w of their cluster,
 *   M·1 = n_t of each element's cluster (`whole`) or 1 (`bySize`),
 *   M − 11ᵀ·κ ⪰ 0 with κ = 1/T (`whole`) or 1/F (`bySize`): Cauchy's inequality,
 *   bᵀMb ≥ (2c + 1) Σ_i b_i·M_ii − c·(c + 1) Σ_t w_t for integers b, c: (x − c)(x − c − 1) ≥ 0 for x = b(S_t).
 *
 * With the factor L, the dual values τ of cuts (b, c) and the rows' r,
 *
 *   E = ½ pair − ½ (r·1ᵀ + 1·rᵀ) − Σ τ·bbᵀ − LLᵀ   off the diagonal
 *
 * is split into its positive part, which is dropped as M ≥ 0, and its negative part: a matrix with that off the
 * diagonal and Σ_j max(0, −E_ij) on it is diagonally dominant, so it and LLᵀ together are a matrix S ⪰ 0, of which ⟨S,
 * M⟩ ≥ κ·1ᵀS1 = κ·|Lᵀ1|² is used. What that leaves on the diagonal, y_i, multiplies M_ii. So a value is at least
 *
 *   Σ_i y_i·M_ii + Σ_i r_i·(M·1)_i − Σ τ·c(c + 1) · Σ_t w_t + κ·|Lᵀ1|²
 *
 * with the sizes n_t that make it least; pairs that are together or apart, also by what the node says of others, keep
 * their E_ij of either sign. Costs are rounded down to multiples of 2^(−2·bits); nothing else is rounded.
 *
 * Throws `RangeError` where the step's numbers are not those of as many elements.
 */
export function semidefiniteBound(
  grouping: Grouping,
  node: GroupingNode,
  { semidefinite }: SemidefiniteStep,
): SemidefiniteBound {
  const { clusters, share } = grouping;
  const { least, most } = node.window;
  const n = grouping.elements.length;
  const units = unitsOf(n, node);
  if (clusters * least > n || clusters * most < n || units.contradictory) {
    return { bound: null, reduced: grouping.pairs.map(() => Rational.zero) };
  }
  const { bits } = semidefinite;
  const rows = semidefinite.rows.map((entry) => BigInt(entry) << BigInt(bits));
  const { entries, diagonal, weight } = residual(grouping, semidefinite, rows);
  const settled = settledPairs(units);
  const isWhole = share === "whole";
  // In units of 2^(−2·bits)/divisor, as are the sums over sizes.
  let divisor = 1n;
  if (!isWhole) for (let size = least; size <= most; size++) divisor = leastCommonMultiple(divisor, BigInt(size));
  let constant = 0n;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) {
      const entry = entries[pairIndex(i, j)] as bigint;
      const state = settled.get(pairIndex(i, j));
      // Together, 2·E_ij·w is what the diagonal has twice; of the others the diagonal pays for what is negative.
      if (state !== "together" && (state === "apart" || entry >= 0n)) continue;
      diagonal[i] = (diagonal[i] as bigint) + entry;
      diagonal[j] = (diagonal[j] as bigint) + entry;
    }
  }
  // Multiplied by the size of the element's cluster (`whole`) or by one over it (`bySize`).
  const [bySize, given] = isWhole ? [rows, diagonal] : [diagonal, rows];
  constant += (sumOf(given) - (isWhole ? weight * BigInt(clusters) : 0n)) * divisor;
  constant += leastOverSizes(grouping, node, bySize, (size, sum) =>
    isWhole ? BigInt(size) * sum : (divisor / BigInt(size)) * (sum - weight),
  );
  const whole = 1n << BigInt(2 * bits);
  const bound = Rational.of(constant, divisor * whole).add(
    Rational.of(spread(semidefinite.factor), whole * BigInt(isWhole ? clusters : n)),
  );
  const unit = whole * (isWhole ? 1n : BigInt(most));
  // Two units share a cluster with all their elements.
  const raised = entries.map(() => Rational.zero);
  for (const { cells } of pairsOfUnits(units)) {
    const sum = cells.reduce((total, at) => total + positive(entries[at] as bigint), 0n);
    if (sum > 0n && !settled.has(cells[0] as number)) for (const at of cells) raised[at] = Rational.of(2n * sum, unit);
  }
  return { bound, reduced: raised };
}

/**
 * What of a node may still be below a claim, by what a step proves of it: `null` where nothing is; else the node with
 * the pairs apart that no better labeling has in one cluster, or the node itself where there are no more of them. A
 * pair is apart where its reduced cost says so, and where too few elements can be with both to make up a cluster. Where
 * what may be together makes up as many parts as there are clusters, the parts are the only labeling left, and it is
 * judged here.
 */
export function leftBySemidefinite(
  grouping: Grouping,
  node: GroupingNode,
  { bound, reduced }: SemidefiniteBound,
  claim: Rational,
): GroupingNode | null {
  if (bound === null || bound.compare(claim) >= 0) return null;
  const room = claim.subtract(bound);
  const n = grouping.elements.length;
  const units = unitsOf(n, node);
  const { members } = units;
  const count = members.length;
  // 1 where two units may be in one cluster, and for each with itself.
  const open = units.apart.map((isApart) => 1 - isApart);
  const parted: ElementPair[] = [];
  const part = (u: number, v: number) => {
    open[u * count + v] = 0;
    open[v * count + u] = 0;
    parted.push([members[u]?.[0] as number, members[v]?.[0] as number]);
  };
  const unsettled = pairsOfUnits(units).filter(({ u, v }) => open[u * count + v] === 1);
  for (const { u, v, cells } of unsettled) {
    if ((reduced[cells[0] as number] as Rational).compare(room) >= 0) part(u, v);
  }
  for (let before = -1; before < parted.length; ) {
    before = parted.length;
    for (const { u, v } of unsettled) {
      if (open[u * count + v] === 1 && commonOf(open, members, u, v) < node.window.least) part(u, v);
    }
  }
  const left = unsettled
    .filter(({ u, v }) => open[u * count + v] === 1)
    .map(({ u, v }): ElementPair => [members[u]?.[0] as number, members[v]?.[0] as number]);
  const parts = unitsOf(n, { ...node, together: [...node.together, ...left], apart: [] }).members;
  if (parts.length > grouping.clusters) return null;
  if (parts.length === grouping.clusters && !isBetter(grouping, node, parts, claim)) return null;
  return parted.length === 0 ? node : { ...node, apart: [...node.apart, ...parted] };
}

/** Two units u < v and where their elements' pairs stand, see {@link pairIndex}. */
interface UnitPair {
  readonly u: number;
  readonly v: number;
  readonly cells: readonly number[];
}

function pairsOfUnits({ members }: Units): readonly UnitPair[] {
  return members.flatMap((others, v) =>
    members.slice(0, v).map((own, u) => ({ u, v, cells: own.flatMap((i) => others.map((j) => indexOf(i, j))) })),
  );
}

/** How many elements may be with both of two units, their own among them. */
function commonOf(open: Uint8Array, members: Units["members"], u: number, v: number): number {
  const count = members.length;
  let common = 0;
  for (let k = 0; k < count; k++) {
    if (open[u * count + k] === 1 && open[v * count + k] === 1) common += members[k]?.length as number;
  }
  return common;
}

function isBetter(
  grouping: Grouping,
  { window }: GroupingNode,
  parts: readonly (readonly number[])[],
  claim: Rational,
): boolean {
  if (parts.some(({ length }) => length < window.least || length > window.most)) return false;
  if (!parts.every((part) => isAllowed(grouping, part))) return false;
  return parts.reduce((sum, part) => sum.add(clusterCost(grouping, part)), Rational.zero).compare(claim) < 0;
}

/** In units of 2^(−2·bits): E by pair; what LLᵀ, the rows and cuts leave on the diagonal; and Σ τ·c(c + 1). */
function residual(
  { elements, pairs }: Grouping,
  { bits, cuts, factor }: SemidefiniteStep["semidefinite"],
  rows: readonly bigint[],
): { entries: bigint[]; diagonal: bigint[]; weight: bigint } {
  const n = elements.length;
  if (rows.length !== n || factor.length !== n || factor.some((row, i) => row.length !== i + 1)) {
    throw new RangeError(`numbers for ${n} items were expected`);
  }
  const scale = BigInt(2 * bits - 1);
  const lower = factor.map((row) => row.map(BigInt));
  const entries: bigint[] = [];
  const diagonal: bigint[] = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i <= j; i++) {
      const above = lower[i] as bigint[];
      const below = lower[j] as bigint[];
      let product = 0n;
      for (let k = 0; k <= i; k++) product += (above[k] as bigint) * (below[k] as bigint);
      if (i === j) {
        diagonal.push(-(rows[i] as bigint) - product);
        continue;
      }
      const { numerator, denominator } = pairs[pairIndex(i, j)] as Rational;
      const cost = floorDivide(numerator << scale, denominator);
      // A row's price is a multiple of 2^bits, so that half of it is an integer.
      entries.push(cost - ((rows[i] as bigint) + (rows[j] as bigint)) / 2n - product);
    }
  }
  let weight = 0n;
  for (const { price: dual, floor, plus, minus } of cuts) {
    const scaled = BigInt(dual) << BigInt(bits);
    const level = BigInt(floor);
    weight += scaled * level * (level + 1n);
    const signed = [
      ...plus.map((element) => [element, 1n] as const),
      ...minus.map((element) => [element, -1n] as const),
    ];
    signed.forEach(([i, a], k) => {
      if (i >= n) throw new RangeError(`there is no item ${i}`);
      diagonal[i] = (diagonal[i] as bigint) - scaled + scaled * (2n * level + 1n) * a;
      for (const [j, b] of signed.slice(0, k)) {
        const at = indexOf(i, j);
        entries[at] = (entries[at] as bigint) - scaled * a * b;
      }
    });
  }
  return { entries, diagonal, weight };
}

/** What follows from the node for pairs, by {@link pairIndex}. */
export function settledPairs(units: Units): ReadonlyMap<number, "together" | "apart"> {
  const { members, apart } = units;
  const settled = new Map<number, "together" | "apart">();
  for (const own of members) {
    own.forEach((j, b) => {
      for (const i of own.slice(0, b)) settled.set(indexOf(i, j), "together");
    });
  }
  for (const { u, v, cells } of pairsOfUnits(units)) {
    if (apart[u * members.length + v] === 1) for (const at of cells) settled.set(at, "apart");
  }
  return settled;
}

function indexOf(i: number, j: number): number {
  return i < j ? pairIndex(i, j) : pairIndex(j, i);
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

/**
 * The least Σ over clusters of worth(size, Σ of its elements' numbers), over sizes of the window that add up to all
 * elements and ways to fill them. Numbers are multiplied by something that rises or falls with the size alone, so that
 * the least way to fill given sizes takes the elements in order of their numbers (the rearrangement inequality):
 * clusters are stretches of that order.
 */
function leastOverSizes(
  { clusters }: Grouping,
  { window }: GroupingNode,
  numbers: readonly bigint[],
  worth: (size: number, sum: bigint) => bigint,
): bigint {
  const n = numbers.length;
  const sums = [0n];
  for (const number of [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
    sums.push((sums.at(-1) as bigint) + number);
  }
  const sizes = Array.from({ length: window.most - window.least + 1 }, (_, k) => window.least + k);
  const table = leastTable(clusters, n, sizes, (size, before) =>
    worth(size, (sums[before + size] as bigint) - (sums[before] as bigint)),
  );
  return table[clusters]?.[n] as bigint;
}

/** |Lᵀ1|². */
function spread(factor: SemidefiniteStep["semidefinite"]["factor"]): bigint {
  const sums = factor.map(() => 0n);
  for (const row of factor) {
    row.forEach((entry, k) => {
      sums[k] = (sums[k] as bigint) + BigInt(entry);
    });
  }
  return sums.reduce((sum, entry) => sum + entry * entry, 0n);
}

function sumOf(numbers: readonly bigint[]): bigint {
  return numbers.reduce((sum, number) => sum + number, 0n);
}
