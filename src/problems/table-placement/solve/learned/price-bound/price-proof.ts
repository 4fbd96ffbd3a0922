import { LEAST_EXPONENT, Rational } from "../../../../../exact/rational.js";
import { entriesOf, type Program } from "../../../../../program/program.js";
import type { NamedMultipliers, Step } from "../../../../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../../../../proof/kernel/bound.js";
import { type Box, type View, viewOf } from "../../../../../proof/kernel/view.js";
import { UNITS, type Work } from "../../../../../search/work.js";
import type { BoundProof } from "../../bounds/bound-proof.js";
import type { DeviceBlock, Pricing } from "./device-block.js";
import type { SignAnswer, SignSearch, SignTree } from "./sign-search.js";

/** Bits of the prices and multipliers that are written: any numbers give a bound, and short ones are checked faster. */
const BITS = 40;

/**
 * The proof that prices give: the program taken apart into its devices, and for one of them a tree over the signs of its ReLUs,
 * closed by multipliers; the others are the same, or may have fewer tables. `null` where the search for the tree was stopped, or
 * its multipliers do not show in exact arithmetic that a part is empty.
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
  const draft = new ProofDraft(device, scale);
  if (!draft.write(tree) || draft.least === null) return null;
  const shown = draft.least;
  const claim = rest.add(shown.multiply(Rational.of(BigInt(pricing.rows.length))));
  return { claim, steps: [block.step(pricing, shown, draft.steps)] };
}

/** The steps of a tree over a device's program, with what its leaves show exactly. */
class ProofDraft {
  readonly #program: Program;
  readonly #view: View;
  readonly #box: Box;
  readonly #scale: number;
  readonly steps: Step[] = [];
  /** No leaf shows less. */
  least: Rational | null = null;

  constructor(program: Program, scale: number) {
    this.#program = program;
    this.#scale = scale;
    const { view, box } = viewOf(program);
    this.#view = view;
    this.#box = box;
  }

  /** Says whether every leaf shows something. */
  write(tree: SignTree): boolean {
    if (tree.kind === "branch") {
      this.steps.push({ branch: this.#program.columns[tree.column]?.name as string, at: "0" });
      return this.#within(tree.column, Rational.zero, tree.off) && this.#within(tree.column, Rational.one, tree.on);
    }
    const multipliers = this.#multipliers(tree.multipliers);
    const purpose = tree.kind === "bound" ? "bound" : "infeasibility";
    const { bound, infeasible } = lagrangianBound(this.#view, this.#box, multipliers, purpose);
    if (bound === null) return infeasible && this.#close({ infeasible: {} });
    if (tree.kind === "infeasible") return bound.sign() > 0 && this.#close({ infeasible: this.#named(multipliers) });
    if (this.least === null || bound.compare(this.least) < 0) this.least = bound;
    return this.#close({ bound: this.#named(multipliers) });
  }

  #close(step: Step): true {
    this.steps.push(step);
    return true;
  }

  #within(column: number, value: Rational, tree: SignTree): boolean {
    const [lower, upper] = [this.#box.lower[column] ?? null, this.#box.upper[column] ?? null];
    this.#box.lower[column] = value;
    this.#box.upper[column] = value;
    const isShown = this.write(tree);
    this.#box.lower[column] = lower;
    this.#box.upper[column] = upper;
    return isShown;
  }

  /** Without those of a sign that prices a side which the row does not have: rounding alone makes them. */
  #multipliers(values: Float64Array): Multipliers {
    const multipliers = new Map<number, Rational>();
    for (const [r, value] of values.entries()) {
      const row = this.#view.rows.get(r);
      const side = value > 0 ? row?.lower : row?.upper;
      const own = this.#scale * value;
      // Beyond doubles it prices nothing.
      if (value !== 0 && side !== null && side !== undefined && Number.isFinite(own)) multipliers.set(r, short(own));
    }
    return multipliers;
  }

  #named(multipliers: Multipliers): NamedMultipliers {
    return Object.fromEntries(
      [...multipliers].map(([r, value]) => [this.#program.rows[r]?.name as string, value.toString()]),
    );
  }
}

/** A double to so many bits. */
function short(value: number): Rational {
  if (value === 0) return Rational.zero;
  const unit = 2 ** Math.max(LEAST_EXPONENT, Math.ceil(Math.log2(Math.abs(value))) - BITS);
  return Rational.fromNumber(Math.round(value / unit) * unit);
}
