import { describe, expect, test } from "vitest";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { enumerateOptions } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { shardRuns } from "../../../src/cost/torchrec/shard-runs.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { instanceText } from "../../../src/interop/instance-text.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { importTorchrecProblem } from "../../../src/problems/table-placement/import-problem.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { type RecordedPlacement, type RecordedSpaceOption, recordedPlacements } from "./recorded.js";

/** The constraints on every table, where the note has them. */
const CONSTRAINTS: Readonly<Record<string, object>> = {
  tw_only_w2_0: { sharding_types: ["table_wise"], compute_kernels: ["fused"] },
  tw_only_w4_0: { sharding_types: ["table_wise"], compute_kernels: ["fused"] },
  pack_feasible_missed: { sharding_types: ["table_wise"], compute_kernels: ["fused"] },
  pack_truly_infeasible: { sharding_types: ["table_wise"], compute_kernels: ["fused"] },
  hetero_caps_tw: { sharding_types: ["table_wise"], compute_kernels: ["fused"] },
  offload_w1: {
    sharding_types: ["table_wise"],
    compute_kernels: ["fused", "fused_uvm", "fused_uvm_caching"],
  },
  one_host_4_all: {},
};

const withSpace = recordedPlacements.filter(({ space }) => space !== undefined);

test("seven of the eight placement problems record their options", () => {
  expect(recordedPlacements).toHaveLength(8);
  expect(withSpace.map(({ id }) => id).sort()).toEqual(Object.keys(CONSTRAINTS).sort());
});

describe.each(withSpace)("$id", (placement) => {
  const options = enumerateOptions(problemOf(placement, CONSTRAINTS[placement.id] as object));

  test.each(placement.tables.map(({ name }, index) => ({ name, index })))(
    "$name has the options, times and bytes that TorchRec enumerates",
    ({ name, index }) => {
      const ours = (options[index] ?? []).map((option) => ({
        sharding_type: option.shardingType as string,
        kernel: option.kernel as string,
        partition_by: option.partitionBy as string,
        shards_rle: shardRuns(option).map(({ count, estimate }) => [
          count,
          { perf: estimate.cost, hbm: estimate.hbmBytes, ddr: estimate.hostBytes },
        ]),
        module: "",
      }));
      const theirs = placement.space?.[name] as readonly RecordedSpaceOption[];
      expect(sorted(ours)).toEqual(sorted(theirs));
    },
  );
});

test("the problem without recorded options enumerates sixteen for each of its tables", () => {
  const placement = recordedPlacements.find(({ id }) => id === "scale_40x16") as RecordedPlacement;
  const options = enumerateOptions(problemOf(placement, {}));
  expect(options.map((ofTable) => ofTable.length)).toEqual(Array.from({ length: 40 }, () => 16));
});

function imported(placement: RecordedPlacement, expand: boolean, format: "yaml" | "json") {
  const file = importTorchrecProblem(JSON.stringify(placement), `${placement.id}.json`, { expand });
  return requireInstance(tablePlacementReader, parseInstance(instanceText(file, format), "instance"));
}

test.each(withSpace)(
  "the import of $id has the recorded options once it is expanded, to the last digit",
  (placement) => {
    const options = imported(placement, true, "yaml").tables.map((table) => [
      table.name,
      sorted(
        (table.kind === "options" ? table.options : []).map(({ shardingType, kernel, partitionBy, shards }) => ({
          sharding_type: shardingType,
          kernel,
          partition_by: partitionBy as string,
          shards_rle: shards.map(([count, { cost, hbmBytes, hostBytes }]) => [
            count,
            { perf: cost, hbm: hbmBytes, ddr: hostBytes },
          ]),
          module: "",
        })),
      ),
    ]);
    expect(options).toEqual(Object.entries(placement.space ?? {}).map(([name, ofTable]) => [name, sorted(ofTable)]));
  },
);

test.each(recordedPlacements)(
  "the import of $id is the same problem, expanded or not, as YAML or as JSON",
  (placement) => {
    const expanded = imported(placement, true, "yaml");
    const problem = placementProblem(expanded);
    for (const [expand, format] of [
      [false, "yaml"],
      [false, "json"],
      [true, "json"],
    ] as const) {
      expect(placementProblem(imported(placement, expand, format))).toEqual(problem);
    }
    expect(problem.tables).toHaveLength(placement.tables.length);
    expect(expanded.cluster.hbmBytesPerGpu).toEqual(placement.devices.map(({ hbm }) => hbm));
  },
);

function problemOf(placement: RecordedPlacement, constraints: object) {
  // The recorded results are read over.
  return readTorchrecProblem({
    ...placement,
    tables: placement.tables.map((table) => ({ ...table, ...constraints })),
  });
}

/** TorchRec's order differs from run to run. */
function sorted<Option extends { sharding_type: string; kernel: string }>(options: readonly Option[]): Option[] {
  const key = ({ sharding_type, kernel }: Option) => `${sharding_type} ${kernel}`;
  return [...options].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
