import { describe, expect, test } from "vitest";
import type { TablePlacementPlan } from "../../src/problems/table-placement/plan-file/plan-file.js";
import { planPreparedPlacement, preparePlacement } from "../../src/problems/table-placement/solve/plan.js";
import type { PreparedPlacement } from "../../src/problems/table-placement/solve/prepared.js";
import { expectRecomputed } from "../independent/recompute.js";
import { someOf } from "../support/draws.js";
import { readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";

/** What stands beside a published model; values and bounds in the unit of its costs. */
type PublishedExpected = ProvedExpected | OpenExpected | HeuristicExpected;

/** The optimum, proved in seconds. */
interface ProvedExpected {
  readonly status: "proved";
  readonly objective: number;
}

/** The best plan and the best bound known, from runs of minutes, and a gap that is proved in seconds. */
interface OpenExpected {
  readonly status: "feasible";
  readonly objective: number;
  readonly bound: number;
  readonly gap: number;
}

/** What a published method gives where a run of seconds proves little, and the best bound known. */
interface HeuristicExpected {
  readonly status: "heuristic";
  readonly method: string;
  readonly objective: number;
  readonly bound: number;
}

const files = instanceFiles(["paper", "public"], "table-placement");
const withExpected = files.map((file) => [file, readExpected<PublishedExpected>(file)] as const);

function having<Status extends PublishedExpected["status"]>(status: Status) {
  type Found = readonly [file: string, expected: Extract<PublishedExpected, { readonly status: Status }>];
  const found = withExpected.filter(([, expected]) => expected.status === status) as unknown as Found[];
  expect(found.length).toBeGreaterThan(0);
  return found;
}

/** Reads an instance, which must say its source and licence, and whose tables' least needs must fit together. */
async function prepared(file: string): Promise<PreparedPlacement> {
  const placement = await preparePlacement(file);
  const { instance, model } = placement;
  expect(file).toContain(`/${instance.name}.yaml`);
  expect(instance.source).toMatch(/(\(|, )(MIT|Apache-2\.0)\)/);
  const { tables, hbmBytes } = model.problem;
  const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const least = tables.map(({ options }) =>
    Math.min(...options.map(({ shards }) => total(shards.map((shard) => shard.hbmBytes)))),
  );
  expect(total(least)).toBeLessThanOrEqual(total(hbmBytes));
  return placement;
}

// Every commit tries some; UPDATE_EXPECTED=1 takes values and bounds that are better than those that stand there.
function record<Kind extends PublishedExpected>(file: string, better: Kind): void {
  if (process.env.UPDATE_EXPECTED === "1") writeExpected(file, better);
}

describe("proved", () => {
  test.each(someOf(having("proved"), 4))("%s", async (file, expected) => {
    const plan = await planPreparedPlacement(await prepared(file));
    expectRecomputed(file, plan);
    const { status, objective } = plan;
    record(file, { ...expected, objective: objective.value as number });
    expect({ status, objective: objective.value }).toEqual(expected);
  });
});

describe("plans and bounds that agree with those of longer runs", () => {
  test.each(someOf(having("feasible"), 2))("%s", async (file, expected) => {
    // The search ends at the gap: the limit is far beyond what it needs, so that a busy machine changes nothing.
    const placement = await prepared(file);
    // With goals in order, each has a part of the time.
    const timeLimitSeconds = placement.instance.goals === undefined ? 50 : 300;
    const plan = await planPreparedPlacement(placement, { gap: expected.gap, timeLimitSeconds });
    expectRecomputed(file, plan);
    const [value, bound] = valueAndBound(plan);
    record(file, {
      ...expected,
      objective: Math.min(value, expected.objective),
      bound: Math.max(bound, expected.bound),
    });
    // No plan is below a bound that was proved, whoever found which.
    expect(value).toBeGreaterThanOrEqual(expected.bound);
    expect(bound).toBeLessThanOrEqual(expected.objective);
    expect((value - bound) / value).toBeLessThanOrEqual(expected.gap);
    for (const { gap } of plan.stages ?? []) expect(gap).toBeLessThanOrEqual(expected.gap);
  });
});

describe("published methods on the large ones", () => {
  test.each(someOf(having("heuristic"), 2))("%s", async (file, expected) => {
    const plan = await planPreparedPlacement(await prepared(file), { method: expected.method });
    expectRecomputed(file, plan);
    const { objective } = plan;
    record(file, { ...expected, objective: objective.value as number });
    expect(objective.value).toBe(expected.objective);
    expect(objective.value).toBeGreaterThanOrEqual(expected.bound);
  });
});

/** Of the first goal where there are several: the plan itself may have more of it, as far as that is allowed. */
function valueAndBound({ objective, stages }: TablePlacementPlan): readonly [value: number, bound: number] {
  const [first] = stages ?? [];
  const [value, bound] = first === undefined ? [objective.value, objective.bound] : [first.best, first.bound];
  expect(value).not.toBeNull();
  expect(bound).not.toBeNull();
  return [value as number, bound as number];
}
