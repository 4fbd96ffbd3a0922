import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { towerInteraction } from "../../../src/access/interaction/tower-interaction.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { instanceJsonSchema, loadInstance, parseInstance } from "../../../src/problems/planning/instances.js";
import { rowTiersReader } from "../../../src/problems/row-tiers/instance/reader.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { towerPartitionReader } from "../../../src/problems/tower-partition/instance/reader.js";

const TEXT = `shardproof: 1
name: x
problem: tower-partition
towers: 2
features: [a, b, c]
interaction: [[1, 0.5, 0.25], [0.5, 1, 0.75], [0.25, 0.75, 1]]
`;

const parse = (text: string) => requireInstance(towerPartitionReader, parseInstance(text, "x.yaml"));

test("what the file leaves out has the defaults of the paper's experiments", () => {
  expect(parse(TEXT)).toEqual({
    problem: "tower-partition",
    name: "x",
    towers: 2,
    sizeRatio: 1,
    strategy: "coherent",
    objective: "pairwise",
    features: ["a", "b", "c"],
    interaction: {
      kind: "given",
      rows: [
        [1, 0.5, 0.25],
        [0.5, 1, 0.75],
        [0.25, 0.75, 1],
      ],
    },
    load: null,
    file: "x.yaml",
    sha256: createHash("sha256").update(TEXT).digest("hex"),
  });
});

test("loads without a ratio are told and limit nothing", () => {
  expect(parse(`${TEXT}load: [1, 2, 0]\n`).load).toEqual({ weights: [1, 2, 0], ratio: null });
  expect(parse(`${TEXT}load: [1, 2, 0]\nloadRatio: 1.5\n`).load).toEqual({ weights: [1, 2, 0], ratio: 1.5 });
});

test("loads whose sums leave the range of doubles are bad input", () => {
  const message = "x.yaml:7:7: load: expected weights whose sum, times loadRatio, is at most 1e+300, received more";
  expect(() => parse(`${TEXT}load: [1e308, 1e308, 1e308]\nloadRatio: 1\n`)).toThrow(message);
  expect(() => parse(`${TEXT}load: [1e308, 1e308, 1e308]\n`)).toThrow(message);
  expect(() => parse(`${TEXT}load: [1, 2, 0]\nloadRatio: 1e308\n`)).toThrow(message);
  expect(parse(`${TEXT}load: [1e299, 2e299, 0]\nloadRatio: 1.5\n`).load?.ratio).toBe(1.5);
});

test("more features than there is memory for are bad input", () => {
  const of = (features: number) =>
    TEXT.replace("[a, b, c]", `[${Array.from({ length: features }, (_, k) => `f${k}`).join(", ")}]`).replace(
      /interaction: .*/,
      "interaction: {file: m.npy}",
    );
  expect(parse(of(2000)).features).toHaveLength(2000);
  expect(() => parse(of(2001))).toThrow("x.yaml:5:11: features: expected at most 2000 features, received 2001");
});

test("an instance is of one problem", () => {
  const towers = parse(TEXT);
  expect(() => requireInstance(rowTiersReader, towers)).toThrow(
    "x.yaml: expected an instance of row-tiers, received one of tower-par",
  );
  expect(() => requireInstance(tablePlacementReader, towers)).toThrow(
    "expected an instance of table-placement, received one of tower",
  );
  const placement = parseInstance(readFileSync("instances/tiny/placement-given.yaml", "utf8"), "p.yaml");
  expect(() => requireInstance(towerPartitionReader, placement)).toThrow(
    "p.yaml: expected an instance of tower-partition, received",
  );
});

test("the matrix's file is part of the hash, and is relative to the instance", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-towers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["towers-file.yaml", "towers-file.csv"])
    copyFileSync(`instances/tiny/${name}`, join(folder, name));
  const file = join(folder, "towers-file.yaml");
  const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
  const [text, matrix] = [readFileSync(file), readFileSync(join(folder, "towers-file.csv"), "utf8")];
  const instance = requireInstance(towerPartitionReader, await loadInstance(file));
  expect(instance.sha256).toBe(sha256(`${sha256(text)}\n${sha256(matrix)}\n`));
  expect((await towerInteraction(instance))[1]).toBe(Number(matrix.split("\n")[1]?.split(",")[2]));
  writeFileSync(join(folder, "towers-file.csv"), `# changed\n${matrix}`);
  expect((await loadInstance(file)).sha256).not.toBe(instance.sha256);
});

test("the JSON Schema has the keys of the format", () => {
  type Keys = { properties: object; required: string[] };
  const { oneOf } = instanceJsonSchema() as { oneOf: { title: string; oneOf: Keys[] }[] };
  // The plain form comes first, then the one with a cluster and tables.
  const [plain, joint] = oneOf.find(({ title }) => title === "tower-partition")?.oneOf ?? [];
  const keys = ["towers", "sizeRatio", "strategy", "objective", "features", "interaction", "load", "loadRatio"];
  expect(Object.keys(plain?.properties ?? {})).toEqual(expect.arrayContaining(keys));
  expect(plain?.required).toEqual(["shardproof", "name", "problem", "towers", "features", "interaction"]);
  expect(Object.keys(joint?.properties ?? {})).toEqual(expect.arrayContaining([...keys, "cluster", "tables"]));
});
