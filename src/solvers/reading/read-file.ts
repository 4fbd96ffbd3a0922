import { gunzipSync } from "node:zlib";
import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import { firstDifference } from "../../program/difference.js";
import { freeName, linearForm, makeProgram, negated, type Program, ProgramError } from "../../program/program.js";
import { readProgram } from "../../program/read-program.js";
import { RULES } from "../../program/reading/dialect.js";
import { disposeQuietly, newHighs } from "../highs-module.js";
import { runBeside } from "../native/run-program.js";
import { SolverError } from "../solver-error.js";

/** Seconds that a reader may take. */
const MOST_SECONDS = 20;

/** A reader that is an executable: how it reads a file and writes back what it read. */
interface NativeReader {
  /** `undefined` where it does not read the format. */
  command(file: string, format: "mps" | "lp"): readonly string[] | undefined;
  /** The relative error of the numbers that it writes. */
  readonly tolerance: number;
  /** The file that it leaves. */
  readonly written: readonly string[];
  /** The program in what it left. */
  read(written: string, text: string, format: "mps" | "lp"): Program;
}

const NATIVE: Readonly<Record<string, NativeReader>> = {
  "native:glpsol": {
    command: (file, format) => [format === "mps" ? "--freemps" : "--lp", file, "--check", "--wglp", "written.glp"],
    tolerance: 1e-14,
    written: ["written.glp"],
    read: readGlpkFormat,
  },
  "native:cbc": {
    command: (file) => [file, "-presolve", "off", "-export", "written.mps", "-quit"],
    tolerance: 1e-5,
    written: ["written.mps.gz", "written.mps"],
    read(written, text, format) {
      // It leaves out a lower bound of 0, beside a negative upper one too.
      const rules = { ...RULES.cbc, belowNegativeUpper: "zero" } as const;
      const program = readProgram(written, "written.mps", "mps", { rules });
      // It writes a maximum of an LP file as the minimum of the negated costs, the constant as it is.
      const isMaximum = format === "lp" && /^\s*(?:\\.*\n\s*)*max/i.test(text);
      return isMaximum ? negated(program) : program;
    },
  },
  "native:lp_solve": {
    command: (file, format) =>
      format === "lp" ? undefined : ["-S1", "-parse_only", "-fmps", file, "-wfmps", "written.mps"],
    tolerance: 1e-9,
    written: ["written.mps"],
    read(written) {
      // It writes the constant of a minimum as it reads it, and that of a maximum negated.
      const isMaximum = /^OBJSENSE/m.test(written);
      const rules = { ...RULES.lp_solve, constantSign: isMaximum ? -1 : 1 } as const;
      return readProgram(written, "written.mps", "mps", { rules });
    },
  },
};

/** The readers that can be asked, by the names of their solvers. */
export const FILE_READERS = ["highs", ...Object.keys(NATIVE)] as const;

/**
 * The first difference between a program and the one that another solver reads from the same text, in words; `null` where
 * there is none (`native:lp_solve` too, which reads alone). Throws
 * `SolverError`: `missing` where it is not installed, `unsupported` where it does not read the format or is none of
 * {@link FILE_READERS}, `crash` where it left nothing, with what it said.
 */
export async function differenceOf(
  reader: string,
  ours: Program,
  text: string,
  format: "mps" | "lp",
): Promise<string | null> {
  return firstDifference(ours, await readFileBy(reader, text, format), NATIVE[reader]?.tolerance ?? 1e-14);
}

/** The program that another solver reads from a model's text. Throws as {@link differenceOf} does. */
export async function readFileBy(reader: string, text: string, format: "mps" | "lp"): Promise<Program> {
  if (reader === "highs") return readByHighs(text, format);
  const native = NATIVE[reader];
  const args = native?.command(`model.${format}`, format);
  if (native === undefined || args === undefined) {
    throw new SolverError("unsupported", `it reads no ${format.toUpperCase()} files`);
  }
  const input = { file: `model.${format}`, text };
  const limits = { killAfterSeconds: MOST_SECONDS };
  return runBeside(reader.slice("native:".length), args, input, limits, async ({ printed, ended }, left) => {
    for (const name of native.written) {
      const bytes = await left(name);
      if (bytes === undefined) continue;
      const written = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
      try {
        return native.read(written, text, format);
      } catch (error) {
        if (!(error instanceof InputError || error instanceof ProgramError)) throw error;
        throw new SolverError("unsupported", `what it writes of the file cannot be read: ${error.message}`, error);
      }
    }
    const why = ended === undefined ? complaint(printed) : " in time";
    throw new SolverError("crash", `it could not read the file${why}`);
  });
}

