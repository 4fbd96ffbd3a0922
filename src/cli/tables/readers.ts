import { InvalidArgumentError } from "commander";
import { amountIn, type Dimension } from "../../input/amount.js";
import type { ProgramFormat } from "../../program/read-program.js";
import { DIALECTS, type Dialect } from "../../program/reading/dialect.js";

/** The general solvers that can be asked. */
export const SOLVERS = ["highs", "glpk", "native:cbc", "native:glpsol"] as const;

/** Them, as help names them. */
export const SOLVERS_TEXT = `${SOLVERS.slice(0, -1).join(", ")} or ${SOLVERS.at(-1)}`;

/** What help says of the limit on memory. */
export const MEMORY_LIMIT_TEXT =
  "stop with the best proved near this memory, e.g. 4GiB (default: 3/4 of the machine's)";

/** The options that the solving commands share. */
export const SOLVING = {
  "--solver <name>": `also ask a general solver and compare: ${SOLVERS_TEXT}`,
  "--gap <gap>": ["relative gap to prove, below 1 (default: 1e-9; 0: the exact optimum)", relativeGap],
  "--time-limit <seconds>": [
    "of the whole command, reading and checking included: then the best proved so far (default: 60)",
    seconds,
  ],
  "--memory-limit <bytes>": [MEMORY_LIMIT_TEXT, memoryBytes],
  "--seed <n>": ["seed of the random numbers of solvers (default: 0)", wholeNumber],
  "--json": "machine-readable result on standard output",
  "--quiet": "no progress and no warnings",
} as const;

/** The format of a model's file. */
export function programFormat(text: string): ProgramFormat {
  if (text === "mps" || text === "lp") return text;
  throw new InvalidArgumentError("Expected mps or lp.");
}

/** The readers whose rules can be followed, as help names them. */
export const DIALECTS_TEXT = `${DIALECTS.slice(0, -1).join(", ")} or ${DIALECTS.at(-1)}`;

/** The reader whose rules are followed. */
export function dialect(text: string): Dialect {
  const found = DIALECTS.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Expected ${DIALECTS_TEXT}.`);
}

/** A number from 0 on, below 1; or in per cent, `5%`. */
export function relativeGap(text: string): number {
  const said = "a number of at least 0 and below 1, or per cent as in 5%";
  return amount(text, "shares", said, (value) => value >= 0 && value < 1);
}

/** Seconds above 0; or with their unit: `10s`, `2min`. */
export function seconds(text: string): number {
  return amount(
    text,
    "seconds",
    "a number above 0, in seconds or with its unit as in 10s or 2min",
    (value) => value > 0,
  );
}

/** Bytes, of which there is at least one: `2e9`, `500MB`, `1.5 GiB`. Parts of one are left out. */
export function memoryBytes(text: string): number {
  return Math.floor(amount(text, "bytes", "bytes, such as 2e9 or 2GiB", (value) => value >= 1));
}

function amount(text: string, dimension: Dimension, said: string, isRight: (value: number) => boolean): number {
  let wrong = "";
  try {
    const value = amountIn(text, dimension).toNumber();
    if (isRight(value) && Number.isFinite(value)) return value;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    wrong = `; ${error.message}`;
  }
  throw new InvalidArgumentError(`Expected ${said}${wrong}.`);
}

/** An integer from 0 on, below 2^31. */
export function wholeNumber(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 31) {
    throw new InvalidArgumentError("Expected an integer from 0 up to 2147483647.");
  }
  return value;
}

/** A whole number of which there is at least one. */
export function countingNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("Expected an integer of at least 1.");
  return value;
}

/** Budgets of a frontier: none, or from two on. */
export function frontierPoints(text: string): number {
  const value = wholeNumber(text);
  if (value === 1 || value > 10_000) throw new InvalidArgumentError("Expected 0, or from 2 to 10000.");
  return value;
}
