import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import {
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../../../src/problems/table-placement/methods/index.js";

/** Recorded runs of NeuroShard's greedy sharders; source and licence are in the file. */
interface Recorded {
  readonly maxMemoryGib: number;
  readonly tables: readonly (readonly [rows: number, poolingFactor: number])[];
  readonly tasks: readonly { readonly tables: readonly number[]; readonly dims: readonly number[] }[];
  readonly plans: Readonly<Record<string, readonly string[]>>;
}

const recorded: Recorded = JSON.parse(readFileSync(new URL("fixtures/greedy-plans.json", import.meta.url), "utf8"));

describe.each([
  ["size_greedy_4", "size-greedy", 4],
  ["lookup_greedy_4", "lookup-greedy", 4],
  ["dim_greedy_8", "dim-greedy", 8],
  ["size_lookup_greedy_16", "size-lookup-greedy", 16],
] as const)("%s", (key, method, devices) => {
  test("gives exactly the recorded plans of all 100 tasks", () => {
    const plans = recorded.tasks.map((_, task) => planOf(method, task, devices));
    expect(plans).toHaveLength(100);
    expect(plans).toEqual(recorded.plans[key]);
  });
});

/** The device of each table as a hexadecimal digit. */
function planOf(method: TablePlacementHeuristicName, task: number, devices: number): string {
  const tables = tablesOf(task);
  const problem: PlacementProblem = {
    name: `task ${task}`,
    nodes: 1,
    gpusPerNode: devices,
    hbmBytes: Array.from({ length: devices }, () => recorded.maxMemoryGib * 2 ** 30),
    hostBytes: null,
    hostIsPooled: false,
    // What the tables cost is nothing to these methods.
    tables: tables.map(({ name, features: { rows, dim } }) => ({
      name,
      devices: null,
      options: [
        {
          shardingType: "table_wise",
          kernel: "fused",
          partitionBy: "device",
          shards: [{ cost: 1, hbmBytes: rows * dim * 4, hostBytes: 0 }],
        },
      ],
    })),
    together: [],
    apart: [],
  };
  const result = tablePlacementHeuristics[method](problem, { seed: 0, instance: { tables } });
  if (result.kind !== "plan") return `${result.kind}: ${result.reason}`;
  return result.placement.choices.map((choice) => (choice.devices[0] as number).toString(16)).join("");
}

function tablesOf(task: number) {
  const { tables, dims } = recorded.tasks[task] as Recorded["tasks"][number];
  return tables.map((number, index) => {
    const [rows, poolingFactor] = recorded.tables[number] as Recorded["tables"][number];
    // A task may hold a table twice.
    return {
      name: `${index}: ${number}`,
      features: { rows, dim: dims[index] as number, elementBytes: 4, poolingFactor },
    };
  });
}
