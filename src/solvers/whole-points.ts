import type { Highs } from "highs";
import type { SparseEntries } from "./growing-lp.js";
import { runHighs } from "./highs-module.js";
import type { ScaledModel } from "./scaled-model.js";
import { guarded, sharedHighs } from "./shared-highs.js";

/** A column of whole numbers from 0 up. */
export interface WholeColumn extends SparseEntries {
  readonly most: number;
}

/** Points of small programs of whole numbers, in doubles, from HiGHS. Nothing that it says is trusted. */
export class WholePoints {
  readonly #highs: Highs;

  static async open(): Promise<WholePoints> {
    return new WholePoints(await sharedHighs());
  }

  private constructor(highs: Highs) {
    this.#highs = highs;
  }

  /**
   * A point that keeps all rows, `null` where HiGHS finds none in so many iterations, or is told to stop; blocks the thread. Throws
   * `SolverError` where HiGHS dies.
   */
  find(
    rows: readonly (readonly [lower: number, upper: number])[],
    columns: readonly WholeColumn[],
    mostIterations: number,
    shouldStop: () => boolean = () => false,
  ): { readonly point: Float64Array | null; readonly iterations: number } {
    const model: ScaledModel = {
      columnCount: columns.length,
      rowCount: rows.length,
      cost: new Float64Array(columns.length),
      columnLower: new Float64Array(columns.length),
      columnUpper: Float64Array.from(columns, ({ most }) => most),
      rowLower: Float64Array.from(rows, ([lower]) => lower),
      rowUpper: Float64Array.from(rows, ([, upper]) => upper),
      ...rowsOf(rows.length, columns),
      integrality: new Int32Array(columns.length).fill(1),
    };
    const options = { iterationLimit: mostIterations, relativeGap: 0, absoluteGap: 0, offset: 0, seed: 0 };
    const { point, iterations } = guarded(this.#highs, () => runHighs(this.#highs, model, options, { shouldStop }));
    return { point: point ?? null, iterations: iterations ?? 0 };
  }
}

/** Compressed rows of what is given by columns. */
function rowsOf(count: number, columns: readonly WholeColumn[]): Pick<ScaledModel, "starts" | "indices" | "values"> {
  const byRow = Array.from({ length: count }, (): (readonly [column: number, value: number])[] => []);
  columns.forEach(({ indices, values }, column) => {
    indices.forEach((row, k) => {
      byRow[row]?.push([column, values[k] as number]);
    });
  });
  const starts = new Int32Array(count + 1);
  byRow.forEach((own, row) => {
    starts[row + 1] = (starts[row] as number) + own.length;
  });
  const entries = byRow.flat();
  return {
    starts,
    indices: Int32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
  };
}
