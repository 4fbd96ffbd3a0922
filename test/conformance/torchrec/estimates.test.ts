import { describe, expect, test } from "vitest";
import { enumerateOptions, type TorchrecOption } from "../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { type RecordedCase, type RecordedEstimate, type RecordedTopology, recordedCases } from "./recorded.js";

const withEstimates = recordedCases.filter((one) => one.estimates !== undefined);

test("the recorded cases are there", () => {
  expect(withEstimates.map(({ id, estimates }) => [id, estimates?.length])).toMatchInlineSnapshot(`
    [
      [
        "perf_1_table_unweighted",
        19,
      ],
      [
        "perf_sequence_2_tables",
        20,
      ],
      [
        "perf_prefetch_uvm_caching",
        12,
      ],
      [
        "perf_custom_bandwidths",
        19,
      ],
      [
        "storage_tw_two_tables",
        32,
      ],
      [
        "storage_rw_1000x64",
        16,
      ],
      [
        "storage_output_dtype_FP16_100",
        1,
      ],
      [
        "enum_data_parallel",
        4,
      ],
      [
        "enum_table_wise",
        4,
      ],
      [
        "enum_row_wise",
        4,
      ],
      [
        "enum_table_row_wise",
        4,
      ],
      [
        "enum_column_wise",
        4,
      ],
      [
        "proposer_greedy_two_tables",
        38,
      ],
      [
        "proposer_uniform_three_tables",
        30,
      ],
      [
        "proposer_dp_three_tables",
        48,
      ],
      [
        "plan_tw_solution",
        8,
      ],
      [
        "plan_fail_tw_only",
        1,
      ],
      [
        "plan_fixed_absolute",
        8,
      ],
    ]
  `);
});

describe.each(withEstimates)("$id: every shard has TorchRec's shape", ({ topology, estimates }: RecordedCase) => {
  test.each(estimates as RecordedEstimate[])("$option.table $option.sharding_type $option.kernel", (estimate) => {
    const { shards } = optionOf(estimate, topology as RecordedTopology);
    expect(shards.map(({ sizes }) => sizes)).toEqual(estimate.expect_shard_sizes);
    expect(shards.map(({ offsets }) => offsets)).toEqual(estimate.expect_offsets);
  });
});

describe.each(having("expect_perf"))("$id: every time is TorchRec's, to the last bit", ({ topology, estimates }) => {
  test.each(estimates)("$option.table $option.sharding_type $option.kernel", (estimate) => {
    const { shards } = optionOf(estimate, topology);
    expect(
      shards.map(({ cost, perf }) => ({
        fwd_compute: perf.forwardCompute,
        fwd_comms: perf.forwardComms,
        bwd_compute: perf.backwardCompute,
        bwd_comms: perf.backwardComms,
        input_dist_comms: perf.inputDistribution,
        prefetch_compute: perf.prefetchCompute,
        total: cost,
      })),
    ).toEqual(estimate.expect_perf);
  });
});

describe.each(having("expect_storage"))("$id: every byte is TorchRec's", ({ topology, estimates }) => {
  test.each(estimates)("$option.table $option.sharding_type $option.kernel", (estimate) => {
    const { shards } = optionOf(estimate, topology);
    expect(
      shards.map(({ hbmBytes, hostBytes, ssdBytes }) => ({ hbm: hbmBytes, ddr: hostBytes, ssd: ssdBytes })),
    ).toEqual(estimate.expect_storage);
  });
});

const withSearchSpace = withEstimates.filter((one) => one.search_space !== undefined);

