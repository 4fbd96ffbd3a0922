import { expect, test } from "vitest";
import type { RowClasses } from "../../../src/access/row-classes.js";
import { tableClasses } from "../../../src/access/table-classes.js";
import { loadWith } from "../../../src/instance/load.js";
import { rowTiersReader } from "../../../src/problems/row-tiers/instance/reader.js";

/** FlexShard, table 5: rows and share of accesses of data parallelism (two and three tiers) and flex. */
const PUBLISHED = [
  { model: "rm1", two: [346_144, 0.525], three: [100_064, 0.368], flex: [1_184_544, 0.306] },
  { model: "rm2", two: [507_072, 0.77], three: [128_736, 0.639], flex: [2_397_216, 0.217] },
  { model: "rm3", two: [115_296, 0.349], three: [36_704, 0.227], flex: [318_560, 0.259] },
  { model: "rm4", two: [184_864, 0.57], three: [55_040, 0.39], flex: [592_992, 0.36] },
] as const;

/** κ − 1/U and κ/W − 1/U, in rows' bytes, and the batch: U = 32 GPUs, W = 8 of them in a node. */
const REPLICA = 6 - 1 / 32;
const FLEX = 6 / 8 - 1 / 32;
const BATCH = 4096;

interface Part {
  readonly rows: number;
  readonly appearances: number;
}

/**
 * The rows from rank `start` on, as long as `allowed` says of a class (its appearances, and what was taken before it)
 * that more of its rows may be taken.
 */
function take(classes: RowClasses, start: number, allowed: (appearances: number, before: Part) => number): Part {
  let rank = 0;
  let taken: Part = { rows: 0, appearances: 0 };
  for (const [index, count] of classes.rows.entries()) {
    const each = classes.appearances[index] as number;
    const here = rank + count - Math.max(rank, start);
    rank += count;
    if (here <= 0) continue;
    const rows = Math.min(here, allowed(each, taken));
    taken = { rows: taken.rows + rows, appearances: taken.appearances + rows * each };
    if (rows < here) break;
  }
  return taken;
}

/** Memory that replicating these rows saves over row-wise, in bytes of a row. */
const saved = ({ rows, appearances }: Part): number => BATCH * appearances - REPLICA * rows;

test.each(PUBLISHED)("the greedy algorithms on the curve of $model give back table 5", async ({ model, ...table }) => {
  const instance = await loadWith([rowTiersReader], `instances/paper/flexshard-${model}.yaml`);
  const [history] = instance.tables;
  if (history?.access.kind !== "coverage") throw new Error("expected one table with a coverage curve");
  const { meanLength } = history.access;
  const classes = await tableClasses(history, instance.file);

  // Two tiers: data parallelism until the memory that the hottest rows saved is used up.
  const two = take(classes, 0, (each, before) =>
    REPLICA <= BATCH * each ? Number.POSITIVE_INFINITY : saved(before) / (REPLICA - BATCH * each),
  );
  expect(Math.abs(two.rows / table.two[0] - 1)).toBeLessThan(0.005);
  expect(Math.abs(two.appearances / meanLength - table.two[1])).toBeLessThan(0.003);

  // Three tiers: data parallelism while a row saves memory, then flex until that memory is used up.
  const three = take(classes, 0, (each) => (REPLICA < BATCH * each ? Number.POSITIVE_INFINITY : 0));
  const flex = take(classes, three.rows, (_, before) => saved(three) / FLEX - before.rows);
  expect(Math.abs(three.rows / table.three[0] - 1)).toBeLessThan(0.025);
  expect(Math.abs(three.appearances / meanLength - table.three[1])).toBeLessThan(0.003);
  expect(Math.abs(flex.rows / table.flex[0] - 1)).toBeLessThan(0.015);
  expect(Math.abs(flex.appearances / meanLength - table.flex[1])).toBeLessThan(0.003);
});
