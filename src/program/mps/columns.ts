import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Column } from "../program.js";
import { othersWhere, verb } from "../reading/dialect.js";
import { inputError, type MpsColumn, type MpsModel, note } from "./model.js";

/** A column with the bounds that the dialect gives it where the file gives none. */
export function finishedColumn(model: MpsModel, column: MpsColumn): Column {
  const { name, integer, isMarked, bounded, lower } = column;
  const { markedIsBinary } = model.rules;
  if (isMarked && bounded === undefined) {
    const others = othersWhere((rules) => rules.markedIsBinary !== markedIsBinary);
    const [here, there] = markedIsBinary ? ["[0, 1]", "[0, infinity)"] : ["[0, infinity)", "[0, 1]"];
    const text = `the integer column "${shown(name)}" has no bounds and is in ${here}, the default of MPS`;
    note(model, "integer-default-bounds", column.field, `${text}; ${others} ${verb(others, "take")} ${there}`);
    return { name, integer, lower: Rational.zero, upper: markedIsBinary ? Rational.one : null };
  }
  return {
    name,
    integer,
    lower: lower === undefined ? belowUpper(model, column) : lower,
    upper: upperOf(model, column),
  };
}

/** The upper bound; where a marked column has a lower one alone, GLPK keeps the default of 1. */
function upperOf(model: MpsModel, { name, isMarked, bounded, byLower, upper }: MpsColumn): Rational | null {
  if (upper !== undefined) return upper;
  if (!isMarked || bounded === undefined || !byLower) return null;
  const { lowerKeepsOne } = model.rules;
  const others = othersWhere((rules) => rules.lowerKeepsOne !== lowerKeepsOne);
  const [here, there] = lowerKeepsOne ? ["the upper bound 1", "none"] : ["no upper bound", "1"];
  const text = `the integer column "${shown(name)}" has a lower bound alone and ${here}`;
  note(model, "integer-lower-alone", bounded, `${text}; ${others} ${verb(others, "take")} ${there}`);
  return lowerKeepsOne ? Rational.one : null;
}

/** The lower bound where none is given: 0, unless a negative upper bound stands alone. */
function belowUpper(model: MpsModel, { name, negativeUpper, negativeType }: MpsColumn): Rational | null {
  if (negativeUpper === undefined) return Rational.zero;
  // CBC does not treat UI as it treats UP.
  const ruleOf = ({ belowNegativeUpper: rule }: MpsModel["rules"]) =>
    rule === "none" && negativeType === "UI" ? "zero" : rule;
  const rule = ruleOf(model.rules);
  const zero = othersWhere((rules) => ruleOf(rules) === "zero");
  const none = othersWhere((rules) => ruleOf(rules) === "none");
  const who = `${zero} ${verb(zero, "take")} 0${none === "" ? "" : `, ${none} ${verb(none, "take")} minus infinity`}`;
  if (rule === "refused") {
    const wanted = `a lower bound of "${shown(name)}" beside the negative upper bound ${shown(negativeUpper.text)}`;
    const found = `found none, and programs differ on what it is (${who}); add a line LO or MI`;
    throw inputError(model, negativeUpper, `expected ${wanted}, ${found}`);
  }
  const text = `the lower bound of "${shown(name)}" is ${rule === "zero" ? "0" : "minus infinity"} beside its negative upper bound`;
  note(model, "negative-upper-alone", negativeUpper, `${text}; ${who}`);
  return rule === "zero" ? Rational.zero : null;
}
