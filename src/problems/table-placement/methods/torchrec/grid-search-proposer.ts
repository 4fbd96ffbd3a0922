import { byScore, type Proposer } from "./proposer.js";
import type { SpaceOption } from "./search-space.js";

/** planner/proposers.py, `MAX_PROPOSALS`. */
const MAX_PROPOSALS = 10_000;

/**
 * Every combination of options, the last table's turning fastest, or nothing where there are more than 10,000
 * (planner/proposers.py, `GridSearchProposer`).
 */
export const gridSearchProposer: Proposer = function* ({ tables }) {
  const sorted = tables.map((options) => byScore(options, "largestCost"));
  if (sorted.reduce((product, { length }) => product * length, 1) > MAX_PROPOSALS) return;
  const digits = sorted.map(() => 0);
  for (;;) {
    yield digits.map((digit, table) => sorted[table]?.[digit] as SpaceOption);
    let table = digits.length - 1;
    while (table >= 0 && digits[table] === (sorted[table] as readonly SpaceOption[]).length - 1) digits[table--] = 0;
    if (table < 0) return;
    digits[table] = (digits[table] as number) + 1;
  }
};
