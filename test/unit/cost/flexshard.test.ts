import { expect, test } from "vitest";
import {
  latencySeconds,
  objectiveSeconds,
  type PerByte,
  tierCosts,
  tierHostMemory,
  tierMemory,
} from "../../../src/cost/flexshard.js";
import { Rational } from "../../../src/exact/rational.js";
import { TIERS } from "../../../src/instance/types/row-tiers.js";
import { evaluateRuns, isWithinBudgets } from "../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import { tinyInstance } from "../../support/tiny-instance.js";

// Three nodes of four GPUs, ten samples each; κ = 6. The numbers below are worked out by hand from tables 2 and 3.
const { instance, access } = tinyInstance(
  [
    { dim: 4, histogram: [[10, 0.5]] },
    {
      dim: 2,
      histogram: [
        [3, 2],
        [6, 0.25],
      ],
    },
  ],
  {
    tiers: [...TIERS],
    cluster: {
      nodes: 3,
      gpusPerNode: 4,
      hostBytesPerNode: 50,
      bandwidth: {
        allToAllGlobal: 1000,
        allToAllIntra: 4000,
        allReduceGlobal: 3000,
        allReduceCross: 500,
        hostToDevice: 160,
      },
      latency: {
        allToAllGlobal: 0.5,
        allToAllIntra: 0.25,
        allReduceGlobal: 0.125,
        allReduceCross: 0.0625,
        hostToDevice: 2,
      },
    },
    training: { batchPerGpu: 10, replicaMemoryFactor: 6 },
  },
);

const text = ({ parameters, reads }: PerByte) => [parameters.toString(), reads.toString()];

test.each([
  ["data_parallel", ["6", "10"], ["0", "0"], [["allReduceGlobal", ["1", "0"], ["1/3000", "0"]]]],
  [
    "flex",
    ["3/2", "20"],
    ["0", "0"],
    [
      ["allToAllIntra", ["0", "20"], ["0", "1/200"]],
      ["allReduceCross", ["1/4", "0"], ["1/2000", "0"]],
    ],
  ],
  ["row_wise", ["1/12", "20"], ["0", "0"], [["allToAllGlobal", ["0", "20"], ["0", "1/50"]]]],
  ["column_wise", ["1/12", "20"], ["0", "0"], [["allToAllGlobal", ["0", "20"], ["0", "1/50"]]]],
  [
    "host",
    ["0", "20"],
    ["1/3", "0"],
    [
      ["hostToDevice", ["0", "20"], ["0", "1/8"]],
      ["allToAllGlobal", ["0", "20"], ["0", "1/50"]],
    ],
  ],
] as const)("%s: memory, host memory and collectives per byte", (tier, memory, hostMemory, collectives) => {
  const [cost] = tierCosts(instance, [tier]);
  expect(text(tierMemory(instance, tier))).toEqual(memory);
  expect(text(tierHostMemory(instance, tier))).toEqual(hostMemory);
  expect(cost?.tier).toBe(tier);
  expect(cost && text(cost.memory)).toEqual(memory);
  expect(cost && text(cost.hostMemory)).toEqual(hostMemory);
  expect(cost?.collectives.map(({ collective, bytes, seconds }) => [collective, text(bytes), text(seconds)])).toEqual(
    collectives,
  );
});

test("a bandwidth that is not there is asked for by name", () => {
  const { hostToDevice: _, ...bandwidth } = instance.cluster.bandwidth;
  const without = { ...instance, cluster: { ...instance.cluster, bandwidth } };
  expect(() => tierCosts(without, ["row_wise"])).not.toThrow();
  expect(() => tierCosts(without, ["host"])).toThrow("cluster.bandwidth.hostToDevice is missing");
});

test("rows in host memory run the host link twice an iteration, before the all-to-all, in every objective", () => {
  expect(latencySeconds(instance, "hostToDevice").toString()).toBe("4");
  const seconds = (values: readonly number[]) => {
    const [allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice] = values.map(
      Rational.fromNumber,
    ) as [Rational, Rational, Rational, Rational, Rational];
    return { allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice };
  };
  const some = seconds([1, 2, 4, 8, 16]);
  expect(objectiveSeconds("serial", some).toString()).toBe("31");
  expect(objectiveSeconds("exposed", some).toString()).toBe("21");
  expect(objectiveSeconds("channels", some).toString()).toBe("29");
  expect(objectiveSeconds("channels", seconds([1, 100, 4, 8, 16])).toString()).toBe("100");
});

test("a plan with rows in host memory, added up by hand", () => {
  const { memoryBytes, hostBytes, collectives, objective, tables } = evaluateRuns(instance, access, [
    [
      { tier: "row_wise", rows: 4 },
      { tier: "host", rows: 6 },
    ],
    [
      { tier: "data_parallel", rows: 3 },
      { tier: "host", rows: 6 },
    ],
  ]);
  // R and S of the parts: 64 and 32 row-wise, 96 and 48 in host memory; 24 and 48 replicated, 48 and 12 in host memory.
  expect(hostBytes.toString()).toBe("48");
  expect(tables.flat().map((tier) => (tier.rows === 0 ? "" : tier.hostBytes.toString()))).toEqual([
    "",
    "",
    "0",
    "",
    "32",
    "0",
    "",
    "",
    "",
    "16",
  ]);
  // 64/12 + 20·32, 20·48, 6·24 + 10·48, 20·12.
  expect(memoryBytes.toString()).toBe(
    Rational.of(64n, 12n)
      .add(Rational.of(640n + 960n + 624n + 240n))
      .toString(),
  );
  expect(collectives.hostToDevice.toString()).toBe(
    Rational.of(20n * 60n, 160n)
      .add(Rational.of(4n))
      .toString(),
  );
  expect(collectives.allToAllGlobal.toString()).toBe(
    Rational.of(20n * 92n, 1000n)
      .add(Rational.one)
      .toString(),
  );
  expect(collectives.allReduceGlobal.toString()).toBe(Rational.of(24n, 3000n).add(Rational.of(1n, 8n)).toString());
  expect(collectives.allToAllIntra.toString()).toBe("0");
  // 11.5 + 2.84 + 0.133.
  expect(objective.toString()).toBe(Rational.parse("14473/1000").toString());
});

test("a plan is within its budgets when both memories are", () => {
  const within = (memory: bigint, host: bigint, tiers = instance.tiers) =>
    isWithinBudgets({ ...instance, tiers }, Rational.of(100n), {
      memoryBytes: Rational.of(memory),
      hostBytes: Rational.of(host),
    });
  expect([within(100n, 50n), within(101n, 50n), within(100n, 51n)]).toEqual([true, false, false]);
  expect(within(100n, 51n, ["row_wise"])).toBe(true);
});
