import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { placementModel } from "../../models/table-placement/from-instance.js";
import { plan, tablePlacement, verify } from "../../src/index.js";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { programHash } from "../../src/program/hash.js";
import { readLp } from "../../src/program/lp/read.js";
import { runCli, temporaryFolder } from "../cli/run-cli.js";
import { certificateOf, refusalOf } from "../unit/proof/side-conditions/false-proof.js";

// A cut went on to say what a row had said before it was rounded, and an enumeration took for granted that a limit made of the cut
// follows from the rows: any bound could be proved so, of a program or of a plan.

const LP = `Minimize
 obj: 2 x + y + 2 w
Subject To
 r: 6 <= 3 x + 3 y + 4 w <= 100
Bounds
 0 <= x <= 1
 0 <= y <= 1
 0 <= w <= 1
General
 x y w
End
`;

/** The steps that prove too much: r's lower side is said by a cut, given up, and priced as the cut says it. */
function stepsFor(row: string, form: Readonly<Record<string, string>>, least: string, price: string) {
  const half = { side: "0", rows: { [row]: "1" } };
  const [first] = Object.keys(form) as [string];
  return [
    { cut: "c", form, least, split: { [first]: "1" }, at: "0", below: half, above: half },
    { round: { [row]: "1" } },
    { enumerate: [{ c: price }] },
  ];
}

/** A certificate file of a model as the command reads it. */
function certificateFile(model: string, value: string, point: Readonly<Record<string, string>>, steps: object[]) {
  const program = readLp(LP, model);
  const file = {
    ...{ shardproof: 1, kind: "certificate", model: { name: "model", sha256: programHash(program), file: model } },
    ...{ request: { gap: 0 }, status: "proved", objective: { value: Number(value), bound: Number(value), gap: 0 } },
    ...{ exact: { value, bound: value }, point, certificate: certificateOf(program, value, steps) },
  };
  return JSON.stringify({ ...file, digest: planDigest(file as never) });
}

test("the command refuses a certificate of a bound above the optimum", { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const [file, model] = [join(folder, "solution.json"), join(folder, "model.lp")];
  writeFileSync(model, LP);
  writeFileSync(file, certificateFile(model, "3", { x: "0", y: "1", w: "1" }, [{ bound: { r: "1/2" } }]));
  expect(await runCli(["verify", file, "--instance", model])).toMatchObject({ status: 0 });
  const steps = stepsFor("r", { x: "3", y: "3", w: "4" }, "6", "1");
  writeFileSync(file, certificateFile(model, "4", { x: "1", y: "0", w: "1" }, steps));
  const { status, stdout } = await runCli(["verify", file, "--instance", model]);
  expect(stdout).toContain("step 3: the node has a point that is better than the claim");
  expect(status).toBe(5);
});

/** Four tables for two GPUs; with a's row of places given up, all of them on one, at a cost of 13, are "the best". */
function fourTables() {
  const one = (cost: number, hbmBytes: number, kernel: string) => ({
    ...{ shardingType: "table_wise", kernel, partitionBy: "device" },
    shards: [[1, { cost, hbmBytes }]],
  });
  const choice = [one(1, 6, "fused"), one(4, 1, "fused_uvm")];
  const tables = ["a", "b", "c", "e"].map((name) => ({ name, options: name === "a" ? [one(1, 1, "fused")] : choice }));
  const cluster = { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 10 };
  return tablePlacement({ name: "four", costModel: "options", cluster, tables } as never);
}

test("a plan's certificate of a bound above the optimum is refused", { timeout: 60_000 }, async () => {
  const instance = fourTables();
  const { program } = directProgram(placementModel(instance).problem);
  const rows = program.rows.map(({ name }) => name).filter((name) => /^(place|option|hbm)_/.test(name));
  const proof = stepsFor("place_0", { n_0_0: "1", n_0_1: "1" }, "1", "21/2");
  const forged = certificateOf(program, "13", [
    {
      ...{ decompose: { load_0: "-1/2", load_1: "-1/2" }, purpose: "bound", links: ["z"] },
      ...{ blocks: [{ rows, least: "13", proof: 0 }], proofs: [proof] },
    },
  ]);
  const reason = "block 0: step 3: the node has a point that is better than the claim";
  expect(refusalOf(program, forged)).toContain(reason);
  const honest = JSON.parse(JSON.stringify(await plan(instance, { gap: 0 })));
  expect(honest.exact).toMatchObject({ value: "5", bound: "5" });
  expect((await verify(honest, { instance })).passed).toBe(true);
  const changed = { ...honest, certificate: forged };
  const { passed, checks } = await verify({ ...changed, digest: planDigest(changed) }, { instance });
  expect(passed).toBe(false);
  expect(
    checks
      .filter((check) => !check.passed)
      .map(({ detail }) => detail)
      .join(),
  ).toContain(reason);
});
