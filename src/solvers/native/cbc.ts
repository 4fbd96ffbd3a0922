import type { RawAnswer } from "../scaled-model.js";
import type { NativeDialect, NativeProblem } from "./dialect.js";

/**
 * COIN-OR CBC 2.10 (EPL-2.0). Its text solution has 8 digits only, so the values are read from the binary file of
 * `-saveSolution`: two 32-bit counts (rows, columns), the objective, then per row activity and dual, per column value
 * and reduced cost, as blocks of doubles. The text file's first line has the status. It gives no bound when it is done;
 * it takes no seed or start here, and chooses the method for a linear program itself.
 */
export const cbc: NativeDialect = {
  probe: ["-quit"],
  command(_, options) {
    const limit = options.timeLimitSeconds === undefined ? [] : ["-seconds", String(options.timeLimitSeconds)];
    const gaps = ["-ratioGap", String(options.relativeGap), "-allowableGap", String(options.absoluteGap)];
    const files = ["-solution", "solution.txt", "-saveSolution", "solution.bin"];
    return ["model.mps", "-timeMode", "elapsed", ...limit, ...gaps, "-solve", ...files];
  },
  async parse(problem, printed, read) {
    const line = (await read("solution.txt"))?.toString("utf8").split("\n", 1)[0];
    if (line === undefined) return undefined;
    const stated = line.toLowerCase();
    if (stated.includes("infeasible")) return { status: "infeasible" };
    if (stated.startsWith("unbounded")) return { status: problem.mixed ? "infeasible-or-unbounded" : "unbounded" };
    const binary = await read("solution.bin");
    const solution = binary && decode(problem, binary);
    if (stated.startsWith("optimal")) {
      if (solution === undefined) return undefined;
      const { rowDuals, ...rest } = solution;
      return problem.mixed
        ? { status: "optimal", ...rest }
        : { status: "optimal", ...rest, rowDuals, bound: rest.objective };
    }
    if (!stated.startsWith("stopped")) return { status: "unknown" };
    const limitReached = stated.startsWith("stopped on time")
      ? ({ limitReached: "time" } as const)
      : stated.startsWith("stopped on iterations")
        ? ({ limitReached: "iterations" } as const)
        : {};
    const bound = /^Lower bound:\s+(\S+)/m.exec(printed)?.[1];
    const bounds = bound === undefined ? {} : { bound: Number(bound) };
    // A linear program stopped half way has values, but nothing says that they are feasible.
    if (!problem.mixed || solution === undefined || stated.includes("no integer solution")) {
      return { status: "unknown", ...bounds, ...limitReached };
    }
    return { status: "feasible", point: solution.point, objective: solution.objective, ...bounds, ...limitReached };
  },
};

function decode(
  problem: NativeProblem,
  file: Buffer,
): Required<Pick<RawAnswer, "objective" | "point" | "rowDuals">> | undefined {
  const { rowCount, columnCount } = problem;
  if (file.length !== 16 + 16 * (rowCount + columnCount)) return undefined;
  const counts = [file.readInt32LE(0), file.readInt32LE(4)];
  if (counts[0] !== rowCount || counts[1] !== columnCount) return undefined;
  const block = (start: number, length: number) =>
    Float64Array.from({ length }, (_, k) => file.readDoubleLE(16 + 8 * (start + k)));
  return {
    objective: file.readDoubleLE(8),
    rowDuals: block(rowCount, rowCount),
    point: block(2 * rowCount, columnCount),
  };
}
