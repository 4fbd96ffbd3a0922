import { describe, expect, test } from "vitest";
import { outputDim, type Tower } from "../../../../src/access/traffic/exchange.js";
import { compressionRatio } from "../../../../src/cost/dmt/dense-work.js";
import { flatSteps, type StepTraffic, spttSteps } from "../../../../src/cost/dmt/steps.js";
import { addBytes, hostTraffic } from "../../../../src/cost/dmt/traffic.js";
import { evenColumns, type Workload } from "../../../../src/cost/dmt/workload.js";
import { Rational } from "../../../../src/exact/rational.js";

const G = 32;
const L = 4;
const B = 6n;
const bytes = 4n;

/** Two features of 8 elements per tower, hotness 3, their tables in columns over all slots, or in rows. */
function workload(hostsPerTower: number, kind: "columns" | "rows", output?: number): Workload {
  const slots = L * hostsPerTower;
  const rows = { kind: "rows" as const, shards: Array.from({ length: slots }, (_, slot) => ({ slot, rows: 5 })) };
  const shardings = kind === "rows" ? [rows, rows] : evenColumns([8, 8], slots);
  const tower: Tower = {
    features: shardings.map((sharding) => ({ dim: 8, hotness: 3, sharding })),
    ...(output === undefined ? {} : { outputDim: output }),
  };
  return {
    world: { ranks: G, gpusPerHost: L, hostsPerTower },
    towers: new Array<Tower>(G / slots).fill(tower),
    ...{ localBatch: Number(B), elementBytes: Number(bytes), idBytes: 8, lengthBytes: 0 },
  };
}

function find(steps: readonly StepTraffic[], step: string, pass = "forward"): StepTraffic {
  return steps.find((each) => each.step === step && each.pass === pass) as StepTraffic;
}

/** Per rank on average: in all, and across hosts. */
function sent({ traffic }: StepTraffic): [string, string] {
  const sum = addBytes(traffic.map((rank) => rank.sent));
  const mean = (value: Rational) => value.divide(Rational.of(BigInt(traffic.length))).toString();
  return [mean(sum.insideHost.add(sum.acrossHosts)), mean(sum.acrossHosts)];
}

const times = (u: bigint, numerator: number, denominator: number) =>
  Rational.of(u * BigInt(numerator), BigInt(denominator)).toString();

describe.each([1, 2, 4])("bytes per rank and pass, all alike, %d hosts per tower", (K) => {
  const M = K * L;
  const T = G / M;
  const u = B * bytes * 16n * BigInt(T);

  test("flat: u(1 − 1/G) in all, u(1 − L/G) across hosts", () => {
    const steps = flatSteps(workload(K, "columns"));
    const expected = [times(u, G - 1, G), times(u, G - L, G)];
    expect(sent(find(steps, "c"))).toEqual(expected);
    expect(sent(find(steps, "c", "backward"))).toEqual(expected);
  });

  test("SPTT d: u(1 − 1/M) and u(1 − 1/K); row-wise u(M − 1) and u(M − L)", () => {
    expect(sent(find(spttSteps(workload(K, "columns")), "d"))).toEqual([times(u, M - 1, M), times(u, K - 1, K)]);
    expect(sent(find(spttSteps(workload(K, "rows")), "d"))).toEqual([times(u, M - 1, 1), times(u, M - L, 1)]);
  });

  test("SPTT f: CR·u(1 − 1/T), all of it across hosts", () => {
    expect(sent(find(spttSteps(workload(K, "columns")), "f"))).toEqual([times(u, T - 1, T), times(u, T - 1, T)]);
    const compressed = workload(K, "columns", 4);
    const outputs = compressed.towers.map(outputDim);
    expect(compressionRatio(outputs, 16 * T).toString()).toBe("1/4");
    expect(sent(find(spttSteps(compressed), "f"))).toEqual([times(u, T - 1, 4 * T), times(u, T - 1, 4 * T)]);
  });

  test("a: 8·B·Σh(1 − 1/G), times the shards of column-wise tables", () => {
    const ids = 8n * B * 6n * BigInt(T);
    expect(sent(find(flatSteps(workload(K, "rows")), "a"))).toEqual([times(ids, G - 1, G), times(ids, G - L, G)]);
    const shards = BigInt(M / 2);
    expect(sent(find(flatSteps(workload(K, "columns")), "a"))[0]).toBe(times(ids * shards, G - 1, G));
  });
});

