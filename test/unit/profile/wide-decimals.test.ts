import { describe, expect, test } from "vitest";
import { readRowCounts } from "../../../src/access/counts/counts.js";
import { duckDb } from "../../support/duckdb.js";
import { counted, profiled } from "./support.js";

/** Of pyarrow: users 0 to 119, and items as decimals of 50 digits, alone and in lists. DuckDB 1.5.6 takes a 7 for 117440512. */
const FILE = "test/unit/profile/arrow/wide-decimals.parquet";
const RECEIVED = "received DECIMAL of more than 38 digits";

describe.skipIf(duckDb === undefined)("decimals of more digits than DuckDB has", () => {
  test("are left out, with the reason, where all columns are profiled", async () => {
    const reason = "is left out: DECIMAL of more than 38 digits, which holds no row ids";
    expect(await counted(FILE, "all")).toEqual({
      user: [120, 120],
      notes: [`column "item" ${reason}`, `column "bag" ${reason}`],
    });
  });

  test.each([
    ["a row", { row: "item" }],
    ["a list", { list: "bag" }],
    ["a sample", { row: "user", sample: "item" }],
    ["accesses", { row: "user", weight: "item" }],
    ["a table", { row: "user", table: "item" }],
  ])("are refused as %s", async (_, options) => {
    await expect(profiled(FILE, options)).rejects.toThrow(RECEIVED);
  });

  test("are refused among several files", async () => {
    await expect(profiled([FILE, FILE], { row: "item" })).rejects.toThrow(RECEIVED);
  });

  test("are no counts", async () => {
    const read = async () => {
      for await (const _ of readRowCounts("test/unit/profile/arrow/wide-counts.parquet", 1000));
    };
    await expect(read()).rejects.toThrow(RECEIVED);
  });
});