test.each(withSearchSpace)(
  "$id: the options of the search space",
  ({ topology, estimates = [], search_space = [] }) => {
    const ours = search_space.map(({ name, sharding_type, kernel }) => {
      const estimate = estimates.find(
        ({ option }) => option.table === name && option.sharding_type === sharding_type && option.kernel === kernel,
      );
      return optionOf(estimate as RecordedEstimate, topology as RecordedTopology);
    });
    expect(ours.map((option) => option.partitionBy)).toEqual(search_space.map((option) => option.partition_by));
    expect(
      ours.map(({ shards }) =>
        shards.map((shard) => ({
          size: shard.sizes,
          offset: shard.offsets,
          perf: shard.cost,
          hbm: shard.hbmBytes,
          ddr: shard.hostBytes,
          ssd: shard.ssdBytes,
        })),
      ),
    ).toEqual(search_space.map(({ shards }) => shards));
  },
);

describe("enumeration", () => {
  test.each(["perf_1_table_unweighted", "perf_custom_bandwidths", "proposer_greedy_two_tables"])(
    "%s: the options of each table are TorchRec's, with grid_shard named",
    (id) => {
      const { estimates = [], topology } = recordedCases.find((one) => one.id === id) as RecordedCase;
      for (const table of new Set(estimates.map(({ option }) => option.table))) {
        const ofTable = estimates.filter(({ option }) => option.table === table);
        const types = [...new Set(ofTable.map(({ option }) => option.sharding_type))];
        const [options = []] = enumerateOptions(
          problemOf(ofTable[0] as RecordedEstimate, topology as RecordedTopology, { sharding_types: types }),
        );
        expect(options).toHaveLength(19);
        expect(namesOf(options)).toEqual(ofTable.map(({ option }) => [option.sharding_type, option.kernel]).sort());
      }
    },
  );

  test("sequences have ten options", () => {
    const { estimates = [], topology } = recordedCases.find(
      (one) => one.id === "perf_sequence_2_tables",
    ) as RecordedCase;
    const ofTable = estimates.filter(({ option }) => option.table === "table_1");
    const [options = []] = enumerateOptions(
      problemOf(ofTable[0] as RecordedEstimate, topology as RecordedTopology, {}),
    );
    expect(options).toHaveLength(10);
    expect(namesOf(options)).toEqual(ofTable.map(({ option }) => [option.sharding_type, option.kernel]).sort());
  });
});

function namesOf(options: readonly TorchrecOption[]): string[][] {
  return options.map(({ shardingType, kernel }) => [shardingType as string, kernel as string]).sort();
}

function optionOf(estimate: RecordedEstimate, topology: RecordedTopology): TorchrecOption {
  const { sharding_type, kernel } = estimate.option;
  const problem = problemOf(estimate, topology, { sharding_types: [sharding_type], compute_kernels: [kernel] });
  const [options] = enumerateOptions(problem);
  expect(options).toHaveLength(1);
  return options?.[0] as TorchrecOption;
}

function problemOf({ option }: RecordedEstimate, topology: RecordedTopology, constraints: object) {
  return readTorchrecProblem({
    topology,
    tables: [
      {
        name: option.table,
        num_embeddings: option.rows,
        embedding_dim: option.cols,
        dtype: { 2: "FP16", 4: "FP32" }[option.dtype_bytes],
        output_dtype: option.output_dtype_bytes === undefined ? null : "FP32",
        pooling_factors: option.input_lengths,
        num_poolings: option.num_poolings,
        batch_sizes: option.batch_sizes,
        is_pooled: option.is_pooled,
        is_weighted: option.is_weighted,
        cache_load_factor: option.clf ?? null,
        cache_stats:
          option.miss_rate === undefined
            ? null
            : { expected_lookups: option.expected_lookups, miss_rate: option.miss_rate },
        min_partition: option.min_partition ?? null,
        ...constraints,
      },
    ],
  });
}

/** The cases in which some estimates record times, or bytes, with these estimates alone. */
function having(what: "expect_perf" | "expect_storage") {
  return withEstimates
    .map(({ id, topology, estimates = [] }) => ({
      id,
      topology: topology as RecordedTopology,
      estimates: estimates.filter((estimate) => estimate[what] !== undefined),
    }))
    .filter(({ estimates }) => estimates.length > 0);
}
