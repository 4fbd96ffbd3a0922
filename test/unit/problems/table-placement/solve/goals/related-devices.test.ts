import { expect, test } from "vitest";
import type { DeviceBlocks } from "../../../../../../models/table-placement/goal-program.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import {
  relatedDevices,
  relationsOf,
} from "../../../../../../src/problems/table-placement/solve/goals/related-devices.js";

/** Shards 0 to 3 may be on devices 0 to 3 alone, the others on the other four. */
function blocks(): DeviceBlocks {
  const shards = Array.from({ length: 8 }, (_, row) => row).flatMap((placeRow) =>
    Array.from({ length: 8 }, (_, device) => ({ placeRow, device, column: 8 * placeRow + device })),
  );
  return { shards, capRows: new Array(8).fill(null) } as unknown as DeviceBlocks;
}

const relations = relationsOf(blocks(), ({ placeRow, device }) => placeRow < 4 === device < 4);

test("devices are related by the shards that may be on both", () => {
  expect(relations[0]?.[1]).toBe(1);
  expect(relations[0]?.[0]).toBe(0);
  expect(relations[0]?.[5]).toBe(0);
});

test("half of the devices are preferred ones, the others nearly always related to them", () => {
  let related = 0;
  const random = seededRandom(1);
  for (let round = 0; round < 50; round++) {
    const devices = relatedDevices(random, relations, 4, [[], [0, 1, 6]]);
    expect(devices.size).toBe(4);
    expect([...devices].filter((device) => [0, 1, 6].includes(device)).length).toBeGreaterThanOrEqual(2);
    if ([...relatedDevices(random, relations, 4, [[1]])].every((device) => device < 4)) related++;
  }
  expect(related).toBeGreaterThan(40);
  expect([...relatedDevices(random, relations, 8, [])].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
