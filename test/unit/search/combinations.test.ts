import fc from "fast-check";
import { expect, test } from "vitest";
import { combinations, type Move, type Prices, type Room } from "../../../src/problems/row-tiers/solve/combinations.js";

const small = fc.integer({ min: -6, max: 6 });

const randomMove: fc.Arbitrary<Move> = fc.record({
  changes: fc.constant([]),
  units: fc.integer({ min: 1, max: 9 }),
  place: fc.constantFrom("0 0 1", "0 1 2", "1 0 1", "1 2 3"),
  reduced: fc.integer({ min: 0, max: 40 }),
  memory: small,
  host: fc.constantFrom(0, 0, -2, 2, 4, -3),
  imbalance: small,
});

/** What a plan with these moves is above the bound; infinite where a resource does not suffice. */
function excessOf(taken: readonly Move[], room: Room, { memory, host, weights }: Prices): number {
  const left = { ...room };
  let reduced = 0;
  for (const move of taken) {
    reduced += move.reduced;
    left.memory -= move.memory;
    left.host -= move.host;
    left.imbalance += move.imbalance;
  }
  if (left.memory < 0 || left.host < 0) return Number.POSITIVE_INFINITY;
  const uneven = left.imbalance > 0 ? weights[1] * left.imbalance : -weights[0] * left.imbalance;
  return reduced + memory * left.memory + host * left.host + uneven;
}

/** No move, one, or two at different places. */
function pairs(moves: readonly Move[]): readonly (readonly Move[])[] {
  const two = moves.flatMap((a, k) => moves.slice(k + 1).flatMap((b) => (a.place === b.place ? [] : [[a, b]])));
  return [[], ...moves.map((move) => [move]), ...two];
}

test("what comes first is the best of all combinations, and everything that comes keeps within the room", () => {
  fc.assert(
    fc.property(
      fc.array(randomMove, { maxLength: 12 }),
      fc.record({ memory: small, host: small, imbalance: small }),
      fc.record({
        memory: fc.integer({ min: 1, max: 5 }),
        host: fc.integer({ min: 0, max: 5 }),
        weights: fc.constantFrom<[number, number]>([1, 0], [0.5, 0.5], [0.25, 0.75]),
      }),
      (moves, room, prices) => {
        const found = combinations(moves, room, prices, 20);
        const of = (isHost: boolean) => pairs(moves.filter(({ host }) => (host !== 0) === isHost));
        const best = Math.min(
          ...of(true).flatMap((first) => of(false).map((second) => excessOf([...first, ...second], room, prices))),
        );
        if (best === Number.POSITIVE_INFINITY) {
          expect(found).toEqual([]);
          return;
        }
        const values = found.map((taken) => excessOf(taken, room, prices));
        expect(values[0]).toBeCloseTo(best, 9);
        expect(values.every((value, k) => value >= (values[k - 1] ?? 0) - 1e-9 && value < 1e9)).toBe(true);
      },
    ),
    { numRuns: 2000, seed: 4 },
  );
});

test("only the cheapest moves of each kind are combined", () => {
  const move = (reduced: number, memory: number): Move => ({
    ...{ changes: [], units: 1, place: `${reduced}`, reduced, memory, host: 0, imbalance: 0 },
  });
  const room = { memory: 10, host: 0, imbalance: 0 };
  const prices = { memory: 1, host: 1, weights: [1, 0] } as const;
  expect(combinations([move(3, 10), move(1, 2)], room, prices, 2)[0]).toEqual([move(3, 10)]);
  expect(combinations([move(3, 10), move(1, 2)], room, prices, 1)[0]).toEqual([move(1, 2)]);
});
