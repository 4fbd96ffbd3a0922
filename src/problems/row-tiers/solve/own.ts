import { received } from "../../../instance/findings.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import { TIERS, type Tier } from "../../../instance/types/row-tiers.js";
import { evaluateLadder } from "../../../program/ladder/evaluate.js";
import { describedEvaluation, type Evaluation } from "../../evaluation.js";
import { copyOf, fieldsIn, listIn, type OwnDeciding } from "../../own-method.js";
import type { PreparedRowTiers } from "./plan.js";

const RUNS = 'for each table its runs of rows from the hottest on, such as [{rows: 10, tier: "row_wise"}]';

/** Methods of one's own for row tiers. */
export const ownRows: OwnDeciding<PreparedRowTiers, Assignment> = {
  given: ({ access, model }) => ({ tables: copyOf(access), budgetBytes: model.budgetBytes.toNumber() }),
  decisionIn: (written) =>
    listIn(written, RUNS).map((runs, table) => listIn(runs, RUNS).map((run) => runIn(run, table))),
};

function runIn(written: unknown, table: number): Run {
  const of = `for the table at index ${table}`;
  const { rows, tier } = fieldsIn(written, `{rows, tier} ${of}`);
  if (!Number.isSafeInteger(rows) || (rows as number) < 0) {
    throw new RangeError(`expected a whole number of rows ${of}, received ${received(rows)}`);
  }
  if (!(TIERS as readonly unknown[]).includes(tier)) {
    throw new RangeError(`expected a tier of ${TIERS.join(", ")} ${of}, received ${received(tier)}`);
  }
  return { rows: rows as number, tier: tier as Tier };
}

/** Runs of rows of each table from the hottest to the coldest. Throws `AssignmentError` where they hold other rows. */
export function evaluateRows({ model }: PreparedRowTiers, decision: Assignment): Evaluation {
  const { objective, violations } = evaluateLadder(model.ladder, model.pointOf(decision));
  const words = violations.map(({ name, amount }) => `${name} is exceeded by ${amount.toNumber()}`);
  return describedEvaluation(objective, words);
}
