import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { likeDevicesModel } from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { OptionDive } from "../../../../../../src/problems/table-placement/solve/option-dive/option-dive.js";

const problem = lognormalPlacement(20, 12, 10, 1);
const { largest: searched } = searchPlacement(problem, { seed: 0, maxRounds: 12 });

function opened(limit: number) {
  const model = likeDevicesModel(problem, directProgram(problem), limit);
  if (model === null) throw new Error("devices are alike");
  return OptionDive.open(problem, model, limit);
}

test("dives end below limits that local search does not come to, and keep all that a placement has to", async () => {
  const limit = 0.985 * searched;
  const dive = await opened(limit);
  expect(dive.isOpen(() => false)).toBe(true);
  const random = seededRandom(1);
  let placement = await dive.run(null, () => false);
  for (let k = 0; k < 5 && placement === null; k++) placement = await dive.run(random, () => false);
  dive.dispose();
  if (placement === null) throw new Error("none was found");
  const { largest, violations } = evaluatePlacement(problem, placement);
  expect(violations).toEqual([]);
  expect(largest.toNumber()).toBeLessThan(limit);
});

test("below what the relaxation comes to there is nothing to find", async () => {
  const dive = await opened(0.8 * searched);
  expect(dive.isOpen(() => false)).toBe(false);
  expect(await dive.run(null, () => false)).toBeNull();
  dive.dispose();
});

test("what is stopped says nothing of whether the limit is open", async () => {
  const dive = await opened(0.985 * searched);
  let units = 0;
  const isOver = (more = 0) => {
    units += more;
    return units > 50;
  };
  expect(dive.isOpen(isOver)).toBeNull();
  expect(await dive.run(null, isOver)).toBeNull();
  expect(dive.isOpen(() => false)).toBe(true);
  dive.dispose();
});
