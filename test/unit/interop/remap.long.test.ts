import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { TIERS, type Tier } from "../../../src/instance/types/row-tiers.js";
import { readRemap } from "../../../src/interop/remap/read-remap.js";
import { type RemapOptions, writeRemap as writeOrdered } from "../../../src/interop/remap/write-remap.js";
import { tierTables } from "../../../src/interop/tier-tables.js";
import { instanceOf, planOf, randomRuns, ranksByValue, sumOf, temporaryFolder } from "./support.js";

/** Tables without an order of their own have row ids that are ranks. */
const writeRemap = (plan: Parameters<typeof writeOrdered>[0], folder: string, options: RemapOptions = {}) =>
  writeOrdered(plan, folder, { idsAreRanks: true, ...options });

test("which row ids are hot is asked for where no file says it, but of tables that are in one tier", async () => {
  const split = planOf(instanceOf([{ name: "t", rows: 9 }]), [
    [
      [3, "data_parallel"],
      [6, "row_wise"],
    ],
  ]);
  await expect(writeOrdered(split, temporaryFolder())).rejects.toThrow(
    "table t: expected to be told which row ids are read most, received how often rows are read alone; give their order with --rank-file t=FILE",
  );
  const whole = planOf(instanceOf([{ name: "t", rows: 9 }]), [[[9, "row_wise"]]]);
  expect((await writeOrdered(whole, temporaryFolder())).tables[0]?.order).toBe("identity");
});

interface Placed {
  readonly tier: Tier;
  readonly index: number;
}

async function readBack(folder: string, table: string): Promise<Placed[]> {
  const remap = await readRemap(folder);
  const tiers = new Map(Object.entries(remap.manifest.tierCodes).map(([tier, code]) => [code, tier as Tier]));
  const rows: Placed[] = [];
  for await (const chunk of remap.rowsOf(table)) {
    expect(chunk.firstRow).toBe(rows.length);
    chunk.tiers.forEach((code, k) => {
      rows.push({ tier: tiers.get(code) as Tier, index: chunk.indices[k] as number });
    });
  }
  return rows;
}

/** The plain meaning of runs: each rank's tier, and its place among the ranks of that tier. */
function placesByRank(runs: readonly (readonly [number, Tier])[]): Placed[] {
  const held = new Map<Tier, number>();
  return runs.flatMap(([rows, tier]) =>
    Array.from({ length: rows }, (): Placed => {
      const index = held.get(tier) ?? 0;
      held.set(tier, index + 1);
      return { tier, index };
    }),
  );
}

function requireEachRowOnce(rows: readonly Placed[], runs: readonly (readonly [number, Tier])[]): void {
  for (const tier of TIERS) {
    const planned = sumOf(runs.filter(([, name]) => name === tier).map(([count]) => count));
    const indices = rows.filter((row) => row.tier === tier).map(({ index }) => index);
    expect(indices.sort((a, b) => a - b)).toEqual(Array.from({ length: planned }, (_, index) => index));
  }
}

const order = fc.constantFrom("falling" as const, "spread" as const);

test("with counts, every row id is at its rank's place, and every place is taken once", async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(
      randomRuns,
      fc.array(fc.oneof(fc.nat(3), fc.nat(200000), fc.constantFrom(0.5, 1e300, 1e-320)), {
        minLength: 1,
        maxLength: 400,
      }),
      fc.constantFrom(1, 7, 1e6),
      order,
      async (runs, drawn, samples, indexOrder) => {
        const rows = sumOf(runs.map(([count]) => count));
        const counts = drawn.slice(0, rows);
        writeFileSync(join(folder, "counts.csv"), counts.join("\n"));
        const access = { kind: "counts", file: "counts.csv", samples } as const;
        const instance = instanceOf([{ name: "t", rows, access }], { file: join(folder, "instance.yaml") });
        const manifest = await writeRemap(planOf(instance, [runs]), join(folder, "out"), { indexOrder });
        expect(manifest.tables[0]).toMatchObject({ order: "counts", rows });
        const placed = await readBack(join(folder, "out"), "t");
        requireEachRowOnce(placed, runs);
        const all = Array.from({ length: rows }, (_, id) => (counts[id] ?? 0) / samples);
        const expected = placesByRank(runs);
        const ranks = ranksByValue(all);
        expect(placed.map(({ tier }) => tier)).toEqual(ranks.map((rank) => (expected[rank] as Placed).tier));
        if (indexOrder === "falling") expect(placed).toEqual(ranks.map((rank) => expected[rank]));
      },
    ),
    { numRuns: 60 },
  );
});

