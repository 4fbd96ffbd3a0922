import { Rational } from "../exact/rational.js";
import type { Column, Program, Row } from "./program.js";

/** How many rows and columns of each kind a program has, so that one who knows the model sees a misreading. */
export interface ProgramContents {
  /** By sense. `range`: two different finite sides; `free`: none. */
  readonly rows: Readonly<Record<"atMost" | "atLeast" | "equal" | "range" | "free", number>>;
  /** Rows with a finite side other than 0. */
  readonly rightHandSides: number;
  /** `binary`: integers in [0, 1]; `integer`: all others. */
  readonly columns: Readonly<Record<"continuous" | "integer" | "binary", number>>;
  /** Of those that are not binary: `fixed` at one value, `free` on both sides, `other` for all but [0, infinity). */
  readonly bounds: Readonly<Record<"fixed" | "free" | "other", number>>;
}

/** Counts what a program holds. */
export function contentsOf({ rows, columns }: Program): ProgramContents {
  const ofRows = (kind: keyof ProgramContents["rows"]) => rows.filter((row) => senseOf(row) === kind).length;
  const integers = columns.filter(({ integer }) => integer).length;
  const general = columns.filter((column) => !isBinary(column));
  const binary = columns.length - general.length;
  const fixed = general.filter(({ lower, upper }) => lower !== null && upper?.equals(lower) === true).length;
  const free = general.filter(({ lower, upper }) => lower === null && upper === null).length;
  const other = general.filter(({ lower, upper }) => lower?.sign() !== 0 || upper !== null).length - fixed - free;
  return {
    rows: {
      atMost: ofRows("atMost"),
      atLeast: ofRows("atLeast"),
      equal: ofRows("equal"),
      range: ofRows("range"),
      free: ofRows("free"),
    },
    rightHandSides: rows.filter(({ lower, upper }) => [lower, upper].some((side) => (side?.sign() ?? 0) !== 0)).length,
    columns: { continuous: columns.length - integers, integer: integers - binary, binary },
    bounds: { fixed, free, other },
  };
}

function senseOf({ lower, upper }: Row): keyof ProgramContents["rows"] {
  if (lower === null) return upper === null ? "free" : "atMost";
  if (upper === null) return "atLeast";
  return lower.equals(upper) ? "equal" : "range";
}

function isBinary({ integer, lower, upper }: Column): boolean {
  return integer && lower?.sign() === 0 && upper?.equals(Rational.one) === true;
}
