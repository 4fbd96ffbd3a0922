import { gunzipSync } from "node:zlib";
import { InputError } from "../../errors/input-error.js";
import { firstDifference } from "../../program/difference.js";
import { negated, type Program, ProgramError } from "../../program/program.js";
import { readProgram } from "../../program/read-program.js";
import { RULES } from "../../program/reading/dialect.js";
import { runBeside } from "../native/run-program.js";
import { SolverError } from "../solver-error.js";
import { readGlpkFormat } from "./glpk-format.js";
import { readByHighs } from "./highs-file.js";

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