test("with a rank file, listed rows come first in its order, the others follow by row id", async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(
      randomRuns.chain((runs) => {
        const ids = Array.from({ length: sumOf(runs.map(([count]) => count)) }, (_, id) => id);
        return fc.tuple(fc.constant(runs), fc.shuffledSubarray(ids, { minLength: 1 }));
      }),
      async ([runs, listed]) => {
        const rows = sumOf(runs.map(([count]) => count));
        writeFileSync(join(folder, "ids.txt"), `${listed.join("\n")}\n`);
        const rankFiles = new Map([["t", join(folder, "ids.txt")]]);
        const manifest = await writeRemap(planOf(instanceOf([{ name: "t", rows }]), [runs]), join(folder, "out"), {
          rankFiles,
        });
        expect(manifest.tables[0]?.order).toBe("rank-file");
        const others = Array.from({ length: rows }, (_, id) => id).filter((id) => !listed.includes(id));
        const expected = placesByRank(runs);
        const placed = await readBack(join(folder, "out"), "t");
        expect([...listed, ...others].map((id) => placed[id])).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test("without either, row ids are ranks, and the manifest says so", async () => {
  const folder = temporaryFolder();
  const runs = [
    [3, "row_wise"],
    [2, "data_parallel"],
    [4, "row_wise"],
  ] as const;
  const manifest = await writeRemap(planOf(instanceOf([{ name: "t", rows: 9 }]), [runs]), folder);
  expect(manifest).toMatchObject({ indexOrder: "falling", format: "npy", tables: [{ order: "identity" }] });
  expect(await readBack(folder, "t")).toEqual(placesByRank(runs));
});

test("spread deals the rows of a tier over its GPUs' blocks: all GPUs', or one node's for flex", async () => {
  const folder = temporaryFolder();
  const runs = [
    [2, "data_parallel"],
    [4, "flex"],
    [8, "row_wise"],
    [3, "column_wise"],
    [5, "host"],
  ] as const;
  const manifest = await writeRemap(planOf(instanceOf([{ name: "t", rows: 22 }]), [runs]), folder, {
    indexOrder: "spread",
  });
  expect(manifest.indexOrder).toBe("spread");
  const placed = await readBack(folder, "t");
  expect(placed.map(({ index }) => index)).toEqual([0, 1, 0, 2, 1, 3, 0, 2, 4, 6, 1, 3, 5, 7, 0, 1, 2, 0, 2, 4, 1, 3]);
});

test("the manifest has an embedding table for every tier that holds rows, as large as the plan has it", async () => {
  const instance = instanceOf([
    { name: "a", rows: 5, dim: 8, dataType: "fp16", elementBytes: 2 },
    { name: "b", rows: 2 },
  ]);
  const plan = planOf(instance, [
    [
      [1, "data_parallel"],
      [3, "flex"],
      [1, "data_parallel"],
    ],
    [[2, "row_wise"]],
  ]);
  const manifest = await writeRemap(plan, temporaryFolder());
  expect(manifest.tables.map(({ embeddingTables }) => embeddingTables)).toEqual(tierTables(instance, plan.assignment));
  expect(manifest.tables[0]?.embeddingTables).toEqual([
    { name: "a_data_parallel", table: "a", tier: "data_parallel", rows: 2, dim: 8, dataType: "fp16", bytes: 32 },
    { name: "a_flex", table: "a", tier: "flex", rows: 3, dim: 8, dataType: "fp16", bytes: 48 },
  ]);
  expect(manifest.plan.digest).toBe(plan.digest);
  expect(manifest.instance.sha256).toBe(instance.sha256);
});

test("tables whose names no file can have, or share, have files of their own", async () => {
  const names = ["../up", "a/b", "a_b", "A/B", "表", "."];
  const folder = temporaryFolder();
  const instance = instanceOf(names.map((name, index) => ({ name, rows: index + 1 })));
  const plan = planOf(
    instance,
    names.map((_, index) => [[index + 1, "row_wise"]]),
  );
  await writeRemap(plan, folder);
  for (const [index, name] of names.entries()) expect(await readBack(folder, name)).toHaveLength(index + 1);
});

test("Parquet holds the same rows as NumPy arrays, and the same bytes each time", async () => {
  const folder = temporaryFolder();
  const rows = 5000;
  const counts = Array.from({ length: rows - 100 }, (_, id) => (id * 7919) % 613);
  writeFileSync(join(folder, "counts.csv"), counts.join("\n"));
  const access = { kind: "counts", file: "counts.csv", samples: 10 } as const;
  const instance = instanceOf([{ name: "t", rows, access }], { file: join(folder, "instance.yaml") });
  const plan = planOf(instance, [
    [
      [700, "data_parallel"],
      [1300, "flex"],
      [3000, "row_wise"],
    ],
  ]);
  const write = (name: string, options: RemapOptions) => writeRemap(plan, join(folder, name), options);
  await write("npy", { format: "npy" });
  const first = await write("parquet", { format: "parquet" });
  const second = await write("again", { format: "parquet" });
  expect(second).toEqual(first);
  expect(await readBack(join(folder, "parquet"), "t")).toEqual(await readBack(join(folder, "npy"), "t"));
});

test("the arrays are NumPy's: format 1.0, little-endian, one dimension, data on a multiple of 64 bytes", async () => {
  const folder = temporaryFolder();
  await writeRemap(
    planOf(instanceOf([{ name: "t", rows: 3 }]), [
      [
        [1, "flex"],
        [2, "row_wise"],
      ],
    ]),
    folder,
  );
  const index = readFileSync(join(folder, "t.index.npy"));
  const text = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }";
  expect(index.toString("latin1", 0, 128)).toBe(`\x93NUMPY\x01\x00v\x00${text.padEnd(117)}\n`);
  expect([...index.subarray(128)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  const tier = readFileSync(join(folder, "t.tier.npy"));
  expect([...tier.subarray(128)]).toEqual([1, 2, 2]);
});

test("progress counts the rows of all tables", async () => {
  const seen: [number, number][] = [];
  const plan = planOf(
    instanceOf([
      { name: "a", rows: 5 },
      { name: "b", rows: 2 },
    ]),
    [[[5, "flex"]], [[2, "flex"]]],
  );
  await writeRemap(plan, temporaryFolder(), { onProgress: (rows, of) => seen.push([rows, of]) });
  expect(seen).toEqual([
    [5, 7],
    [7, 7],
  ]);
});

test("a changed file, a missing one and a foreign manifest are refused", async () => {
  const folder = temporaryFolder();
  const plan = planOf(instanceOf([{ name: "t", rows: 3 }]), [[[3, "flex"]]]);
  await writeRemap(plan, folder);
  const file = join(folder, "t.tier.npy");
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([7])]));
  await expect(readRemap(folder)).rejects.toThrow("expected the file that the manifest tells of");
  await writeRemap(plan, folder);
  await expect(readRemap(folder)).resolves.toBeDefined();
  await expect(readRemap(join(folder, "none"))).rejects.toThrow("no such file");
  writeFileSync(join(folder, "manifest.json"), `{"name": "a web application"}`);
  await expect(readRemap(folder)).rejects.toThrow("expected the manifest of a remap");
  await expect(writeRemap(plan, folder)).rejects.toThrow("received one with another manifest.json");
  expect(readFileSync(join(folder, "manifest.json"), "utf8")).toContain("web application");
});

test("a manifest that is too large, too deep or no file is refused with one line", async () => {
  const folder = temporaryFolder();
  const plan = planOf(instanceOf([{ name: "t", rows: 3 }]), [[[3, "flex"]]]);
  const file = join(folder, "manifest.json");
  const refused = async (line: string) => {
    await expect(readRemap(folder)).rejects.toThrow(new InputError(line, file));
    await expect(writeRemap(plan, folder)).rejects.toThrow("received one with another manifest.json");
    rmSync(file, { recursive: true });
  };
  writeFileSync(file, "");
  truncateSync(file, 2 ** 28 + 1);
  await refused("expected a file of a remap that can be read, received more than 256 MiB, the limit");
  writeFileSync(file, "[".repeat(1001));
  await expect(readRemap(folder)).rejects.toThrow(`${file}:1:1001: expected lists and maps nested at most 1,000 deep`);
  mkdirSync(join(folder, "other"));
  rmSync(file);
  symlinkSync("other", file);
  await refused("expected a file of a remap that can be read, received a directory");
  writeFileSync(file, "{\n  no JSON");
  await expect(readRemap(folder)).rejects.toThrow(`${file}:2:3: expected the manifest of a remap (JSON)`);
});

test("a manifest cannot lead out of its folder", async () => {
  const folder = temporaryFolder();
  await writeRemap(planOf(instanceOf([{ name: "t", rows: 3 }]), [[[3, "flex"]]]), folder);
  const text = readFileSync(join(folder, "manifest.json"), "utf8");
  writeFileSync(join(folder, "manifest.json"), text.replace("t.tier.npy", "../t.tier.npy"));
  await expect(readRemap(folder)).rejects.toThrow("expected the manifest of a remap");
});

test("a rank file of a table that is not there is refused", async () => {
  const plan = planOf(instanceOf([{ name: "t", rows: 3 }]), [[[3, "flex"]]]);
  const rankFiles = new Map([["u", "ids.txt"]]);
  await expect(writeRemap(plan, temporaryFolder(), { rankFiles })).rejects.toThrow(
    'ids.txt: expected the rank file of a table (t), received one of "u"',
  );
});
