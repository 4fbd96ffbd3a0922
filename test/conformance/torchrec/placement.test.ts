import { describe, expect, test } from "vitest";
import { enumerateOptions } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { shardRuns } from "../../../src/cost/torchrec/runs.js";
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
