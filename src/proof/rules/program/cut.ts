import { CertificateError, fields, type NamedMultipliers, readMultipliers, readNumber, within } from "../../grammar.js";
import { type HalfProof, leastInHalves } from "../../kernel/split.js";
import type { Rule } from "../rule.js";
import { readTerms } from "./terms.js";
import type { ProgramTree } from "./tree.js";

/** States a cut, form ≥ least, by a split of integers. Multipliers of later steps in the node and below may name it. */
export interface CutStep {
  readonly cut: string;
  /** Coefficients by column name. */
  readonly form: NamedMultipliers;
  readonly least: string;
  /** Integer coefficients of integer columns: the halves are split ≤ at and split ≥ at + 1. */
  readonly split: NamedMultipliers;
  readonly at: string;
  readonly below: NamedHalf;
  readonly above: NamedHalf;
}

/** What proves the cut in one half. */
export interface NamedHalf {
  /** Multiplier of the half's own inequality. */
  readonly side: string;
  readonly rows: NamedMultipliers;
}

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
  read(json, step) {
    const names = ["cut", "form", "least", "split", "at", "below", "above"] as const;
    const { cut: name, form, least, split, at, below, above } = fields(json, names, step);
    if (typeof name !== "string" || name === "") throw new CertificateError(step, "the name of a cut was expected");
    return {
      cut: name,
      form: readMultipliers(form, step),
      least: readNumber(least, step).toString(),
      split: readMultipliers(split, step),
      at: readNumber(at, step).toString(),
      below: readHalf(below, step),
      above: readHalf(above, step),
    };
  },
  check(tree, { cut: name, form, least, split, at, below, above }, step) {
    const stated = readTerms(tree, form, "any", step);
    const divided = readTerms(tree, split, "integers", step);
    const limit = readNumber(at, step);
    if (!limit.isInteger()) throw new CertificateError(step, `a split needs an integer, ${limit} is there`);
    const lower = readNumber(least, step).subtract(stated.constant);
    const halves = { below: halfProof(tree, below, step), above: halfProof(tree, above, step) };
    const parted = { form: divided.form, at: limit.subtract(divided.constant) };
    const shown = within(step, () => leastInHalves(tree.view, tree.box, stated.form, parted, halves));
    shown.forEach((bound, half) => {
      if (tree.isEmpty || bound === "empty") return;
      if (bound !== null && bound.compare(lower) >= 0) return;
      const proved = bound === null ? "nothing" : `${bound.add(stated.constant).toNumber()}`;
      const where = half === 0 ? "below" : "above";
      throw new CertificateError(step, `${where} the split the multipliers prove ${proved} of the cut, not ${least}`);
    });
    tree.addCut(name, { form: stated.form, lower, upper: null }, step);
  },
};

function readHalf(json: unknown, step: number): NamedHalf {
  const { side, rows } = fields(json, ["side", "rows"], step);
  return { side: readNumber(side, step).toString(), rows: readMultipliers(rows, step) };
}

function halfProof(tree: ProgramTree, { side, rows }: NamedHalf, step: number): HalfProof {
  const multiplier = readNumber(side, step);
  if (multiplier.sign() < 0) throw new CertificateError(step, `a half is priced at ${side}, which is below zero`);
  return { side: multiplier, rows: tree.multipliers(rows, step) };
}
