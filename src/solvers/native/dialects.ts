import type { RawAnswer, RunOptions } from "../scaled-model.js";
import type { Left } from "./run-program.js";

/** What is known about the problem whose answer is parsed. */
export interface NativeProblem {
  readonly columnCount: number;
  readonly rowCount: number;
  readonly mixed: boolean;
}

/** How one executable is called and its answer read. File names are relative to the folder it runs in. */
export interface NativeDialect {
  /** Arguments that make it end at once, to see whether it is there. */
  readonly probe: readonly string[];
  /** Arguments that solve `model.mps`. */
  command(problem: NativeProblem, options: RunOptions): string[];
  /** Its answer from what it printed and the files it left. */
  parse(problem: NativeProblem, printed: string, left: Left): Promise<RawAnswer | undefined>;
}

/** What a solution file holds; duals mean nothing where columns are integers. */
type Solution = Required<Pick<RawAnswer, "objective" | "point" | "rowDuals">>;

/** An optimum: a linear program's value is its bound. */
function optimal({ mixed }: NativeProblem, { point, objective, rowDuals }: Solution): RawAnswer {
  return { status: "optimal", point, objective, ...(mixed ? {} : { rowDuals, bound: objective }) };
}

/**
 * COIN-OR CBC 2.10 (EPL-2.0). Its text solution has 8 digits only, so the values are read from the binary file of
 * `-saveSolution`: two 32-bit counts (rows, columns), the objective, then per row activity and dual, per column value
 * and reduced cost, as blocks of doubles. The text file's first line has the status. It gives no bound when it is done;
 * it takes no seed or start here, and chooses the method for a linear program itself.
 */
const cbc: NativeDialect = {
  probe: ["-quit"],
  command(_, options) {
    const limit = options.timeLimitSeconds === undefined ? [] : ["-seconds", String(options.timeLimitSeconds)];
    const gaps = ["-ratioGap", String(options.relativeGap), "-allowableGap", String(options.absoluteGap)];
    const files = ["-solution", "solution.txt", "-saveSolution", "solution.bin"];
    return ["model.mps", "-timeMode", "elapsed", ...limit, ...gaps, "-solve", ...files];
  },
  async parse(problem, printed, left) {
    const stated = (await left("solution.txt"))?.toString("utf8").split("\n", 1)[0]?.toLowerCase();
    if (stated === undefined) return undefined;
    if (stated.includes("infeasible")) return { status: "infeasible" };
    if (stated.startsWith("unbounded")) return { status: problem.mixed ? "infeasible-or-unbounded" : "unbounded" };
    const binary = await left("solution.bin");
    const solution = binary && decodeCbc(problem, binary);
    if (stated.startsWith("optimal")) return solution && optimal(problem, solution);
    if (!stated.startsWith("stopped")) return { status: "unknown" };
    const [, limitReached] = /^stopped on (time|iterations)/.exec(stated) ?? [];
    const bound = /^Lower bound:\s+(\S+)/m.exec(printed)?.[1];
    const rest = {
      ...(bound !== undefined && { bound: Number(bound) }),
      ...(limitReached !== undefined && { limitReached: limitReached as "time" | "iterations" }),
    };
    // A linear program stopped half way has values, but nothing says that they are feasible.
    if (!problem.mixed || solution === undefined || stated.includes("no integer solution")) {
      return { status: "unknown", ...rest };
    }
    return { status: "feasible", point: solution.point, objective: solution.objective, ...rest };
  },
};

function decodeCbc({ rowCount, columnCount }: NativeProblem, file: Buffer): Solution | undefined {
  if (file.length !== 16 + 16 * (rowCount + columnCount)) return undefined;
  if (file.readInt32LE(0) !== rowCount || file.readInt32LE(4) !== columnCount) return undefined;
  const block = (start: number, length: number) =>
    Float64Array.from({ length }, (_, k) => file.readDoubleLE(16 + 8 * (start + k)));
  return {
    objective: file.readDoubleLE(8),
    rowDuals: block(rowCount, rowCount),
    point: block(2 * rowCount, columnCount),
  };
}

/**
 * glpsol of GLPK 5 (GPL-3.0, called as a program of its own). Its solution file (`-w`; GLPK reference manual,
 * glp_write_sol and glp_write_mip) has a line `s`, a line `i` per row and a line `j` per column, with 15 digits. It
 * takes no seed, start, absolute gap or method, and gives no bound of a mixed-integer solve.
 */
const glpsol: NativeDialect = {
  probe: ["--version"],
  command({ mixed }, { timeLimitSeconds, relativeGap }) {
    // Its clock counts whole seconds.
    const limit = timeLimitSeconds === undefined ? [] : ["--tmlim", String(Math.max(1, Math.ceil(timeLimitSeconds)))];
    const gap = mixed && relativeGap > 0 ? ["--mipgap", String(relativeGap)] : [];
    // Its preprocessors take a continuous column that must be less than a thousandth for 0.
    return ["--freemps", "model.mps", "--nopresol", "--nointopt", ...limit, ...gap, "-w", "solution.txt"];
  },
  async parse(problem, printed, left) {
    const text = (await left("solution.txt"))?.toString("utf8");
    const solution = text === undefined ? undefined : decodeGlpsol(problem, text);
    if (solution === undefined) return undefined;
    const { point, objective, status } = solution;
    if (/NO (PRIMAL|INTEGER) FEASIBLE SOLUTION/.test(printed)) return { status: "infeasible" };
    if (printed.includes("UNBOUNDED")) return { status: problem.mixed ? "infeasible-or-unbounded" : "unbounded" };
    const gapReached = problem.mixed && printed.includes("RELATIVE MIP GAP TOLERANCE REACHED");
    if (status === (problem.mixed ? "o" : "ff") || (status === "f" && gapReached)) return optimal(problem, solution);
    if (problem.mixed ? status === "n" : status.startsWith("n")) return { status: "infeasible" };
    const time = printed.includes("TIME LIMIT EXCEEDED") ? ({ limitReached: "time" } as const) : {};
    const isFeasible = problem.mixed ? status === "f" : status.startsWith("f");
    return isFeasible ? { status: "feasible", point, objective, ...time } : { status: "unknown", ...time };
  },
};

function decodeGlpsol(
  { rowCount, columnCount, mixed }: NativeProblem,
  text: string,
): (Solution & { readonly status: string }) | undefined {
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

/** By the names of their executables. */
export const DIALECTS: ReadonlyMap<string, NativeDialect> = new Map([
  ["cbc", cbc],
  ["glpsol", glpsol],
]);
