import type { Rational } from "../../../src/exact/rational.js";

/** What is true of a program: its optimum, or that it has no feasible point. */
export type Truth = { readonly status: "optimal"; readonly value: Rational } | { readonly status: "infeasible" };

/** Keeps the better of two objectives, in the program's own sense. */
export function better(sense: "minimize" | "maximize", value: Rational, than: Rational | null): boolean {
  if (than === null) return true;
  return sense === "minimize" ? value.compare(than) < 0 : value.compare(than) > 0;
}

export function truthOf(value: Rational | null): Truth {
  return value === null ? { status: "infeasible" } : { status: "optimal", value };
}