test("a host sends what its ranks send, and receives what others send it", () => {
  const { traffic } = find(flatSteps(workload(1, "columns")), "c");
  const hosts = hostTraffic({ ranks: G, gpusPerHost: L, hostsPerTower: 1 }, traffic);
  expect(hosts).toHaveLength(8);
  const u = B * bytes * 16n * 8n;
  expect(hosts[0]?.sent.acrossHosts.toString()).toBe(times(u, L * (G - L), G));
  expect(hosts[0]?.received).toEqual(hosts[0]?.sent);
});

test("uneven owners: what all send is what all receive, rank by rank different", () => {
  const even = workload(1, "columns");
  const [first, ...rest] = even.towers as [Tower, ...Tower[]];
  const wide = {
    features: [{ dim: 40, hotness: 1, sharding: { kind: "table" as const, slot: 2 } }, ...first.features],
  };
  for (const { traffic } of [
    ...flatSteps({ ...even, towers: [wide, ...rest] }),
    ...spttSteps({ ...even, towers: [wide, ...rest] }),
  ]) {
    expect(addBytes(traffic.map(({ sent: bytesSent }) => bytesSent))).toEqual(
      addBytes(traffic.map(({ received }) => received)),
    );
  }
  const { traffic } = find(flatSteps({ ...even, towers: [wide, ...rest] }), "c");
  expect(traffic[2]?.sent.acrossHosts.toString()).toBe(String(B * bytes * 44n * 28n));
  expect(traffic[3]?.sent.acrossHosts.toString()).toBe(String(B * bytes * 4n * 28n));
});

test("what moves in the peer permute: vectors, ids, or nothing; backward it is vectors or nothing", () => {
  const moved = (permute: "vectors" | "ids" | "nothing", pass: string) =>
    find(spttSteps(workload(1, "columns"), permute), "c", pass).traffic[0]?.sent.sameRank.toString();
  expect(["vectors", "ids", "nothing"].map((permute) => moved(permute as "ids", "forward"))).toEqual([
    String(BigInt(G) * B * bytes * 4n),
    String(BigInt(G) * B * 8n * 3n),
    "0",
  ]);
  expect(["vectors", "ids", "nothing"].map((permute) => moved(permute as "ids", "backward"))).toEqual([
    String(BigInt(G) * B * bytes * 4n),
    "0",
    "0",
  ]);
});

describe("what does not fit together", () => {
  const sound = workload(1, "columns");
  const onSlot = (slot: number): Tower => ({ features: [{ dim: 8, hotness: 1, sharding: { kind: "table", slot } }] });
  test.each([
    [{ towers: sound.towers.slice(1) }, "7 towers are given, the world has 8"],
    [{ world: { ...sound.world, hostsPerTower: 3 } }, "32 ranks do not fill towers of 3 × 4 ranks each"],
    [{ world: { ...sound.world, ranks: 0 } }, "ranks is 0, not a positive integer"],
    [{ towers: [onSlot(4), ...sound.towers.slice(1)] }, "slot 4 is none of the tower's 4"],
  ])("%o", (change, message) => {
    expect(() => spttSteps({ ...sound, ...change })).toThrow(new RangeError(message));
  });

  test("columns", () => {
    const sharding = { kind: "columns" as const, shards: [{ slot: 0, columns: 3 }] };
    const towers = [{ features: [{ dim: 4, hotness: 1, sharding }] }, ...sound.towers.slice(1)];
    expect(() => flatSteps({ ...sound, towers })).toThrow("shards of 3 columns do not make up a vector of 4");
  });
});

test("columns are spread evenly: every slot within one, every table whole", () => {
  for (const [dims, slots] of [
    [[8, 8], 3],
    [new Array(26).fill(128), 512],
    [[5, 1, 7], 4],
    [[2], 5],
  ] as const) {
    const shardings = evenColumns(dims, slots);
    const perSlot = new Array(slots).fill(0);
    shardings.forEach((sharding, table) => {
      if (sharding.kind !== "columns") throw new Error("not columns");
      expect(sharding.shards.reduce((sum, { columns }) => sum + columns, 0)).toBe(dims[table]);
      for (const { slot, columns } of sharding.shards) perSlot[slot] += columns;
    });
    expect(Math.max(...perSlot) - Math.min(...perSlot)).toBeLessThanOrEqual(1);
  }
});
