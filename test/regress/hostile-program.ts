import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { evaluate } from "../../src/program/evaluate.js";
import { readLp } from "../../src/program/lp/read.js";
import { contradictions } from "../../src/search/exact-milp/claims.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";
import type { Claim } from "../../src/solvers/claim.js";
import { seekBetter } from "../fuzz/oracle/better-point.js";

/** What a solver once said of a program; kept as it was said, whatever later versions say. */
export interface WrongClaim {
  readonly solver: string;
  readonly status: "optimal" | "infeasible";
  readonly value?: number;
}

/** A program of instances/hostile/programs that was once answered wrongly: by us, or by the solver whose claim is given. */
export function regress(name: string, wrong?: WrongClaim): void {
  describe(name, () => {
    const file = `instances/hostile/programs/${name}.lp`;
    const program = readLp(readFileSync(file, "utf8"), file);
    const expected = JSON.parse(readFileSync(file.replace(/\.lp$/, ".expected.json"), "utf8")) as {
      objective: string;
      status: string;
    };
    const objective = Rational.parse(expected.objective);

    test("the exact method is right", async () => {
      const { verdict, point } = await solveExactly(program);
      expect(verdict?.status).toBe(expected.status);
      expect([verdict?.value, verdict?.bound].map(String)).toEqual([expected.objective, expected.objective]);
      expect(evaluate(program, point ?? []).violations).toEqual([]);
    });

    test("so is the witness: nothing is better", () => {
      expect(seekBetter(program, objective, 200_000)).toBeNull();
    });

    if (wrong === undefined) return;
    test("the solver's claim is named as a contradiction", () => {
      const { solver, status, value } = wrong;
      const claim: Claim = { solver, status, seconds: 0, ...(value === undefined ? {} : { primalBound: value }) };
      expect(contradictions(program, [{ solver, claim }], objective, objective)).toHaveLength(1);
    });
  });
}
