import { LEAST_EXPONENT, Rational } from "../../../../../exact/rational.js";
import { entriesOf } from "../../../../../program/program.js";
import type { Step } from "../../../../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../../../../proof/kernel/bound.js";
import { SearchSpace } from "../../../../../search/branch-and-bound/space.js";
import { UNITS, type Work } from "../../../../../search/work.js";
import type { BoundProof } from "../../bounds/bound-proof.js";
import type { DeviceBlock, Pricing } from "./device-block.js";
import type { SignAnswer, SignSearch, SignTree } from "./sign-search.js";

/** Bits of the prices and multipliers that are written: any numbers give a bound, and short ones are checked faster. */
const BITS = 40;

/**
 * The proof that prices give: the program taken apart into its devices, and for one of them a tree over the signs of its ReLUs,
 * closed by multipliers; the others are the same, or may have fewer tables. `null` where the search for the tree was stopped, or
 * its multipliers give no bound in exact arithmetic.
 */
export function priceProof(
  block: DeviceBlock,
  signs: SignSearch,
  prices: ArrayLike<number>,
  work: Work,
): BoundProof | null {
  const written = Array.from(prices, short);
  // In doubles, exact: such prices are doubles.
  const answer = signs.solve(written.map((price) => price.toNumber()));
  return proofOf(block, block.shared(written), answer, 1, work);
}

/** A price above all costs of devices by this factor has the table on its device whole. */
const DEAR = 8;

/**
 * The bound of the table that costs most alone: it is on the first device, which costs at least what it costs with that table, whatever
 * else it has. Where that table is nearly all that its device can have, this is more than any mean of devices. `null` also where no
 * table is on the first device for certain.
 */
export function costliestProof(block: DeviceBlock, signs: SignSearch, work: Work): BoundProof | null {
  const { devices, tables, costliest, ceiling } = block;
  if (costliest === null) return null;
  const price = short(DEAR * ceiling);
  // In doubles, searched: a price, any is checked.
  const share = price.toNumber() / devices;
  const answer = signs.solve(Float64Array.from({ length: tables }, (_, t) => (t === costliest ? share : 0)));
  return proofOf(block, block.alone(costliest, price), answer, devices, work);
}

/** `scale`: by how much a device counts more than it did in the search. `work` counts the proof and its check. */
function proofOf(
  block: DeviceBlock,
  pricing: Pricing,
  { least, tree, leaves }: SignAnswer,
  scale: number,
  work: Work,
): BoundProof | null {
  if (least === null) return null;
  work.spend(leaves * 2 * entriesOf(block.program) * UNITS.bound);
  const { rest, device } = block.apart(pricing);
  if (rest === null) return null;
  const steps: Step[] = [];
  const shown = writeTree(SearchSpace.of(device), tree, scale, steps);
  if (shown === null) return null;
  const claim = rest.add(shown.multiply(Rational.of(BigInt(pricing.rows.length))));
  return { claim, steps: [block.step(pricing, shown, steps)] };
}

/**
 * Writes the steps of a tree over a device's program; what its leaves show exactly, the least of them; `null` where one shows nothing,
 * or none a bound.
 */
function writeTree(space: SearchSpace, root: SignTree, scale: number, steps: Step[]): Rational | null {
  const { view, box } = space;
  let least: Rational | null = null;
  return write(root) ? least : null;

  /** Says whether every leaf shows something. */
  function write(tree: SignTree): boolean {
    if (tree.kind === "branch") {
      steps.push({ branch: space.columnName(tree.column), at: "0" });
      return within(tree.column, Rational.zero, tree.off) && within(tree.column, Rational.one, tree.on);
    }
    const multipliers = multipliersOf(tree.multipliers);
    const { bound, infeasible } = lagrangianBound(view, box, multipliers);
    if (bound === null) {
      if (infeasible) steps.push({ infeasible: {} });
      return infeasible;
    }
    if (least === null || bound.compare(least) < 0) least = bound;
    steps.push({ bound: space.named(multipliers) });
    return true;
  }

  function within(column: number, value: Rational, tree: SignTree): boolean {
    const [lower, upper] = [box.lower[column] ?? null, box.upper[column] ?? null];
    box.lower[column] = value;
    box.upper[column] = value;
    const isShown = write(tree);
    box.lower[column] = lower;
    box.upper[column] = upper;
    return isShown;
  }

  /** Without those of a sign that prices a side which the row does not have: rounding alone makes them. */
  function multipliersOf(values: Float64Array): Multipliers {
    const multipliers = new Map<number, Rational>();
    for (const [r, value] of values.entries()) {
      const row = view.rows.get(r);
      const side = value > 0 ? row?.lower : row?.upper;
      const own = scale * value;
      // Beyond doubles it prices nothing.
      if (value !== 0 && side !== null && side !== undefined && Number.isFinite(own)) multipliers.set(r, short(own));
    }
    return multipliers;
  }
}

/** A double to so many bits. */
function short(value: number): Rational {
  if (value === 0) return Rational.zero;
  const unit = 2 ** Math.max(LEAST_EXPONENT, Math.ceil(Math.log2(Math.abs(value))) - BITS);
  return Rational.fromNumber(Math.round(value / unit) * unit);
}
