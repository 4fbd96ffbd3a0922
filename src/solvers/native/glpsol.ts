import type { RawAnswer } from "../scaled-model.js";
import type { NativeDialect, NativeProblem } from "./dialect.js";

/**
 * glpsol of GLPK 5 (GPL-3.0, called as a program of its own). Its solution file (`-w`; GLPK reference manual,
 * glp_write_sol and glp_write_mip) has a line `s`, a line `i` per row and a line `j` per column, with 15 digits. It
 * takes no seed, start, absolute gap or method, and gives no bound of a mixed-integer solve.
 */
export const glpsol: NativeDialect = {
  probe: ["--version"],
  command({ mixed }, options) {
    // Its clock counts whole seconds.
    const limit =
      options.timeLimitSeconds === undefined
        ? []
        : ["--tmlim", String(Math.max(1, Math.ceil(options.timeLimitSeconds)))];
    const gap = mixed && options.relativeGap > 0 ? ["--mipgap", String(options.relativeGap)] : [];
    // Its preprocessors take a continuous column that must be less than a thousandth for 0.
    return ["--freemps", "model.mps", "--nopresol", "--nointopt", ...limit, ...gap, "-w", "solution.txt"];
  },
  async parse(problem, printed, read) {
    const text = (await read("solution.txt"))?.toString("utf8");
    if (text === undefined) return undefined;
    const solution = decode(problem, text);
    if (solution === undefined) return undefined;
    const time = printed.includes("TIME LIMIT EXCEEDED") ? ({ limitReached: "time" } as const) : {};
    const { point, objective, rowDuals, status } = solution;
    if (printed.includes("NO PRIMAL FEASIBLE SOLUTION") || printed.includes("NO INTEGER FEASIBLE SOLUTION")) {
      return { status: "infeasible" };
    }
    if (printed.includes("UNBOUNDED")) return { status: problem.mixed ? "infeasible-or-unbounded" : "unbounded" };
    if (problem.mixed) {
      const gapReached = printed.includes("RELATIVE MIP GAP TOLERANCE REACHED");
      if (status === "o" || (status === "f" && gapReached)) return { status: "optimal", point, objective };
      if (status === "n") return { status: "infeasible" };
      if (status === "f") return { status: "feasible", point, objective, ...time };
      return { status: "unknown", ...time };
    }
    if (status === "ff") return { status: "optimal", point, objective, rowDuals, bound: objective };
    if (status.startsWith("n")) return { status: "infeasible" };
    if (status.startsWith("f")) return { status: "feasible", point, objective, ...time };
    return { status: "unknown", ...time };
  },
};

function decode(
  { rowCount, columnCount, mixed }: NativeProblem,
  text: string,
): (Required<Pick<RawAnswer, "objective" | "point" | "rowDuals">> & { status: string }) | undefined {
  const point = new Float64Array(columnCount).fill(Number.NaN);
  const rowDuals = new Float64Array(rowCount).fill(Number.NaN);
  let head: string[] | undefined;
  for (const line of text.split("\n")) {
    const fields = line.split(/\s+/);
    const index = Number(fields[1]) - 1;
    if (fields[0] === "s") head = fields;
    // "i ordinal status primal dual" for a linear program, "i ordinal value" for a mixed-integer one; columns alike.
    else if (fields[0] === "i" && !mixed) rowDuals[index] = Number(fields[4]);
    else if (fields[0] === "j") point[index] = Number(fields[mixed ? 2 : 3]);
  }
  if (head === undefined || Number(head[2]) !== rowCount || Number(head[3]) !== columnCount) return undefined;
  const status = mixed ? (head[4] as string) : `${head[4]}${head[5]}`;
  return { status, objective: Number(head[mixed ? 5 : 6]), point, rowDuals };
}
