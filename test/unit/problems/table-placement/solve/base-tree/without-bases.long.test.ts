import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import {
  type Begun,
  type Decision,
  LimitDecision,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-search.js";
import { aggregatedBound } from "../../../../../../src/problems/table-placement/solve/bounds/aggregated-bound.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { Work } from "../../../../../../src/search/work.js";

/** Two tables to a device, six options each, none with a shard on every device, and tight memory. */
const problem = lognormalPlacement(12, 6, 6, 2);
const direct = directProgram(problem);
/** What is known of all devices together. */
const pooled = aggregatedBound(problem, direct).claim?.toNumber() as number;

interface Relaxed {
  readonly answer: Decision;
  readonly nodes: number;
  readonly units: number;
  readonly next: Begun;
}

async function relaxed(claim: number, begun: Begun | null = null, of = { problem, direct }): Promise<Relaxed> {
  const work = new Work(() => false, 20_000);
  const options = {
    ...{ work, affordsChecking: () => true, memoryBinds: true, beside: null, mayBranch: false },
  };
  const decision = await LimitDecision.open(of.problem, of.direct, claim, options, begun);
  if (!(decision instanceof LimitDecision)) throw new TypeError("expected a tree");
  const answer = await decision.run(work.slice(20_000));
  const next = decision.relaxed();
  decision.dispose();
  return { answer, nodes: decision.nodes, units: decision.units, next };
}

/** The bound that the checker finds proved. */
function boundOf(answer: Decision, { program } = direct): number | undefined {
  if (answer.kind !== "refuted") return undefined;
  const certificate = {
    ...{ format: "shardproof-certificate 1" as const, program: programHash(program), steps: answer.proof.steps },
    claim: { kind: "bound" as const, bound: String(answer.proof.claim) },
  };
  return checkCertificate(program, certificate).bound?.toNumber();
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
  expect(boundOf(answer)).toBeCloseTo(claim, 9);
});

test("a limit that the relaxation leaves open is left at once", async () => {
  const { answer, nodes } = await relaxed(1.06 * pooled);
  expect([answer.kind, nodes]).toEqual(["stuck", 1]);
});

test("one that begins with the patterns of another limit comes to the same, sooner, upwards and downwards", async () => {
  const [low, high] = [await relaxed(1.03 * pooled), await relaxed(1.06 * pooled)];
  const [up, down] = [await relaxed(1.06 * pooled, low.next), await relaxed(1.03 * pooled, high.next)];
  expect([up.answer.kind, down.answer.kind]).toEqual(["stuck", "refuted"]);
  expect(boundOf(down.answer)).toBeCloseTo(1.03 * pooled, 9);
  expect(up.units).toBeLessThan(high.units);
  expect(down.units).toBeLessThan(low.units);
});

test("two hosts without bases are in no order, and their relaxation's proof is checked too", async () => {
  const apart = { ...problem, nodes: 2, gpusPerNode: 3 };
  const program = directProgram(apart);
  expect(program.structure.bases.map(({ next, load }) => [next, load.counted])).toEqual([
    [null, null],
    [null, null],
  ]);
  const { answer } = await relaxed(1.03 * pooled, null, { problem: apart, direct: program });
  expect(boundOf(answer, program)).toBeCloseTo(1.03 * pooled, 9);
});
