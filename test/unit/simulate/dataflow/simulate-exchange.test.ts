import { describe, expect, test } from "vitest";
import type { ExchangeProblem } from "../../../../src/simulate/dataflow/exchange-problem.js";
import { layoutOf, peerOrder } from "../../../../src/simulate/dataflow/layout.js";
import { simulateExchange } from "../../../../src/simulate/dataflow/simulate-exchange.js";

/** One feature per rank, each table whole on its rank: the paper's example, for any number of hosts. */
function onePerRank(ranks: number, gpusPerHost: number, more: Partial<ExchangeProblem> = {}): ExchangeProblem {
  const towers = Array.from({ length: ranks / gpusPerHost }, () => ({
    features: Array.from({ length: gpusPerHost }, (_, slot) => ({
      ...{ dim: 4, hotness: 1, rows: 8 },
      sharding: { kind: "table" as const, slot },
    })),
  }));
  return { ranks, gpusPerHost, hostsPerTower: 1, towers, localBatch: 2, seed: 5, ...more };
}

describe("peer order", () => {
  test("the paper's example: 0, 2, 1, 3", () => {
    const layout = layoutOf(onePerRank(4, 2));
    expect(peerOrder(layout, "slot")).toEqual([0, 2, 1, 3]);
    expect(peerOrder(layout, "printed")).toEqual([0, 2, 1, 3]);
  });

  test("eight ranks in hosts of four: the key as printed does not bring peers together", () => {
    const layout = layoutOf(onePerRank(8, 4));
    expect(peerOrder(layout, "slot")).toEqual([0, 4, 1, 5, 2, 6, 3, 7]);
    expect(peerOrder(layout, "printed")).toEqual([0, 2, 4, 6, 1, 3, 5, 7]);
  });

  test("two hosts to a tower: peers are a tower apart", () => {
    const problem = { ...onePerRank(8, 2), hostsPerTower: 2, towers: onePerRank(8, 4).towers };
    expect(peerOrder(layoutOf(problem), "slot")).toEqual([0, 4, 1, 5, 2, 6, 3, 7]);
  });

  test.each([
    [4, 2],
    [9, 3],
    [16, 4],
  ])(
    "as printed it preserves the look-up where towers are as many as slots: %d ranks, %d per host",
    (ranks, perHost) => {
      expect(simulateExchange(onePerRank(ranks, perHost, { peerOrder: "printed" })).bitEqual).toBe(true);
    },
  );

  test.each([
    [8, 4],
    [16, 8],
    [8, 2],
  ])("elsewhere it does not: %d ranks, %d per host", (ranks, perHost) => {
    const printed = simulateExchange(onePerRank(ranks, perHost, { peerOrder: "printed" }));
    expect(printed.equal).toBe(false);
    expect(printed.sptt.outputs.wrong).toBeGreaterThan(0);
    expect(printed.sptt.gradients.wrong).toBeGreaterThan(0);
    expect(printed.flat.outputs.differing + printed.flat.gradients.differing).toBe(0);
    expect(simulateExchange(onePerRank(ranks, perHost)).bitEqual).toBe(true);
  });
});

describe("bytes of the paper's example: 4 ranks, hosts of 2, batches of 2, vectors of 4 single-precision numbers", () => {
  const { steps } = simulateExchange(onePerRank(4, 2));
  const of = (exchange: string, pass: string, step: string) =>
    steps.find((each) => each.exchange === exchange && each.pass === pass && each.step === step);

  test("flat: a rank sends each rank 2 vectors of 16 bytes, 1 rank beside it and 2 across", () => {
    expect(of("flat", "forward", "c")?.sent).toEqual(
      new Array(4).fill({ sameRank: 32, insideHost: 32, acrossHosts: 64 }),
    );
  });

  test("SPTT: inside the host 2 peers' 2 vectors; across hosts 2 features' 2 vectors to one peer", () => {
    expect(of("sptt", "forward", "d")?.total).toEqual({ sameRank: 256, insideHost: 256, acrossHosts: 0 });
    expect(of("sptt", "forward", "f")?.total).toEqual({ sameRank: 256, insideHost: 0, acrossHosts: 256 });
    expect(of("sptt", "forward", "c")?.total).toEqual({ sameRank: 512, insideHost: 0, acrossHosts: 0 });
  });

  test("ids: eight bytes each, the same for both; steps in the order in which they run", () => {
    expect(of("flat", "forward", "a")?.total).toEqual({ sameRank: 64, insideHost: 64, acrossHosts: 128 });
    expect(of("sptt", "forward", "a")?.total).toEqual(of("flat", "forward", "a")?.total);
    expect(steps.map(({ exchange, pass, step }) => `${exchange} ${pass} ${step}`)).toEqual([
      ...["flat forward a", "flat forward c", "flat backward c"],
      ...["a", "c", "d", "e", "f"].map((step) => `sptt forward ${step}`),
      ...["f", "e", "d", "c"].map((step) => `sptt backward ${step}`),
    ]);
  });
});

test("rows that no shard holds are refused", () => {
  const feature = { dim: 1, hotness: 1, rows: 4 };
  const shards = [
    { slot: 0, rows: 2 },
    { slot: 1, rows: 1 },
  ];
  const problem = onePerRank(2, 2, { towers: [{ features: [{ ...feature, sharding: { kind: "rows", shards } }] }] });
  expect(() => simulateExchange(problem)).toThrow("shards have 3 rows, their table 4");
});

test.each([
  [{ ranks: 6, hostsPerTower: 2 }, "6 ranks do not fill towers of 4 ranks each"],
  [{ ranks: 8 }, "2 towers are given, 8 ranks make 4"],
  [{ localBatch: 0 }, "localBatch is 0, not a positive integer"],
  [{ gpusPerHost: 1, ranks: 2 }, "slot 1 is none of the tower's 1"],
])("what does not fit together is refused: %o", (more, message) => {
  expect(() => simulateExchange(onePerRank(4, 2, more))).toThrow(new RangeError(message));
});

test("the same seed moves and makes the same", () => {
  const problem = onePerRank(4, 2, { values: "floats" });
  expect(simulateExchange(problem)).toEqual(simulateExchange(problem));
});
