import { describe, expect, test } from "vitest";
import type { ColumnsOptions } from "../../../src/profile/profile-columns.js";
import { profileColumns } from "../../../src/profile/profile-columns.js";
import { duckDb } from "../../support/duckdb.js";
import { parquet, write } from "./support.js";

/** Rows and accesses of the first column. */
async function counted(file: string, columns: readonly string[] | "all", options: ColumnsOptions) {
  const { columns: found } = await profileColumns([file], columns, { threads: 1, ...options });
  return [found[0]?.profile.rows, found[0]?.profile.accesses];
}

const hashes = Array.from({ length: 1200 }, (_, k) => (k < 1000 ? 10_000_000 + k : `0${k}ab`));

describe.skipIf(duckDb === undefined)("what a refusal advises works", () => {
  test.each([
    ["hashes behind a thousand of digits", `id,a\n${hashes.map((id) => `${id},1\n`).join("")}`, "log.csv"],
    ["a text among integers", "id,a\n1,1\n1,1\nx,1\n", "log.csv"],
  ])("--ids texts: %s", async (_, text, name) => {
    const file = write(name, text);
    const done = counted(file, ["id"], {});
    await expect(done).rejects.toThrow("say --null");
    await expect(done).rejects.toThrow("or --ids texts");
    const accesses = text.trim().split("\n").length - 1;
    expect(await counted(file, ["id"], { ids: "texts" })).toEqual([accesses === 3 ? 2 : 1200, accesses]);
  });

  test("--null TEXT", async () => {
    const file = write("log.csv", "id,a\n1,1\n2,1\nNULL,1\n");
    const error = await counted(file, ["id"], {}).catch((thrown: Error) => thrown.message);
    const [, advised] = /say --null "([^"]+)"/.exec(error as string) ?? [];
    expect(await counted(file, ["id"], { missing: [advised as string] })).toEqual([2, 2]);
  });

  test("--skip null, and --skip COLUMN=ID of a note", async () => {
    const file = await parquet("SELECT unnest([[1, 2], [3, NULL]]) AS hist");
    await expect(counted(file, ["hist"], {})).rejects.toThrow("--skip null leaves missing ones out");
    expect(await counted(file, ["hist"], { skip: ["null"] })).toEqual([3, 3]);
    const padded = write("log.csv", "a,hist\n1,5 0 0\n2,6 0 0\n");
    let note = "";
    const onNote = (said: string) => {
      note = said;
    };
    expect(await counted(padded, ["hist"], { onNote })).toEqual([3, 6]);
    const [, advised] = /say --skip (\S+)$/.exec(note) ?? [];
    expect(await counted(padded, ["hist"], { skip: [advised as string] })).toEqual([2, 2]);
  });

  test("--columns NAME[] of a note", async () => {
    const file = write("log.csv", "a,genres\n1,Comedy|Drama\n2,Drama\n");
    const notes: string[] = [];
    expect(await counted(file, ["genres"], { onNote: (note) => notes.push(note) })).toEqual([2, 2]);
    const [, advised] = /say --columns (\S+)\[\]$/.exec(notes[0] ?? "") ?? [];
    expect(await counted(file, ["genres"], { lists: [advised as string] })).toEqual([2, 3]);
  });

  test("--format where a name says none", async () => {
    const text = write("ratings.dat", "1,5\n2,5\n");
    await expect(counted(text, "all", {})).rejects.toThrow("say --format csv, tsv, json, parquet, npy or arrow");
    expect(await counted(text, "all", { format: "csv" })).toEqual([2, 2]);
    const lines = write("events", '{"id":1}\n{"id":1}\n');
    expect(await counted(lines, "all", { format: "json" })).toEqual([1, 2]);
  });
});
