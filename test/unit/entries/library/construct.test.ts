import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  InputError,
  loadInstance,
  plan,
  type RowTiersInput,
  rowTiers,
  tablePlacement,
  towerPartition,
  verify,
  writeInstance,
  writePlan,
} from "../../../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-library-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS: RowTiersInput = {
  name: "rows",
  cluster: {
    nodes: 2,
    gpusPerNode: 2,
    bandwidth: { allToAllGlobal: 1e9, allToAllIntra: 4e9, allReduceGlobal: 2e9, allReduceCross: 5e8 },
  },
  training: { batchPerGpu: 64, replicaMemoryFactor: 4 },
  tables: [
    {
      name: "t",
      rows: 100,
      dim: 8,
      access: {
        histogram: [
          [10, 0.5],
          [90, 0.01],
        ],
      },
    },
  ],
};

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("an instance from its keys", () => {
  test("has the defaults of a file", () => {
    const instance = rowTiers(ROWS);
    expect(instance).toMatchObject({ problem: "row-tiers", objective: "serial", granularity: 1, file: "-" });
  });

  test("is the instance of the file that its text is written to", async () => {
    const file = join(folder, "rows.json");
    writeFileSync(file, writeInstance("row-tiers", ROWS));
    expect(await loadInstance(file)).toEqual(rowTiers(ROWS, file));
  });

  test("says by its path which key is wrong, without a place in a text that nobody wrote", () => {
    const [table] = ROWS.tables as [RowTiersInput["tables"][number]];
    expect(messageOf(() => rowTiers({ ...ROWS, tables: [{ ...table, rows: 0.5 }] }))).toBe(
      "rowTiers: tables[0].rows: expected an integer (rows of the table), received 0.5",
    );
    const misspelt = { name: "p", costModel: "given", cluster: { nodes: 1, gpusPerNode: 1 }, tabels: [] } as never;
    expect(messageOf(() => tablePlacement(misspelt))).toBe(
      "tablePlacement: tabels: unknown key; did you mean tables? (and 1 more)",
    );
    expect(messageOf(() => towerPartition({ name: "t", towers: 2, features: ["a", "b"], interaction: [[1]] }))).toMatch(
      /^towerPartition: interaction: /,
    );
  });

  test("whose named file is missing is refused when it is planned, by its path", async () => {
    const instance = towerPartition({ name: "t", towers: 1, features: ["a"], interaction: { file: "none.csv" } });
    await expect(plan(instance)).rejects.toThrow(
      /^towerPartition: interaction\.file: expected a file that can be read, received none\.csv/,
    );
  });

  test("with a named file has that file in its hash, as one that is loaded has", async () => {
    writeFileSync(join(folder, "matrix.csv"), "1,0.25\n0.25,1\n");
    const input = { name: "t", towers: 1, features: ["a", "b"], interaction: { file: "matrix.csv" } };
    const file = join(folder, "towers.json");
    writeFileSync(file, writeInstance("tower-partition", input));
    const made = await plan(towerPartition(input, file));
    expect(made.instance).toEqual((await plan(file)).instance);
    expect(await verify(writePlan(made))).toMatchObject({ passed: true });
  });

  test("may be made of constants", () => {
    const frozen = {
      name: "frozen",
      costModel: "given",
      cluster: { nodes: 1, gpusPerNode: 2 },
      tables: [{ name: "a", cost: 1, bytes: 1 }],
    } as const;
    expect(tablePlacement(frozen).tables).toHaveLength(1);
  });
});
