import { floorDivide, Rational } from "../../../exact/rational.js";
import { integerForm, linearForm } from "../../../program/program.js";
import {
  CertificateError,
  multipliers,
  type NamedMultipliers,
  number,
  type Read,
  type Reader,
  readNumber,
  record,
  within,
} from "../../grammar.js";
import type { Multipliers } from "../../kernel/bound.js";
import { greatestBeyond } from "../../kernel/knapsack.js";
import { type HalfProof, leastInHalves } from "../../kernel/split.js";
import { type Box, roundSides, type View, type ViewRow } from "../../kernel/view.js";
import { type Rule, rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

const cutName: Reader<string> = (json, step) => {
  if (typeof json !== "string" || json === "") throw new CertificateError(step, "the name of a cut was expected");
  return json;
};

/** What lemmas say: an inequality, form ≥ least, that no integer point of the node breaks. It takes no point away. */
const stated = {
  /** Coefficients by column name. */
  form: multipliers,
  least: number,
};

/** What proves a cut in one half. */
const half = record({
  /** Multiplier of the half's own inequality. */
  side: number,
  rows: multipliers,
});

/** States a cut, form ≥ least, by a split of integers. Multipliers of later steps in the node and below may name it. */
const cutStep = record({
  cut: cutName,
  ...stated,
  /** Integer coefficients of integer columns: the halves are split ≤ at and split ≥ at + 1. */
  split: multipliers,
  at: number,
  below: half,
  above: half,
});
export type CutStep = Read<typeof cutStep>;

/**
 * A form with integer coefficients is an integer at every integer point: at most `at` or at least `at` + 1. In each half
 *
 *   form ≥ min { form ± side·(split − limit) − Σ y·(row − its side) : x in the box } ≥ least
 *
 * by the Lagrangian bound of `bound`, so that no integer point of the node breaks the cut, and none of a node below.
 * (Cook, Kannan and Schrijver 1990; Chvátal–Gomory, Gomory's mixed-integer, MIR, flow cover and lift-and-project cuts are
 * of this kind.) It takes no point away: what other rules say of the points of a node goes on to hold.
 *
 * Side conditions: the split's columns are integers, or implied to be, its coefficients and `at` are integers; `side` is not
 * negative; the least is reached in both halves; the multipliers price sides that the rows have; the name is no row's and no
 * earlier cut's. A cut of another part of the tree counts nothing here, whatever its multiplier.
 */
export const cut: Rule<ProgramTree, CutStep> = {
  read: cutStep,
  check(tree, { cut: name, form, least, split, at, below, above }, step) {
    const terms = readTerms(tree, form, "any", step);
    const divided = readTerms(tree, split, "integers", step);
    const limit = readNumber(at, step);
    if (!limit.isInteger()) throw new CertificateError(step, `a split needs an integer, ${limit} is there`);
    const lower = readNumber(least, step).subtract(terms.constant);
    const halves = { below: halfProof(tree, below, step), above: halfProof(tree, above, step) };
    const parted = { form: divided.form, at: limit.subtract(divided.constant) };
    const shown = within(step, () => leastInHalves(tree.view, tree.box, terms.form, parted, halves));
    shown.forEach((bound, h) => {
      if (tree.isEmpty || bound === "empty") return;
      if (bound !== null && bound.compare(lower) >= 0) return;
      const proved = bound === null ? "nothing" : `${bound.add(terms.constant).toNumber()}`;
      const where = h === 0 ? "below" : "above";
      throw new CertificateError(step, `${where} the split the multipliers prove ${proved} of the cut, not ${least}`);
    });
    tree.addCut(name, { form: terms.form, lower, upper: null }, step);
  },
};

function halfProof(tree: ProgramTree, { side, rows }: Read<typeof half>, step: number): HalfProof {
  const multiplier = readNumber(side, step);
  if (multiplier.sign() < 0) throw new CertificateError(step, `a half is priced at ${side}, which is below zero`);
  return { side: multiplier, rows: tree.multipliers(rows, step) };
}

/** States a cut, form ≥ least, of the knapsack that a sum of rows is. Multipliers in the node and below may name it. */
const knapsackStep = record({
  knapsack: cutName,
  ...stated,
  /** Multipliers of rows and earlier cuts. */
  rows: multipliers,
});
export type KnapsackStep = Read<typeof knapsackStep>;

/**
 * Among the points of the box with form < least, the greatest Σ y·(row − its side) is a bounded knapsack: dynamic programming
 * over the values of the form finds it (kernel/knapsack.ts). Where it is below zero, each of these points breaks a row, so
 * that no integer point of the node breaks the cut, and none of a node below. (Covers and lifted covers are of this kind:
 * Balas 1975, Zemel 1989.) It takes no point away.
 *
 * Side conditions: the form's columns are integers between bounds; every other column in the sum has a bound on the side that
 * raises it; the multipliers price sides that the rows have; the name is no row's and no earlier cut's.
 */
export const knapsack: Rule<ProgramTree, KnapsackStep> = {
  read: knapsackStep,
  check(tree, { knapsack: name, form, least, rows }, step) {
    const terms = readTerms(tree, form, "any", step);
    const lower = readNumber(least, step).subtract(terms.constant);
    const priced = tree.multipliers(rows, step);
    const beyond = within(step, () => greatestBeyond(tree.view, tree.box, terms.form, lower, priced));
    if (!tree.isEmpty && beyond !== "empty" && (beyond === null || beyond.sign() >= 0)) {
      throw new CertificateError(step, `points that the rows allow are below ${least}`);
    }
    tree.addCut(name, { form: terms.form, lower, upper: null }, step);
  },
};

/** Replaces rows by Chvátal–Gomory roundings of their upper sides, each times a positive factor. */
const roundStep = record({ round: multipliers });

/**
 * With a factor f > 0 and integer columns x ≥ l, a row Σ a·x ≤ b implies
 *
 *   Σ ⌊f·a⌋·(x − l) ≤ ⌊f·(b − Σ a·l)⌋,
 *
 * because the left side is an integer and at most f·Σ a·(x − l) (Chvátal 1973). The lower side of such a row is given up.
 * (Costs that are whole hundredths but for the rounding of doubles become whole numbers so.) What was concluded before from the row
 * goes on to hold for the points that matter, though not for all that keep the new one: see `View.isRelaxed`.
 *
 * Side conditions: the factor is above zero, the row has an upper side, and all its columns are integers bounded below. A
 * row that the view has left out is satisfied, and stays so.
 */
export const round = rule(roundStep, (tree: ProgramTree, { round: named }, step) => {
  const factors = tree.multipliers(named, step);
  tree.view = within(step, () => roundRows(tree.view, tree.box, factors));
  tree.reduce();
});

/** The view with some rows rounded. Throws `RangeError` where a side condition does not hold. */
export function roundRows(view: View, box: Box, factors: Multipliers): View {
  const rows = new Map(view.rows);
  for (const [r, factor] of factors) {
    if (factor.sign() <= 0) throw new RangeError(`a row is rounded with a positive factor, ${factor} is there`);
    const row = rows.get(r);
    if (row !== undefined) rows.set(r, rounded(view, box, row, factor));
  }
  return { ...view, rows, isRelaxed: true };
}

function rounded(view: View, box: Box, { form, upper }: ViewRow, factor: Rational): ViewRow {
  if (upper === null) throw new RangeError("a row without an upper side cannot be rounded");
  const denominator = form.denominator * factor.denominator;
  let side = upper;
  let shift = 0n;
  const coefficients = form.columns.map((j, k) => {
    const lower = box.lower[j] ?? null;
    if (view.integer[j] !== true || lower === null) {
      throw new RangeError("only a row over integers that are bounded below can be rounded");
    }
    const coefficient = form.coefficients[k] as bigint;
    const whole = floorDivide(coefficient * factor.numerator, denominator);
    side = side.subtract(lower.multiply(Rational.of(coefficient, form.denominator)));
    shift += whole * lower.numerator;
    return whole;
  });
  const most = side.multiply(factor).floor() + shift;
  const row = { form: integerForm(form.columns, coefficients, 1n), lower: null, upper: Rational.of(most) };
  return roundSides(row, view.integer, view.groups, view.groupOf);
}

/** A form by column name as one over the open columns, and what the substituted ones add to it. */
function readTerms(tree: ProgramTree, named: NamedMultipliers, of: "integers" | "any", step: number) {
  const whole = of === "integers";
  const terms: [number, Rational][] = [];
  let constant = Rational.zero;
  for (const [name, text] of Object.entries(named)) {
    const index = tree.columnNamed(name);
    if (index === undefined) throw new CertificateError(step, `there is no column "${name}"`);
    const coefficient = readNumber(text, step);
    if (whole && !tree.isInteger(index)) throw new CertificateError(step, `column "${name}" is not an integer`);
    if (whole && !coefficient.isInteger()) {
      throw new CertificateError(step, `a split needs integers, the coefficient of "${name}" is ${text}`);
    }
    const local = tree.localOf(index);
    if (local === -1) constant = constant.add(coefficient.multiply(tree.valueOf(index)));
    else terms.push([local, coefficient]);
  }
  return { form: linearForm(terms), constant };
}
