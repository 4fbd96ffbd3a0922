import { Rational } from "../../../exact/rational.js";
import { linearForm } from "../../../program/program.js";
import { CertificateError, type NamedMultipliers, readNumber } from "../../grammar.js";
import type { ProgramTree } from "./tree.js";

/** A form by column name as one over the open columns, and what the substituted ones add to it. */
export function readTerms(tree: ProgramTree, named: NamedMultipliers, of: "integers" | "any", step: number) {
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
