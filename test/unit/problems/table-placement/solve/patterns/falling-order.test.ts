import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { fallingOrder } from "../../../../../../src/problems/table-placement/solve/patterns/label-stage.js";

test("keys fall, and equal ones keep their order, whatever runs they come in", () => {
  const random = seededRandom(7);
  for (let size = 0; size < 200; size++) {
    const keys = Float64Array.from({ length: size }, (_, k) => (size % 3 === 0 ? -(k % 17) : random.integer(20)));
    const expected = [...keys.keys()].sort((a, b) => (keys[b] as number) - (keys[a] as number) || a - b);
    expect([...fallingOrder(keys)], `${size} keys`).toEqual(expected);
  }
});
