import { expect, test } from "vitest";
import { RingBuffer } from "../../../../src/cost/neural/buffered-training.js";
import { seededRandom } from "../../../../src/exact/random.js";

function filled(capacity: number, items: number): RingBuffer<number> {
  const buffer = new RingBuffer<number>(capacity);
  for (let item = 0; item < items; item++) buffer.push(item);
  return buffer;
}

test.each([
  [3, 0, []],
  [3, 2, [0, 1]],
  [3, 3, [0, 1, 2]],
  [3, 4, [1, 2, 3]],
  [3, 11, [8, 9, 10]],
  [1, 5, [4]],
])("a buffer of %i has the newest of %i items, from the oldest on", (capacity, items, expected) => {
  const buffer = filled(capacity, items);
  expect(buffer.items()).toEqual(expected);
  expect([buffer.size, buffer.capacity]).toEqual([expected.length, capacity]);
});

test("what is drawn is what is there, evenly, and the same for the same seed", () => {
  const buffer = filled(8, 20);
  const drawn = buffer.sample(8000, seededRandom(1));
  expect(buffer.sample(8000, seededRandom(1))).toEqual(drawn);
  expect(buffer.sample(8000, seededRandom(2))).not.toEqual(drawn);
  const counts = buffer.items().map((item) => drawn.filter((other) => other === item).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8000);
  // Five standard deviations of a binomial of 8,000 draws at 1/8.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(8000 * (1 / 8) * (7 / 8)));
  expect(new RingBuffer(3).sample(5, seededRandom(1))).toEqual([]);
});

test("items that were taken out stay as they are when others come", () => {
  const buffer = filled(2, 2);
  const before = buffer.items();
  buffer.push(2);
  expect([before, buffer.items()]).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test.each([0, -1, 1.5, Number.NaN])("a capacity of %d is refused", (capacity) => {
  expect(() => new RingBuffer(capacity)).toThrow(RangeError);
});
