import { Rational } from "../../exact/rational.js";
import { freeName, linearForm, makeProgram, type Program } from "../../program/program.js";
import { disposeQuietly, newHighs } from "../highs-module.js";
import { SolverError } from "../solver-error.js";

/** From here on a bound is none in HiGHS. */
const INFINITE = 1e20;

/** The program that HiGHS reads from a text, in a module of its own: some texts end it. */
export async function readByHighs(text: string, format: "mps" | "lp"): Promise<Program> {
  const highs = await newHighs();
  const model = highs.createModel();
  try {
    model.options.set("output_flag", false);
    model.readModel({ format, data: text });
    const read = model.getModel("csr");
    const taken = new Set<string>();
    const columns = Array.from({ length: read.numCols }, (_, j) => {
      const name = freeName(model.getColName(j) || `column ${j + 1}`, taken);
      taken.add(name);
      const kind = read.integrality[j] ?? 0;
      if (kind > 1) throw new SolverError("unsupported", `it takes "${name}" for a semi-continuous column`);
      return { name, lower: side(read.colLower[j]), upper: side(read.colUpper[j]), integer: kind === 1 };
    });
    const { starts, indices, values } = read.matrix;
    const rowNames = new Set<string>();
    const rows = Array.from({ length: read.numRows }, (_, i) => {
      const name = freeName(model.getRowName(i) || `row ${i + 1}`, rowNames);
      rowNames.add(name);
      const [start, end] = [starts[i] as number, starts[i + 1] ?? indices.length];
      const terms = Array.from(
        { length: end - start },
        (_, k) => [indices[start + k] as number, exact(values[start + k])] as const,
      );
      return { name, form: linearForm(terms), lower: side(read.rowLower[i]), upper: side(read.rowUpper[i]) };
    });
    const costs = Array.from(read.colCost, (cost, j) => [j, exact(cost)] as const);
    const isMaximum = String(read.sense) === "maximize" || Number(read.sense) === -1;
    return makeProgram({
      columns,
      rows,
      objective: {
        name: freeName("obj", rowNames),
        sense: isMaximum ? "maximize" : "minimize",
        form: linearForm(costs),
        constant: exact(read.offset),
      },
    });
  } catch (error) {
    if (error instanceof SolverError) throw error;
    const message = `it could not read the file: ${(error as Error).message.slice(0, 200)}`;
    throw new SolverError("crash", message, error);
  } finally {
    disposeQuietly(model);
  }
}

function side(value: number | undefined): Rational | null {
  return value === undefined || Math.abs(value) >= INFINITE ? null : exact(value);
}

function exact(value: number | undefined): Rational {
  if (value !== undefined && Number.isFinite(value)) return Rational.fromNumber(value);
  throw new SolverError("unsupported", `it reads the number ${value}`);
}
