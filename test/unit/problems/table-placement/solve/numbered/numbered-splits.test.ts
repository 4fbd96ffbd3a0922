import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { type NumberedProgram, numberedProgram } from "../../../../../../models/table-placement/numbered-program.js";
import { NumberedSplits } from "../../../../../../src/problems/table-placement/solve/numbered/numbered-tree.js";

const program = numberedProgram(lognormalPlacement(12, 4, 10, 1)) as NumberedProgram;
// Beside a limit so high all shards are small: their order alone counts.
const LIMIT = 1e6;

function pointWith(values: readonly (readonly [column: number, value: number])[]): Float64Array {
  const point = new Float64Array(program.program.columns.length);
  for (const [column, value] of values) point[column] = value;
  return point;
}

test("options with large shards come first, in their order, and small shards where nothing else is left", () => {
  const splits = new NumberedSplits(program, LIMIT);
  const [first, second] = program.order.filter(
    ({ chosen }, r, all) => all.findIndex((other) => other.chosen === chosen) === r,
  ) as [NumberedProgram["order"][number], NumberedProgram["order"][number]];
  const isLarge = new Set(program.order.map(({ chosen }) => chosen));
  const small = program.shards.find(({ chosen }) => !isLarge.has(chosen)) as NumberedProgram["shards"][number];
  const whole = splits.at(
    pointWith([
      [first.chosen, 1],
      [small.chosen, 1],
    ]),
  );
  expect(whole).toEqual([]);
  const all = splits.at(
    pointWith([
      [small.chosen, 0.5],
      [second.chosen, 0.25],
      [first.chosen, 0.25],
      [small.columns[0] as number, 0.5],
    ]),
  );
  expect(all.map(({ column }) => column)).toEqual([first.chosen, second.chosen, small.chosen]);
  expect(all[0]).toMatchObject({ at: 0 });
  const last = splits.at(
    pointWith([
      [small.chosen, 1],
      [small.columns[0] as number, 1.5],
    ]),
  );
  expect(last).toMatchObject([{ column: small.columns[0], at: 1 }]);
});
