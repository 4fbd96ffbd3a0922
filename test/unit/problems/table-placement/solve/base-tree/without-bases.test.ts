import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import {
  type Decision,
  LimitDecision,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-search.js";
import { aggregatedBound } from "../../../../../../src/problems/table-placement/solve/bounds/aggregated-bound.js";
import { Prober } from "../../../../../../src/problems/table-placement/solve/bounds/prober.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { Work } from "../../../../../../src/search/work.js";

/** Two tables to a device, six options each, none with a shard on every device, and tight memory. */
const problem = lognormalPlacement(12, 6, 6, 2);
const direct = directProgram(problem);
/** What is known of all devices together. */
const pooled = aggregatedBound(problem, direct).claim?.toNumber() as number;

async function relaxed(claim: number): Promise<{ readonly answer: Decision; readonly nodes: number }> {
  const work = new Work(() => false, 20_000);
  const decision = await LimitDecision.open(problem, direct, claim, {
    ...{ seed: 0, work, affordsChecking: () => true, spent: { all: 0, rounding: 0, inVain: 0 } },
    ...{ memoryBinds: true, prober: new Prober(direct), beside: null, offer: () => false, mayBranch: false },
  });
  if (!(decision instanceof LimitDecision)) throw new TypeError("expected a tree");
  const answer = await decision.run(work.slice(20_000));
  decision.dispose();
  return { answer, nodes: decision.nodes };
}

test("a program without bases has no rows of them, but for those that leave a device one option of a table", () => {
  const { bases } = direct.structure;
  expect(bases).toHaveLength(1);
  expect(bases[0]?.load.counted).toBeNull();
  expect(direct.program.rows.filter(({ name }) => /^(base|over|spare)_/.test(name))).toEqual([]);
});

test("one relaxation refutes a limit above the bound of all devices together, and its proof is checked", async () => {
  const claim = 1.03 * pooled;
  const { answer, nodes } = await relaxed(claim);
  expect([answer.kind, nodes]).toEqual(["refuted", 1]);
  if (answer.kind !== "refuted") return;
  const certificate = {
    ...{ format: "shardproof-certificate 1" as const, program: programHash(direct.program), steps: answer.proof.steps },
    claim: { kind: "bound" as const, bound: String(answer.proof.claim) },
  };
  expect(checkCertificate(direct.program, certificate).bound?.toNumber()).toBeCloseTo(claim, 9);
});

test("a limit that the relaxation leaves open is left at once", async () => {
  const { answer, nodes } = await relaxed(1.06 * pooled);
  expect([answer.kind, nodes]).toEqual(["stuck", 1]);
});
