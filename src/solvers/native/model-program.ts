import { Rational } from "../../exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../program/program.js";
import type { ScaledModel } from "../scaled-model.js";

/**
 * A scaled model as a program again, for solvers that read files: columns c0…, rows r0…, minimised. Rows without bounds
 * are left out (MPS readers take them for further objectives); `keptRows` says which remain.
 */
export function modelProgram(model: ScaledModel): { program: Program; keptRows: readonly number[] } {
  const bound = (value: number | undefined) =>
    value === undefined || !Number.isFinite(value) ? null : Rational.fromNumber(value);
  const keptRows = Array.from({ length: model.rowCount }, (_, i) => i).filter(
    (i) => Number.isFinite(model.rowLower[i]) || Number.isFinite(model.rowUpper[i]),
  );
  const program = makeProgram({
    name: "scaled",
    columns: Array.from(model.cost, (_, j) => ({
      name: `c${j}`,
      lower: bound(model.columnLower[j]),
      upper: bound(model.columnUpper[j]),
      integer: model.integrality?.[j] === 1,
    })),
    rows: keptRows.map((i) => {
      const terms: [number, Rational][] = [];
      for (let k = model.starts[i] as number; k < (model.starts[i + 1] as number); k++) {
        terms.push([model.indices[k] as number, Rational.fromNumber(model.values[k] as number)]);
      }
      return {
        name: `r${i}`,
        form: linearForm(terms),
        lower: bound(model.rowLower[i]),
        upper: bound(model.rowUpper[i]),
      };
    }),
    objective: { form: linearForm(Array.from(model.cost, (cost, j) => [j, Rational.fromNumber(cost)] as const)) },
  });
  return { program, keptRows };
}
