import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { MeasuredSet } from "../../../../src/cost/neural/cost-data.js";
import { loadCostData } from "../../../../src/cost/neural/read-data.js";
import { type CostStream, openCostStream } from "../../../../src/cost/neural/read-stream.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-stream-"));
afterAll(() => rmSync(folder, { recursive: true }));

const table = { rows: 9, dim: 8, poolingFactor: 2, accessBins: new Array(17).fill(0) };
const head = { shardproof: 1, kind: "measured-costs", source: "drawn", tables: [table, { ...table, dim: 4 }] };
const sets = Array.from({ length: 12 }, (_, s) => ({ cost: s + 0.5, tables: [s % 2, 1] }));
const lines = [head, ...sets].map((line) => JSON.stringify(line));

function fileOf(text: string): string {
  const path = join(folder, "sets.jsonl");
  writeFileSync(path, text);
  return path;
}

async function all({ sets: arriving }: CostStream): Promise<MeasuredSet[]> {
  const found: MeasuredSet[] = [];
  for await (const set of arriving) found.push(set);
  return found;
}

async function* chunksOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

test("a stream has what a file has", async () => {
  const stream = await openCostStream(fileOf(`${lines.join("\n")}\n`));
  expect([stream.source, await all(stream)]).toEqual(["drawn", sets]);
  const whole = join(folder, "whole.json");
  writeFileSync(whole, JSON.stringify({ ...head, sets }));
  expect(stream.tables).toEqual((await loadCostData(whole)).tables);
  expect(stream.sha256()).toMatch(/^[0-9a-f]{64}$/);
});

test.each([1, 7, 1000])(
  "lines are put together from chunks of %i characters; empty ones are skipped",
  async (length) => {
    const text = `\n${lines.join("\r\n\n")}`;
    expect(await all(await openCostStream("-", { input: chunksOf(text, length) }))).toEqual(sets);
  },
);

test("the hash is of the lines, however they arrive", async () => {
  const hashOf = async (text: string, length: number) => {
    const stream = await openCostStream("-", { input: chunksOf(text, length) });
    await all(stream);
    return stream.sha256();
  };
  const text = `${lines.join("\n")}\n`;
  expect(await hashOf(text, 3)).toBe(await hashOf(text, 1000));
  expect(await hashOf(text.replace("3.5", "3.6"), 3)).not.toBe(await hashOf(text, 3));
});

test.each<[string, string, RegExp]>([
  ["nothing", "\n\n", /sets\.jsonl: expected a first line that names the tables, received none$/],
  ["a first line that is a set", lines.slice(1).join("\n"), /sets\.jsonl:1:\d+: .*shardproof/],
  ["too few sets", lines.slice(0, 5).join("\n"), /sets\.jsonl: expected at least 10 sets, received 4$/],
  [
    "a table that there is not",
    lines.with(3, '{"cost": 1, "tables": [0, 2]}').join("\n"),
    /sets\.jsonl:4:27: tables\[1\]: expected the number of a table, from 0 to 1, received 2$/,
  ],
  [
    "a misspelt key",
    lines.with(2, '{"cots": 1, "tables": [0]}').join("\n"),
    /sets\.jsonl:3:2: cots: unknown key; did you mean cost\?/,
  ],
  ["a line that is cut", lines.with(6, '{"cost": 1, "tables": [').join("\n"), /sets\.jsonl:7:\d+: /],
])("%s is refused with its line", async (_, text, message) => {
  const reading = openCostStream(fileOf(text)).then(all);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toMatchObject({ name: "InputError" });
});

test("a file that cannot be read is an error in words", async () => {
  await expect(openCostStream(join(folder, "none.jsonl"))).rejects.toThrow(
    "none.jsonl: expected a file that can be read, received no such file",
  );
  await expect(openCostStream(folder)).rejects.toThrow("expected a file that can be read, received a directory");
});

test("a stream that is called off ends with what has come", async () => {
  const controller = new AbortController();
  async function* endless(): AsyncGenerator<string> {
    yield `${lines.join("\n")}\n`;
    await new Promise((_, reject) => {
      controller.signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  }
  const stream = await openCostStream("-", { input: endless(), signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  expect(await all(stream)).toEqual(sets);
});