function complaint(printed: string): string {
  const line = printed
    .split("\n")
    .find((text) => /error|invalid|missing|unknown|unrecognized|bad|infeasible/i.test(text));
  return line === undefined ? "" : ` (it said: ${line.trim().slice(0, 160)})`;
}

/** A row or a column while the text is being read. */
interface Bounded {
  name: string;
  lower: Rational | null;
  upper: Rational | null;
  integer: boolean;
}

/** No bound, or the first number of a bound, or the second. */
const SIDES: Readonly<Record<string, readonly [lower: number | null, upper: number | null]>> = {
  f: [null, null],
  l: [0, null],
  u: [null, 0],
  d: [0, 1],
  s: [0, 0],
};

/**
 * A program in GLPK's own format, as `glpsol --wglp` writes it (GLPK reference manual, glp_write_prob): lines `p` (sense,
 * sizes), `i` and `j` (bounds), `a` (coefficients; row 0 is the objective, column 0 its constant), `n` (names). It says
 * every number with 15 digits, the sense and the constant, which GLPK's MPS does not.
 */
function readGlpkFormat(text: string): Program {
  const rows = new Map<string, Bounded>();
  const columns = new Map<string, Bounded>();
  const terms = new Map<string, [number, Rational][]>();
  let sense: "minimize" | "maximize" = "minimize";
  let constant = Rational.zero;
  const number = (field: string | undefined) => Rational.parse(field ?? "0");
  for (const line of text.split("\n")) {
    const [kind, first = "", second = "", ...rest] = line.split(" ");
    if (kind === "p") {
      if (second === "max") sense = "maximize";
      const isMixed = first === "mip";
      for (let i = 1; i <= Number(rest[0]); i++) {
        rows.set(String(i), { name: `row ${i}`, lower: Rational.zero, upper: Rational.zero, integer: false });
      }
      // What is left out: columns of a mixed program are binary, those of a linear one at least 0.
      for (let j = 1; j <= Number(rest[1]); j++) {
        const upper = isMixed ? Rational.one : null;
        columns.set(String(j), { name: `column ${j}`, lower: Rational.zero, upper, integer: isMixed });
      }
    } else if (kind === "i" || kind === "j") {
      const bounded = (kind === "i" ? rows : columns).get(first);
      const fields = [second, ...rest];
      if (bounded === undefined) continue;
      bounded.integer = kind === "j" && second === "i";
      if (kind === "j" && /^[ci]$/.test(second)) fields.shift();
      const sides = SIDES[fields[0] ?? ""];
      if (sides === undefined) continue;
      const [lower, upper] = sides;
      bounded.lower = lower === null ? null : number(fields[1 + lower]);
      bounded.upper = upper === null ? null : number(fields[1 + upper]);
    } else if (kind === "a") {
      const value = number(rest[0]);
      if (first === "0" && second === "0") constant = value;
      else terms.set(first, [...(terms.get(first) ?? []), [Number(second) - 1, value]]);
    } else if (kind === "n" && (first === "i" || first === "j")) {
      const named = (first === "i" ? rows : columns).get(second);
      if (named) named.name = rest.join(" ");
    }
  }
  return makeProgram({
    columns: [...columns.values()],
    rows: [...rows].map(([index, { name, lower, upper }]) => {
      return { name, lower, upper, form: linearForm(terms.get(index) ?? []) };
    }),
    objective: { sense, form: linearForm(terms.get("0") ?? []), constant },
  });
}

/** From here on a bound is none in HiGHS. */
const INFINITE = 1e20;

/** The program that HiGHS reads from a text, in a module of its own: some texts end it. */
async function readByHighs(text: string, format: "mps" | "lp"): Promise<Program> {
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
