import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { directProgram } from "../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { placementModel } from "../../../models/table-placement/from-instance.js";
import type { PlacementChoice, PlacementTable } from "../../../models/table-placement/problem.js";
import { readDocument } from "../../../src/instance/document.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { shardingPlan } from "../../../src/interop/torchrec/export-placement.js";
import { givenPlacement } from "../../../src/interop/torchrec/given-placement.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { importTorchrecProblem } from "../../../src/problems/table-placement/import-problem.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { tablePlacementHeuristics } from "../../../src/problems/table-placement/methods/index.js";

/**
 * Plans of TorchRec's own planner with grid shards of more column groups than hosts, which go round the hosts: one host (ten
 * groups on it), two, three (of which the first has two groups) and four. Origin in the file.
 */
interface Recorded {
  readonly rating: number;
  readonly plan: { readonly plan: Readonly<Record<string, Readonly<Record<string, object>>>> };
}
type GridCase = { readonly problem: { readonly id: string } } & Readonly<Record<Planner, Recorded>>;
type Planner = "default" | "memory-balanced" | "dp";

const { cases }: { cases: readonly GridCase[] } = JSON.parse(
  readFileSync(new URL("fixtures/grid-plans.json", import.meta.url), "utf8"),
);
const PLANNERS: readonly (readonly [Planner, "torchrec-greedy" | "torchrec-memory-balanced" | "torchrec-dp"])[] = [
  ["default", "torchrec-greedy"],
  ["memory-balanced", "torchrec-memory-balanced"],
  ["dp", "torchrec-dp"],
];

/** Where TorchRec writes no shards (data_parallel), ours says so. */
function withShards({ plan }: Recorded["plan"]) {
  const entries = (tables: (typeof plan)[string]) =>
    Object.entries(tables).map(([table, entry]) => [table, { shards: null, ...entry }]);
  return {
    plan: Object.fromEntries(Object.entries(plan).map(([m, tables]) => [m, Object.fromEntries(entries(tables))])),
  };
}

function modelOf(problem: GridCase["problem"]) {
  const file = importTorchrecProblem(JSON.stringify(problem), "problem.json");
  const instance = requireInstance(tablePlacementReader, parseInstance(JSON.stringify(file), "instance.json"));
  return { instance, model: placementModel(instance) };
}

describe.each(cases.map((one) => [one.problem.id, one] as const))("%s", (_id, recorded) => {
  const { instance, model } = modelOf(recorded.problem);
  const { problem } = model;
  const { gpusPerNode } = problem;

  test.each(PLANNERS)(
    "the plan of %s is one of the instance's, costs what TorchRec says, and is written as it was",
    (planner) => {
      const { rating, plan } = recorded[planner];
      const placement = givenPlacement(readDocument(JSON.stringify(plan), "plan.json"), instance, problem);
      const { largest, violations } = evaluatePlacement(problem, placement);
      expect(violations).toEqual([]);
      // TorchRec adds up in doubles.
      expect(Math.abs(largest.toNumber() / rating - 1)).toBeLessThan(1e-12);
      expect(shardingPlan({ instance, problem, placement, method: "given", status: "feasible" })).toMatchObject(
        withShards(plan),
      );
    },
  );

  test("its points of the program are the placements, and evaluate to them", () => {
    const { pointOf, recover, structure } = directProgram(problem);
    for (const [planner] of PLANNERS) {
      const placement = givenPlacement(readDocument(JSON.stringify(recorded[planner].plan), "p"), instance, problem);
      const point = pointOf(placement);
      const { largest, violations } = evaluatePlacement(problem, recover(point));
      expect(violations).toEqual([]);
      expect(largest.compare(evaluatePlacement(problem, placement).largest)).toBe(0);
      expect(structure.unit.multiply(point[structure.largest] as typeof largest).compare(largest)).toBe(0);
    }
  });

  test.each(PLANNERS)("%s is what our method of its name finds", (planner, method) => {
    const found = tablePlacementHeuristics[method](problem, { seed: 0, ...(model.phases && { phases: model.phases }) });
    if (found.kind !== "plan") throw new Error(found.reason);
    const { largest, violations } = evaluatePlacement(problem, found.placement);
    expect(violations).toEqual([]);
    expect(Math.abs(largest.toNumber() / recorded[planner].rating - 1)).toBeLessThan(1e-12);
  });

  test("groups go round the hosts, and a group that leaves its place is a violation", () => {
    const placements = PLANNERS.map(([planner]) =>
      givenPlacement(readDocument(JSON.stringify(recorded[planner].plan), "p"), instance, problem),
    );
    const wraps = ({ option, devices }: PlacementChoice, t: number) =>
      (problem.tables[t] as PlacementTable).options[option]?.shardingType === "grid_shard" &&
      devices.length > problem.nodes * gpusPerNode;
    const placement = placements.find(({ choices }) => choices.some(wraps));
    expect(placement).toBeDefined();
    if (placement === undefined || problem.nodes === 1) return;
    const t = placement.choices.findIndex(wraps);
    const { option, devices } = placement.choices[t] as PlacementChoice;
    const last = Array.from(devices.slice(-gpusPerNode), (d) => (d + gpusPerNode) % (problem.nodes * gpusPerNode));
    const moved = { option, devices: [...devices.slice(0, -gpusPerNode), ...last] };
    const choices = placement.choices.map((choice, index) => (index === t ? moved : choice));
    const { violations } = evaluatePlacement(problem, { choices });
    expect(violations.join()).toMatch(/group \d+ of grid_shard belongs on node \d+, as group \d+ does, it is on \d+/);
  });
});
