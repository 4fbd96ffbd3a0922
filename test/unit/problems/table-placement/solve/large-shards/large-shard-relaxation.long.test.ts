import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { type DirectProgram, directProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { baseModel } from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import { aggregatedBound } from "../../../../../../src/problems/table-placement/solve/bounds/aggregated-bound.js";
import { distinctOptions } from "../../../../../../src/problems/table-placement/solve/bounds/reduction.js";
import {
  LargeShardRelaxation,
  type LimitAnswer,
} from "../../../../../../src/problems/table-placement/solve/large-shards/large-shard-relaxation.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { Work } from "../../../../../../src/search/work.js";
import { testInTurn } from "../../../../../support/draws.js";

interface Asked {
  readonly problem: PlacementProblem;
  readonly direct: DirectProgram;
  readonly size: number;
}

/** What limits come to, one after the other with the patterns of those before. */
async function decided({ problem, direct, size }: Asked, claims: readonly number[]): Promise<LimitAnswer[]> {
  const limit = Math.max(...claims);
  const model = baseModel(problem, direct, distinctOptions(problem), limit);
  if (model === null) throw new TypeError("expected a model");
  const options = { beside: null, size, limit, patterns: [] };
  const relaxation = await LargeShardRelaxation.open(problem, direct, model, options);
  const answers: LimitAnswer[] = [];
  for (const claim of claims) answers.push(await relaxation.decide(claim, new Work().slice(20_000)));
  relaxation.dispose();
  return answers;
}

/** The bound that the checker finds proved. */
function boundOf({ program }: DirectProgram, answer: LimitAnswer | undefined): number | undefined {
  if (answer?.kind !== "refuted") return undefined;
  const certificate = {
    ...{ format: "shardproof-certificate 1" as const, program: programHash(program), steps: answer.proof.steps },
    claim: { kind: "bound" as const, bound: String(answer.proof.claim) },
  };
  return checkCertificate(program, certificate).bound?.toNumber();
}

function pooledBound(problem: PlacementProblem, direct: DirectProgram): number {
  return aggregatedBound(problem, direct).claim?.toNumber() as number;
}

test("a limit above the bound of all devices together is refuted, with large shards of any size, and its proof is checked", async () => {
  const problem = lognormalPlacement(12, 6, 6, 2);
  const direct = directProgram(problem);
  const claim = 1.02 * pooledBound(problem, direct);
  for (const size of [0, 0.1, 0.3]) {
    const [answer] = await decided({ problem, direct, size }, [claim]);
    expect(boundOf(direct, answer), `size ${size}`).toBeCloseTo(claim, 9);
  }
});

test("the more shards are large, the higher are the limits that are refuted", async () => {
  const problem = lognormalPlacement(20, 8, 8, 1);
  const direct = directProgram(problem);
  const pooled = pooledBound(problem, direct);
  const claims = [1.002, 1.005, 1.01, 1.02, 1.03].map((part) => part * pooled);
  const refuted = async (size: number) => {
    const answers = await decided({ problem, direct, size }, claims);
    expect(answers.map(({ kind }) => kind === "refuted").lastIndexOf(true), `size ${size}`).toBe(
      answers.filter(({ kind }) => kind === "refuted").length - 1,
    );
    return answers.filter((answer) => boundOf(direct, answer) !== undefined).length;
  };
  const [none, few, more] = [await refuted(2), await refuted(0.3), await refuted(0.1)];
  expect(few).toBeGreaterThan(none);
  expect(more).toBeGreaterThan(few);
});

testInTurn("no limit above a placement is refuted", async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const problem = lognormalPlacement(10 + seed, 4, 5, seed);
    const { placement, largest } = searchPlacement(problem, { seed, maxRounds: 20 });
    if (placement === null) continue;
    const direct = directProgram(problem);
    for (const size of [0.05, 0.25]) {
      const [answer] = await decided({ problem, direct, size }, [largest * (1 + 1e-6)]);
      expect(answer?.kind, `seed ${seed}, size ${size}`).not.toBe("refuted");
    }
  }
});

test("told to stop, it goes on from the patterns that it had", async () => {
  const problem = lognormalPlacement(20, 8, 8, 1);
  const direct = directProgram(problem);
  const claim = 1.02 * pooledBound(problem, direct);
  const model = baseModel(problem, direct, distinctOptions(problem), claim);
  if (model === null) throw new TypeError("expected a model");
  const options = { beside: null, size: 0.1, limit: claim, patterns: [] };
  const relaxation = await LargeShardRelaxation.open(problem, direct, model, options);
  const work = new Work();
  const kinds: string[] = [];
  while (kinds.at(-1) !== "refuted" && kinds.length < 200) {
    kinds.push((await relaxation.decide(claim, work.slice(1))).kind);
  }
  relaxation.dispose();
  expect(kinds.length).toBeGreaterThan(2);
  expect(kinds.at(-1)).toBe("refuted");
  expect(new Set(kinds.slice(0, -1))).toEqual(new Set(["stopped"]));
});
