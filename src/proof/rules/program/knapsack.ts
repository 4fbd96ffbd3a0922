import { CertificateError, fields, type NamedMultipliers, readMultipliers, readNumber, within } from "../../grammar.js";
import { greatestBeyond } from "../../kernel/knapsack.js";
import type { Rule } from "../rule.js";
import { readTerms } from "./terms.js";
import type { ProgramTree } from "./tree.js";

/** States a cut, form ≥ least, of the knapsack that a sum of rows is. Multipliers in the node and below may name it. */
export interface KnapsackStep {
  readonly knapsack: string;
  /** Coefficients by column name. */
  readonly form: NamedMultipliers;
  readonly least: string;
  /** Multipliers of rows and earlier cuts. */
  readonly rows: NamedMultipliers;
}

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
  read(json, step) {
    const { knapsack: name, form, least, rows } = fields(json, ["knapsack", "form", "least", "rows"], step);
    if (typeof name !== "string" || name === "") throw new CertificateError(step, "the name of a cut was expected");
    return {
      knapsack: name,
      form: readMultipliers(form, step),
      least: readNumber(least, step).toString(),
      rows: readMultipliers(rows, step),
    };
  },
  check(tree, { knapsack: name, form, least, rows }, step) {
    const stated = readTerms(tree, form, "any", step);
    const lower = readNumber(least, step).subtract(stated.constant);
    const multipliers = tree.multipliers(rows, step);
    const beyond = within(step, () => greatestBeyond(tree.view, tree.box, stated.form, lower, multipliers));
    if (!tree.isEmpty && beyond !== "empty" && (beyond === null || beyond.sign() >= 0)) {
      throw new CertificateError(step, `points that the rows allow are below ${least}`);
    }
    tree.addCut(name, { form: stated.form, lower, upper: null }, step);
  },
};
