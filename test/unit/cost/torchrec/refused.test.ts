import { expect, test } from "vitest";
import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import { parseTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { requireInstance } from "../../../../src/instance/reader.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";

const TABLE = "{name: a, num_embeddings: 10, embedding_dim: 8";

/** An instance with this under `torchrec`. */
function problemOf(torchrec: string, table = "") {
  const text = `shardproof: 1
name: x
problem: table-placement
costModel: torchrec
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 1.0e6}
torchrec: {${torchrec}}
tables: [${TABLE}${table}}]
`;
  return placementProblem(requireInstance(tablePlacementReader, parseInstance(text, "f")));
}

test("a version that loses its last digit as a number is to be a text", () => {
  const said = 'expected a text, received 1.10, which is the number 1.1; write "1.10"';
  expect(() => problemOf("version: 1.10")).toThrow(`torchrec.version: ${said}`);
  const problem = (version: string) => `{"version": ${version}, "topology": {"world_size": 2}, "tables": [
    {"name": "a", "num_embeddings": 10, "embedding_dim": 8}]}`;
  expect(() => parseTorchrecProblem(problem("1.10"), "f")).toThrow(`version: ${said}`);
  for (const version of ["1.1", "1.0", '"1.1"', "1"]) {
    expect(() => parseTorchrecProblem(problem(version), "f")).not.toThrow();
  }
  expect(() => parseTorchrecProblem(problem('"1.10"'), "f")).toThrow(
    "expected a release of TorchRec whose costs are known",
  );
});

test("what is wrong under torchrec is said to be there", () => {
  const reservation = "reservation: {policy: heuristical, dense_parameter_bytes: 1000000}";
  expect(() => problemOf(reservation)).toThrow(
    "torchrec.reservation: expected a reservation that leaves memory for tables",
  );
  expect(() => problemOf("", ", num_nodes: 2")).toThrow(/^f:7:\d+: tables\[0\]\.num_nodes: /);
});

test("on TPUs a table names its kernels, as TorchRec's planner raises for the others", () => {
  const tpu = "topology: {compute_device: tpu}";
  expect(() => problemOf(tpu)).toThrow(
    "tables[0].compute_kernels: expected compute_kernels of a, because TorchRec's own",
  );
  expect(problemOf(tpu, ", compute_kernels: [fused]").tables[0]?.options.length).toBeGreaterThan(0);
});
