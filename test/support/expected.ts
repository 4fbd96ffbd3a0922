import { readFileSync, writeFileSync } from "node:fs";
import type { BruteForceOptimum } from "./brute-force.js";

/** What stands beside an instance in `NAME.expected.json`. */
export interface Expected {
  /** Seconds: the double nearest to the optimum; `null` when there is no plan. */
  readonly objective: number | null;
  readonly status: "proved" | "infeasible";
}

export function expectedOf(optimum: BruteForceOptimum | null): Expected {
  return optimum === null
    ? { objective: null, status: "infeasible" }
    : { objective: optimum.seconds.toNumber(), status: "proved" };
}

/** `Kind` is what files of a folder have beside or instead of {@link Expected}'s. */
export function readExpected<Kind = Expected>(instanceFile: string): Kind {
  return JSON.parse(readFileSync(expectedFile(instanceFile), "utf8")) as Kind;
}

export function writeExpected<Kind = Expected>(instanceFile: string, expected: Kind): void {
  writeFileSync(expectedFile(instanceFile), `${JSON.stringify(expected, null, 2)}\n`);
}

function expectedFile(instanceFile: string): string {
  return instanceFile.replace(/\.yaml$/, ".expected.json");
}
