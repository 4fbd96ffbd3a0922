import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bytesOf, npy } from "../support/npy.js";
import { runCli, temporaryFolder } from "./run-cli.js";

/** Two samples of three features of two elements. */
const SAMPLES = [3, 0, 2, 2, 0, -5, 1, 1, 4, 4, -0.5, -0.5];

function embeddings(folder: string, values: readonly number[] = SAMPLES, shape = "2, 3, 2"): string {
  const file = join(folder, "e.npy");
  writeFileSync(file, npy("<f4", bytesOf(Float32Array.from(values)), shape));
  return file;
}

test("embeddings become a matrix that an instance reads", async () => {
  const folder = temporaryFolder();
  const [names, out, instance] = ["names.txt", "m.csv", "i.yaml"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(names, 'user\nitem\n"ad, shown"\n');
  const { status, stdout, stderr } = await runCli([
    "interaction",
    embeddings(folder),
    "--features",
    names,
    "--out",
    out,
  ]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/embeddings\s+2 samples, 3 features, vectors of 2 elements/);
  expect(stdout).toMatch(/most alike\s+(user and item|item and "ad, shown") \(0\.8536\)/);
  const [header, ...lines] = readFileSync(out, "utf8").trimEnd().split("\n");
  expect(header).toBe('user,item,"""ad, shown"""');
  const rows = lines.map((line) => line.split(",").map(Number));
  expect(rows.map((row, i) => row[i])).toEqual([1, 1, 1]);
  expect(rows[1]?.[0]).toBeCloseTo(0.853_553, 6);
  expect(rows[2]?.[0]).toBeCloseTo(0.5, 14);
  writeFileSync(
    instance,
    "shardproof: 1\nname: i\nproblem: tower-partition\ntowers: 2\nfeatures: [user, item, '\"ad, shown\"']\ninteraction: {file: m.csv}\n",
  );
  const plan = JSON.parse((await runCli(["plan", instance, "--json"])).stdout);
  expect(plan.status).toBe("proved");
  expect(plan.objective.value).toBeCloseTo(1 - 0.853_553, 6);
});

test("without --out the matrix is the result; --json has it with its names", async () => {
  const file = embeddings(temporaryFolder());
  const { stdout } = await runCli(["interaction", file]);
  expect(stdout).toMatch(/^f0,f1,f2\n1,0\.8535\d+,0\.(5|49{12,}\d*)\n/);
  const json = JSON.parse((await runCli(["interaction", file, "--json"])).stdout);
  expect(json).toMatchObject({ samples: 2, dimensions: 2, features: ["f0", "f1", "f2"] });
  expect(json.interaction[0]).toEqual(stdout.split("\n")[1]?.split(",").map(Number));
});

test("pairs of features that no sample has both of are 0, and said to be: on stderr, in the file and in JSON", async () => {
  const folder = temporaryFolder();
  const [out, instance] = ["m.csv", "i.yaml"].map((name) => join(folder, name)) as [string, string];
  // f0 has ids in the first sample alone, f1 in the second, f2 in both.
  const file = embeddings(folder, [3, 0, 0, 0, 0, -5, 0, 0, 4, 4, -0.5, -0.5]);
  const said = "1 pair of features without a sample that has ids of both, taken as 0: f0 and f1\n";
  const { status, stderr } = await runCli(["interaction", file, "--out", out]);
  expect([status, stderr]).toEqual([0, said]);
  expect(readFileSync(out, "utf8").split("\n").slice(0, 3)).toEqual([`# ${said.trimEnd()}`, "f0,f1,f2", "1,0,0"]);
  expect((await runCli(["interaction", file, "--quiet"])).stderr).toBe("");
  expect(JSON.parse((await runCli(["interaction", file, "--json"])).stdout).unmeasured).toEqual([["f0", "f1"]]);
  writeFileSync(
    instance,
    "shardproof: 1\nname: i\nproblem: tower-partition\ntowers: 2\nfeatures: [f0, f1, f2]\ninteraction: {file: m.csv}\n",
  );
  expect(JSON.parse((await runCli(["plan", instance, "--json"])).stdout).status).toBe("proved");
});

test("bad input is one line", async () => {
  const folder = temporaryFolder();
  const file = embeddings(folder);
  const names = join(folder, "names.txt");
  const failing = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await runCli(["interaction", ...args]);
    expect([status, stdout, stderr.split("\n").length]).toEqual([2, "", 2]);
    return stderr;
  };
  writeFileSync(names, "a\nb\n");
  expect(await failing(file, "--features", names)).toContain("e.npy: expected 2 features, as there are names");
  writeFileSync(names, "a\nb\na\n");
  expect(await failing(file, "--features", names)).toContain('names.txt:3:1: expected a name used once, received "a"');
  expect(await failing(join(folder, "none.npy"))).toContain("received no such file; check the path");
  expect(await failing(folder)).toContain("received a directory");
  expect(await failing(file, "--out", join(folder, "m.npy"))).toContain("--out wants a file that ends in .csv");
  expect(await failing(names)).toContain("expected a NumPy array file");
  expect(await failing(embeddings(folder, [1, 0, Number.NaN, 0], "1, 2, 2"))).toContain(
    'sample 0, feature "f1": expected a vector',
  );
});
