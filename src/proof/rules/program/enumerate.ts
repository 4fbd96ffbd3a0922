import { CertificateError, fields, type NamedMultipliers, readList, readMultipliers, within } from "../../grammar.js";
import type { Rule } from "../rule.js";
import { enumerateBelow } from "./enumeration/enumerate.js";
import type { ProgramTree } from "./tree.js";

/**
 * Closes the node: going through its points one by one, with sets of multipliers to leave branches early, finds none that
 * is better than the claim.
 */
export interface EnumerateStep {
  readonly enumerate: readonly NamedMultipliers[];
}

/**
 * A branch is left only where a row cannot be kept any more, where the Lagrangian bound of one of the sets of multipliers,
 * with what is chosen so far, reaches the claim, where another choice uses no more of any row, nor of the objective, or where the
 * choices to come use more than is left of one whatever they are, within what is left of two others (enumeration/: label setting
 * with dominance and completions, else depth first). The walk is in doubles that hold integers, rounded so that
 * no branch is left wrongly; a point that survives is judged in rationals.
 *
 * Side conditions: all open columns are integers in bounds; multipliers price sides that their rows have; a set that prices a cut is
 * compared too where rows were rounded, because the cut may say what they no longer say.
 */
export const enumerate: Rule<ProgramTree, EnumerateStep> = {
  read(json, step) {
    const sets = readList(fields(json, ["enumerate"], step).enumerate, "sets of multipliers", step);
    return { enumerate: sets.map((set) => readMultipliers(set, step)) };
  },
  check(tree, { enumerate: named }, step) {
    const sets = named.map((set) => tree.multipliers(set, step));
    if (!tree.isEmpty) {
      const { kind } = within(step, () => enumerateBelow(tree.view, tree.box, sets, tree.target));
      if (kind === "found") throw new CertificateError(step, "the node has a point that is better than the claim");
      if (kind === "too-many") throw new CertificateError(step, "the node has too many points to go through");
    }
    tree.close();
  },
};
