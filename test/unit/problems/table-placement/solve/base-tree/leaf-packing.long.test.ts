import { expect, test } from "vitest";
import { drawnPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../../../models/table-placement/restriction.js";
import { LimitDecision } from "../../../../../../src/problems/table-placement/solve/base-tree/base-search.js";
import type { BoundProof } from "../../../../../../src/problems/table-placement/solve/bounds/bound-proof.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { Work } from "../../../../../../src/search/work.js";

/** Tables of one shard each on three devices, but for the first, which has all its options: what is decided last is where they go. */
function mostlyWhole(seed: number): PlacementProblem {
  const problem = drawnPlacement({ tables: 24, nodes: 1, gpus: 3, seed });
  const isLeft = problem.tables.map(({ options }, t) => options.map(({ shards }) => t === 0 || shards.length === 1));
  return withFewerOptions(problem, isLeft).problem;
}

/** Lower and lower limits, from one that is kept, until one is refuted. */
async function least(problem: PlacementProblem): Promise<{ readonly best: number; readonly proof: BoundProof }> {
  const direct = directProgram(problem);
  const work = new Work(() => false, 20_000);
  const options = {
    ...{ work, affordsChecking: () => true, memoryBinds: false, beside: null },
  };
  const [unit] = problem.tables.map(({ options: own }) => own[0]?.shards[0]?.cost as number);
  let best = 1000 * (unit as number);
  for (;;) {
    const decision = await LimitDecision.open(problem, direct, best * (1 - 1e-9), options);
    if (!(decision instanceof LimitDecision)) throw new TypeError("expected a tree");
    const answer = await decision.run(work.slice(20_000));
    decision.dispose();
    if (answer.kind === "refuted") return { best, proof: answer.proof };
    if (answer.kind !== "found") throw new TypeError(`expected an answer, received ${answer.kind}`);
    const { objective, violations } = evaluatePlacement(problem, answer.placement);
    expect(violations).toEqual([]);
    expect(objective.toNumber()).toBeLessThan(best);
    best = objective.toNumber();
  }
}

test.each([10, 11, 21])(
  "where no options are left ways to fill devices prove the best placement, draw %i",
  async (seed) => {
    const problem = mostlyWhole(seed);
    const { best, proof } = await least(problem);
    const { program } = directProgram(problem);
    expect(proof.steps.some((step) => "pack" in step)).toBe(true);
    const certificate = {
      ...{ format: "shardproof-certificate 1" as const, program: programHash(program), steps: proof.steps },
      claim: { kind: "bound" as const, bound: String(proof.claim) },
    };
    const { bound } = checkCertificate(program, certificate);
    expect(bound?.toNumber()).toBeCloseTo(best, 6);
  },
);
