import { describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementChoice, PlacementProblem, PlacementTable } from "../../../models/table-placement/problem.js";
import { enumerateOptions } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { tablePlacementHeuristics } from "../../../src/problems/table-placement/methods/index.js";
import {
  greedyPerfPartitioner,
  memoryBalancedPartitioner,
  type Partitioner,
} from "../../../src/problems/table-placement/methods/torchrec/partitioners.js";
import {
  DEFAULT_PROPOSERS,
  type PlannerRun,
  runPlanner,
} from "../../../src/problems/table-placement/methods/torchrec/planner.js";
import {
  dynamicProgrammingProposer,
  greedyProposer,
  type Proposal,
  type Proposer,
  uniformProposer,
} from "../../../src/problems/table-placement/methods/torchrec/proposers.js";
import { searchSpace } from "../../../src/problems/table-placement/methods/torchrec/search-space.js";
import { recordedPlacements } from "./recorded.js";
import {
  type RecordedChoice,
  type RecordedPlan,
  recordedPartition,
  recordedPlacementRun,
  recordedSearch,
} from "./recorded-plans.js";

const byStorage = greedyPerfPartitioner({ sortBy: "storage" });

describe("partitions", () => {
  test.each<[string, Partitioner]>([
    ["partition_tw_balanced", byStorage],
    ["partition_tw_unbalanced", byStorage],
    ["partition_twrw_host", byStorage],
    ["partition_rw_uniform", byStorage],
    ["partition_oom", byStorage],
    ["partition_membal_diff", memoryBalancedPartitioner({ maxSearchCount: 10, tolerance: 100 })],
  ])("%s", (id, partition) => {
    const { problem, ranks } = recordedPartition(id);
    const space = searchSpace(problem, {});
    const placed = partition(space, space.tables.flat());
    const named = placed && Object.fromEntries(problem.tables.map(({ name }, table) => [name, placed[table]]));
    expect(named ?? "error").toEqual(ranks);
  });
});

describe("proposals", () => {
  test("greedy: the first five of two tables", () => {
    const { problem, expected } = recordedSearch<{ first5: RecordedChoice[][] }>("proposer_greedy_two_tables");
    expect(proposals(problem, greedyProposer("largestCost")).slice(0, 5)).toEqual(expected.first5.map(sorted));
  });

  test("uniform: one for each sharding type that three tables share", () => {
    const { problem, expected } = recordedSearch<{ proposals: RecordedChoice[][] }>("proposer_uniform_three_tables");
    expect(proposals(problem, uniformProposer)).toEqual(expected.proposals.map(sorted));
  });

  test("dynamic programming: the least HBM, then the one bin that three small tables reach", () => {
    const { problem, expected } = recordedSearch<{ proposals: RecordedChoice[][] }>("proposer_dp_three_tables");
    expect(proposals(problem, dynamicProgrammingProposer)).toEqual(expected.proposals.map(sorted));
  });
});

describe("plans of the planner's own tests", () => {
  test.each(["plan_tw_solution", "plan_fixed_absolute", "plan_fail_tw_only"])("%s", (id) => {
    const { problem, expected } = recordedSearch<RecordedPlan>(id);
    expectRun(problem, runPlanner(searchSpace(problem, {}), DEFAULT_PROPOSERS, byStorage), expected);
  });
});

describe("plans of the placement problems", () => {
  const withSpace = recordedPlacements.filter(({ space }) => space !== undefined).map(({ id }) => id);

  test.each(withSpace)("%s: rating, numbers of proposals and plans, and the ranks are the default planner's", (id) => {
    const { problem, byDefault } = recordedPlacementRun(id);
    expectRun(problem, runPlanner(searchSpace(problem, {}), DEFAULT_PROPOSERS, byStorage), byDefault);
  });

  test.each(["offload_w1", "one_host_4_all"])("%s: rating and proposals of the dynamic programming", (id) => {
    const { problem, byDynamicProgramming } = recordedPlacementRun(id);
    const run = runPlanner(searchSpace(problem, {}), [dynamicProgrammingProposer], byStorage);
    expectRun(problem, run, byDynamicProgramming as RecordedPlan);
  });

  test("scale_40x16, whose options were not recorded, with the times' phases", () => {
    const { problem, phases } = enumerated("scale_40x16");
    const run = runPlanner(searchSpace(problem, { phases }), DEFAULT_PROPOSERS, byStorage);
    expectRun(problem, run, recordedPlacementRun("scale_40x16").byDefault);
  });

  test("a problem without a plan is reported as none found", () => {
    for (const id of ["pack_feasible_missed", "pack_truly_infeasible"]) {
      expect(tablePlacementHeuristics["torchrec-greedy"](recordedPlacementRun(id).problem, { seed: 0 })).toEqual({
        kind: "none",
        reason: "its partitioner could not place its only proposal",
      });
    }
  });
});

function expectRun(problem: PlacementProblem, run: PlannerRun, expected: RecordedPlan): void {
  expect(run.proposals).toBe(expected.num_proposals);
  if (expected.num_plans !== undefined) expect(run.plans).toBe(expected.num_plans);
  if (expected.error) {
    expect(run.placement).toBeNull();
    return;
  }
  expect(run.rating).toBe(expected.perf_rating);
  const choices = run.placement?.choices as readonly PlacementChoice[];
  expect(evaluatePlacement(problem, { choices }).violations).toEqual([]);
  if (expected.plan) {
    const named = problem.tables.map(({ name, options }, t) => {
      const { option, devices } = choices[t] as PlacementChoice;
      const { shardingType, kernel } = options[option] as PlacementTable["options"][number];
      return [name, { sharding_type: shardingType, kernel, ranks: devices }];
    });
    expect(Object.fromEntries(named)).toEqual(expected.plan);
  }
}

function proposals(problem: PlacementProblem, proposer: Proposer): RecordedChoice[][] {
  const choice = ({ table, shardingType, kernel }: Proposal[number]): RecordedChoice => [
    problem.tables[table]?.name as string,
    shardingType,
    kernel,
  ];
  return Array.from(proposer(searchSpace(problem, {})), (proposal) => sorted(proposal.map(choice)));
}

/** By table: the order within a proposal was not asserted. */
function sorted(choices: readonly RecordedChoice[]): RecordedChoice[] {
  return [...choices].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A recorded problem with the options that our own cost model enumerates. */
function enumerated(id: string) {
  const recorded = recordedPlacements.find((one) => one.id === id);
  const options = enumerateOptions(readTorchrecProblem(recorded));
  const tables = new Map(options.map((list) => [list[0]?.table as string, list]));
  const { problem } = recordedPlacementRun(id);
  const phases = (table: number, option: number, shard: number) => {
    const perf = options[table]?.[option]?.shards[shard]?.perf;
    if (!perf) throw new Error(`no shard ${shard}`);
    return [perf.forwardCompute, perf.backwardCompute, perf.forwardComms, perf.backwardComms, perf.prefetchCompute];
  };
  return {
    problem: {
      ...problem,
      tables: problem.tables.map((table) => ({ ...table, options: tables.get(table.name) ?? [] })),
    },
    phases,
  };
}
