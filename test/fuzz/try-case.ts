import { solveExactly } from "../../src/optimize/exact-milp/solve-exactly.js";
import { evaluate } from "../../src/program/evaluate.js";
import { writeLp } from "../../src/program/lp/write.js";
import type { Case } from "./case.js";
import { seekBetter } from "./oracle/better-point.js";

/** What came of one program. `unconfirmed`: proved, and the witness ran out of nodes before it could contradict. */
export interface Outcome {
  readonly kind: "proved" | "infeasible" | "unfinished" | "wrong";
  readonly unconfirmed: boolean;
  /** For a wrong answer: what was said and what is true, with the program. */
  readonly report: string;
}

const MOST_WITNESS_NODES = 20_000;

/** Solves a program to gap 0 and confronts the answer with its witness. */
export async function tryCase({ program, witness }: Case, timeLimitSeconds: number): Promise<Outcome> {
  let said = "";
  const wrong = (why: string): Outcome => ({
    kind: "wrong",
    unconfirmed: false,
    report: `${said}: ${why}\n${writeLp(program)}`,
  });
  // An error is a wrong answer too: most of all a certificate of ours that our checker refuses.
  const solution = await solveExactly(program, { timeLimitSeconds }).catch((error: unknown) => String(error));
  if (typeof solution === "string") return wrong(solution);
  const { verdict, point } = solution;
  said = `${verdict?.status} ${verdict?.value}`;
  if (verdict === null || verdict.status === "feasible") return { kind: "unfinished", unconfirmed: false, report: "" };
  const { status, value, bound } = verdict;
  if (status === "proved") {
    if (value === null || bound === null || point === null) return wrong("proved without a point or a bound");
    const evaluation = evaluate(program, point);
    if (evaluation.violations.length > 0) return wrong("the point is not feasible");
    if (!evaluation.objective.equals(value)) return wrong(`the point's objective is ${evaluation.objective}`);
    if (!bound.equals(value)) return wrong(`gap 0 was asked for, the bound is ${bound}`);
  }
  if (witness.kind === "truth") {
    const { truth } = witness;
    if (truth.status === "infeasible") {
      if (status !== "infeasible") return wrong("the program is infeasible");
    } else if (value === null || !truth.value.equals(value)) return wrong(`the optimum is ${truth.value}`);
    return { kind: status, unconfirmed: false, report: "" };
  }
  const found = seekBetter(program, value, MOST_WITNESS_NODES);
  if (found === "unknown" || found === null) return { kind: status, unconfirmed: found !== null, report: "" };
  return wrong(`this point is better: ${found.join(", ")}`);
}
