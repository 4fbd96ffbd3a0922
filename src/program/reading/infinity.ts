import { shown } from "../../errors/shown.js";
import type { Rational } from "../../exact/rational.js";
import { type Dialect, othersWhere, type ReadingRules, RULES, verb } from "./dialect.js";
import type { Notes } from "./notes.js";

/** Which of a dialect's two limits counts: that of columns' bounds, or that of rows' sides and ranges. */
export type InfinityLimit = "infiniteBound" | "infiniteSide";

/** Whether a number means an infinity in a dialect. */
export function isInfinite(rules: ReadingRules, limit: InfinityLimit, value: Rational): boolean {
  const least = rules[limit];
  return least !== null && value.absolute().compare(least) >= 0;
}

/** Notes a number that is infinite for some readers and finite for others. */
export function noteInfinity(
  notes: Notes,
  dialect: Dialect,
  limit: InfinityLimit,
  value: Rational,
  { text, line }: { readonly text: string; readonly line: number },
): void {
  // Almost every number is far below all limits.
  if (value.denominator !== 1n || value.numerator.toString().length < 20) return;
  const here = isInfinite(RULES[dialect], limit, value);
  const others = othersWhere((rules) => isInfinite(rules, limit, value) !== here);
  if (others === "") return;
  const [taken, else_] = here ? ["as infinite", "as a number"] : ["as a number", "as infinite"];
  notes.add(
    here ? "infinite-number" : "large-number",
    line,
    `${shown(text)} is taken ${taken}; ${others} ${verb(others, "take")} it ${else_}`,
  );
}
