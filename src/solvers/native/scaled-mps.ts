import { Rational } from "../../exact/rational.js";
import { writeMps } from "../../program/mps/write.js";
import { linearForm, makeProgram } from "../../program/program.js";
import { shortestDecimal } from "../../program/written.js";
import type { ScaledModel } from "../scaled-model.js";

/**
 * A scaled model as free MPS for executables: columns c0…, rows r0…, minimised. Each double is written as the shortest
 * decimal that reads back as itself: CBC refuses numbers longer than some 20 characters.
 *
 * Rows without bounds are left out (MPS readers take them for further objectives); `keptRows` are the ones that remain.
 */
export function scaledMps(model: ScaledModel): { text: string; keptRows: readonly number[] } {
  const exact = (value: number | undefined) => Rational.fromNumber(value as number);
  const side = (value: number | undefined) => (Number.isFinite(value) ? exact(value) : null);
  const columns = Array.from(model.cost, (_, j) => {
    const [lower, upper] = [side(model.columnLower[j]), side(model.columnUpper[j])];
    return { name: `c${j}`, lower, upper, integer: model.integrality?.[j] === 1 };
  });
  const rows = Array.from(model.rowLower, (_, i) => {
    const from = model.starts[i] as number;
    const own = Array.from(model.indices.subarray(from, model.starts[i + 1]));
    const form = linearForm(own.map((column, k) => [column, exact(model.values[from + k])] as const));
    return { name: `r${i}`, form, lower: side(model.rowLower[i]), upper: side(model.rowUpper[i]) };
  });
  const keptRows = [...rows.keys()].filter((i) => rows[i]?.lower !== null || rows[i]?.upper !== null);
  const costs = Array.from(model.cost, (cost, j) => [j, exact(cost)] as const);
  const program = makeProgram({
    name: "MODEL",
    columns,
    rows: keptRows.map((i) => rows[i] as (typeof rows)[number]),
    objective: { name: "obj", form: linearForm(costs) },
  });
  return { text: writeMps(program, { comments: [], directives: [], text: shortestDecimal }), keptRows };
}
