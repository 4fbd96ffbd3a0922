import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import { requireInstance } from "../../../../src/instance/reader.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";

/** Two tables of 40 MB beside devices that have room for a cache alone, or for one of the tables. */
function instance(memory: string, names = "fused, key_value") {
  const kernels = `compute_kernels: [${names}], sharding_types: [table_wise]`;
  const text = `shardproof: 1
name: x
problem: table-placement
costModel: torchrec
${memory}
tables:
  - {name: a, num_embeddings: 100000, embedding_dim: 100, ${kernels}}
  - {name: b, num_embeddings: 100000, embedding_dim: 100, ${kernels}}
`;
  return requireInstance(tablePlacementReader, parseInstance(text, "f"));
}

const cluster = (hbm: number, ssd: string) =>
  `cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: ${hbm}, ssdBytesPerGpu: ${ssd}}`;

// Weights, and 4 + 16 · 0.2 bytes of bookkeeping a row.
const STORED = 40_000_000 + 720_000;

test("a key-value store has the bytes on the SSD that TorchRec counts, and only it", () => {
  const { tables, ssdBytes } = placementProblem(instance(cluster(5e7, "4e7")));
  expect(ssdBytes).toEqual([4e7, 4e7]);
  const of = (kernel: string) => tables[0]?.options.find((option) => option.kernel === kernel)?.shards[0];
  expect(of("key_value")?.ssdBytes).toBe(STORED);
  expect(of("fused")?.ssdBytes).toBeUndefined();
});

test("SSDs of `devices` count too; without either each rank has 2 TiB", () => {
  const devices = "torchrec: {topology: {world_size: 2}, devices: [{hbm: 5e7, ssd: 7}, {hbm: 5e7, ssd: 8}]}";
  expect(placementProblem(instance(devices)).ssdBytes).toEqual([7, 8]);
  expect(placementProblem(instance("cluster: {nodes: 1, gpusPerNode: 2}")).ssdBytes).toEqual([2 ** 41, 2 ** 41]);
});

test("a store that would overflow goes elsewhere, and two that do are no plan", async () => {
  const fits = await planTablePlacement(instance(cluster(2e7, `${STORED}`)));
  expect(fits.status).toBe("proved");
  expect(fits.memory).toMatchObject({ ssdBytesPerGpu: [STORED, STORED], deviceSsdBytes: [STORED, STORED] });
  expect(fits.tables.map(({ ssdBytes }) => ssdBytes)).toEqual([STORED, STORED]);
  const ssds = `[${STORED}, ${STORED - 1}]`;
  const over = await planTablePlacement(instance(cluster(2e7, ssds)));
  expect(over.status).toBe("infeasible");
  expect(over.infeasibility?.memory).toBe("device, host and SSD");
  const alone = await planTablePlacement(instance(cluster(2e7, ssds), "key_value"));
  expect(alone.infeasibility).toMatchObject({ memory: "SSD", bytesNeeded: 2 * STORED, bytesAvailable: 2 * STORED - 1 });
});

test("the problem's SSDs are each device's own", () => {
  const problem = placementProblem(instance(cluster(2e7, `${2 * STORED - 1}`)));
  const onDevice = (a: number, b: number) => {
    const option = problem.tables[0]?.options.findIndex(({ kernel }) => kernel === "key_value") as number;
    return evaluatePlacement(problem, {
      choices: [
        { option, devices: [a] },
        { option, devices: [b] },
      ],
    });
  };
  expect(onDevice(0, 1).violations).toEqual([]);
  expect(onDevice(1, 1).violations).toEqual(["the SSD of device 1 is exceeded by 1 bytes"]);
});
