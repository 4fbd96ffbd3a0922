import { Rational } from "../../src/exact/rational.js";
import { explicitProgram } from "../../src/program/ladder/explicit.js";
import type { Ladder } from "../../src/program/ladder/ladder.js";
import type { Program } from "../../src/program/program.js";
import type { RowTiersModel } from "./build.js";

/**
 * The same model under another budget of memory, in bytes per GPU: what `buildRowTiers` makes of the instance with
 * `{bytesPerGpu: bytes}`, but nothing is built again, since the budget is the upper side of one row. Throws `RangeError`
 * unless `bytes` is finite.
 */
export function withBudget(model: RowTiersModel, bytes: number): RowTiersModel {
  const { classes, tierSet, structure, recover, complete, pointOf } = model;
  const budgetBytes = Rational.fromNumber(bytes);
  const ladder = withUpper(model.ladder, structure.memoryRow, budgetBytes);
  let program: Program | undefined;
  return {
    instance: { ...model.instance, budget: { kind: "bytesPerGpu", bytes } },
    classes,
    tierSet,
    budgetBytes,
    ladder,
    structure,
    get program() {
      program ??= explicitProgram(ladder);
      return program;
    },
    recover,
    complete,
    pointOf,
  };
}

/** A ladder with another upper side of one row. */
export function withUpper(ladder: Ladder, row: number, upper: Rational): Ladder {
  return { ...ladder, rows: ladder.rows.map((each, k) => (k === row ? { ...each, upper } : each)) };
}
