import { afterEach, expect, test, vi } from "vitest";
import type { DirectProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { BaseLadder } from "../../../../../../src/problems/table-placement/solve/base-tree/base-ladder.js";
import {
  type Begun,
  type Decision,
  LimitDecision,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-search.js";
import type { ShouldStop } from "../../../../../../src/search/work.js";
import { Work } from "../../../../../../src/search/work.js";

afterEach(() => vi.restoreAllMocks());

/** What a limit comes to, and the units that takes. */
type Outcome = { readonly kind: "refuted" | "found" | "stuck"; readonly units: number };

const [BOUND, VALUE] = [99, 100];

/** A ladder over limits that come to what is said of them; each run with the limit and the units it had by then. */
function ladderOver(outcomeOf: (claim: number) => Outcome, memoryBinds: boolean, switches: readonly object[] = [{}]) {
  const runs: { readonly claim: number; readonly units: number; readonly kind: string }[] = [];
  const opened: number[] = [];
  /** By limit opened, the limit of the tree that it begins with. */
  const begunAt: (number | undefined)[] = [];
  const work = new Work();
  const decisionOf = (claim: number, known: Begun | null = null) => {
    const { claim: begunAt, units: begunUnits } = known ?? { claim, units: 0 };
    let units = 0;
    const outcome = outcomeOf(claim);
    const run = async (shouldStop: ShouldStop): Promise<Decision> => {
      let isStopped = false;
      while (units < outcome.units && !isStopped) {
        units += 10;
        isStopped = shouldStop(10);
      }
      const kind = units < outcome.units ? "stopped" : outcome.kind;
      runs.push({ claim, units, kind });
      if (kind === "refuted") return { kind, proof: { claim: Rational.fromNumber(claim), steps: [] } };
      return kind === "found" ? { kind, placement: {} as Placement } : { kind };
    };
    const begun = () => ({ claim, units: begunUnits + units });
    const own = { claim, nodes: 0, checking: 0, run, dispose: () => {}, begun, relaxed: () => null };
    const values = Object.entries(own).map(([name, value]) => [name, { value }] as const);
    const unitsFor = { value: (top: number) => units + (begunAt >= top ? 0 : begunUnits) };
    const getters = { units: { get: () => units }, unitsFor };
    return Object.create(LimitDecision.prototype, { ...Object.fromEntries(values), ...getters });
  };
  vi.spyOn(LimitDecision, "open").mockImplementation(async (_, __, claim, ___, begun) => {
    opened.push(claim);
    begunAt.push(begun?.claim);
    return decisionOf(claim, begun);
  });
  const bases = [{ switches }];
  const ladder = new BaseLadder({} as PlacementProblem, { structure: { bases } } as unknown as DirectProgram, {
    ...{ work, affordsChecking: () => true, memoryBinds, beside: null, unitsLeft: () => 60_000 - work.done },
  });
  return { ladder, work, runs, opened, begunAt };
}

/** Steps with a better placement each time that one is found, as much better as is said, until so much work is done. */
async function climb(
  { ladder, work }: ReturnType<typeof ladderOver>,
  units: number,
  better: number,
  bound = BOUND,
): Promise<number> {
  const shouldStop = work.slice(units);
  let value = VALUE;
  while (work.done < units) {
    const answer = await ladder.step(bound, value, shouldStop);
    if (answer === null) return value;
    if (answer.kind === "found") value -= better;
  }
  return value;
}

test("with ample memory a lower limit comes between two jumps, with scarce memory placements are gone down", async () => {
  // Just below the best placement there is always a hardly better one.
  const outcome = (claim: number): Outcome => ({ kind: claim > 99.9999 ? "found" : "refuted", units: 300 });
  const foundInARow = async (memoryBinds: boolean) => {
    const over = ladderOver(outcome, memoryBinds);
    await climb(over, 4500, 1e-6);
    vi.restoreAllMocks();
    const chains = over.runs.map(({ kind }) => (kind === "found" ? "f" : "-")).join("");
    return Math.max(...chains.split("-").map(({ length }) => length));
  };
  expect(await foundInARow(false)).toBe(1);
  expect(await foundInARow(true)).toBeGreaterThan(3);
});

test.each([false, true])(
  "nothing dear is jumped to while lower limits take little (memory binds: %s)",
  async (memoryBinds) => {
    // Every step halves the way; the placement itself is out of reach.
    const over = ladderOver((claim) => ({ kind: "refuted", units: claim > 99.98 ? 1e9 : 600 }), memoryBinds);
    await climb(over, 12_000, 0);
    const refuted = over.runs.filter(({ kind }) => kind === "refuted");
    expect(Math.max(...refuted.map(({ claim }) => claim))).toBeGreaterThan(99.96);
  },
);

test("with scarce memory a lower limit near the placement is gone on with, however long it takes", async () => {
  const over = ladderOver((claim) => ({ kind: "refuted", units: claim > 99.9 ? 1e9 : 9000 }), true);
  await climb(over, 25_000, 0);
  const lower = over.opened.filter((claim) => claim < 99.9);
  expect(lower.length).toBe(new Set(lower).size);
  expect(over.runs.some(({ claim, kind }) => claim < 99.9 && kind === "refuted")).toBe(true);
});

test.each([
  { bound: 90, where: "far from the placement" },
  { bound: 99, where: "near it, while none was refuted" },
])("with ample memory a limit that takes long is given up for a lower one $where", async ({ bound }) => {
  // The first lower limit is beyond what is in reach: at a fifth of the way far from the placement, at half of it near.
  const dear = bound + 0.15 * (VALUE - bound);
  const over = ladderOver((claim) => ({ kind: "refuted", units: claim > dear ? 1e9 : 600 }), false);
  await climb(over, 25_000, 0, bound);
  const refuted = over.runs.filter(({ kind }) => kind === "refuted");
  expect(Math.max(...refuted.map(({ claim }) => claim))).toBeGreaterThan(bound + 0.05 * (VALUE - bound));
});

test("with ample memory a limit near the placement is given up as well, after many times what the last one took", async () => {
  // The second lower limit, at three quarters of the way, is not decided.
  const over = ladderOver((claim) => ({ kind: "refuted", units: claim > 99.7 ? 1e9 : 1400 }), false);
  await climb(over, 25_000, 0);
  const refuted = over.runs.filter(({ kind }) => kind === "refuted");
  expect(Math.max(...refuted.map(({ claim }) => claim))).toBeGreaterThan(99.5);
});

test.each([
  { outcome: { kind: "refuted", units: 1e9 }, left: "given up" },
  { outcome: { kind: "stuck", units: 1200 }, left: "stuck" },
] as const)("what a limit has closed that was $left is closed at lower ones", async ({ outcome }) => {
  const over = ladderOver((claim) => (claim > 99.3 ? outcome : { kind: "refuted", units: 600 }), false);
  await climb(over, 12_000, 0);
  const lower = over.opened.findIndex((claim) => claim < 99.3);
  expect(lower).toBeGreaterThan(0);
  expect(over.begunAt[lower]).toBe(Math.max(...over.opened.slice(0, lower)));
  // Nothing is known from a lower limit.
  over.begunAt.forEach((claim, at) => {
    if (claim !== undefined) expect(claim).toBeGreaterThan(over.opened[at] as number);
  });
});

test("the placement, once begun, is gone on with for four times what a lower limit takes", async () => {
  const unitsOf = (claim: number) => (claim > 99.99 ? 20_000 : claim > 99.6 ? 2500 : 1160);
  const over = ladderOver((claim) => ({ kind: "refuted", units: unitsOf(claim) }), false);
  await climb(over, 28_000, 0);
  const top = over.runs.filter(({ claim, units }) => claim > 99.99 && units > 2500);
  expect(top[0]).toMatchObject({ kind: "stopped" });
  expect(top[0]?.units).toBeGreaterThan(3 * 2500);
  expect(top.at(-1)).toMatchObject({ kind: "refuted", units: 20_000 });
});

test("a relaxation without bases that takes long is given up for a lower limit; where none is refuted nothing more is asked", async () => {
  const endless = ladderOver(() => ({ kind: "refuted", units: 1e9 }), true, []);
  await climb(endless, 500_000, 0, 90);
  expect(endless.opened.length).toBeGreaterThan(4);
  expect(endless.opened).toEqual([...endless.opened].sort((a, b) => b - a));
  expect(endless.ladder.hasEnded).toBe(true);
  expect(endless.ladder.applies(90, VALUE)).toBe(false);
  const partly = ladderOver((claim) => ({ kind: "refuted", units: claim > 93 ? 1e9 : 100 }), true, []);
  await climb(partly, 50_000, 0, 90);
  expect(partly.runs.some(({ claim, kind }) => claim < 93 && kind === "refuted")).toBe(true);
});

test("relaxations that would not come to their end are ended, and with them all that it asks; trees over bases are not", async () => {
  const refuted = () => ({ kind: "refuted" as const, units: 10 });
  const relaxing = ladderOver(refuted, true, []).ladder;
  expect(relaxing.isRelaxing).toBe(true);
  relaxing.endRelaxing(VALUE);
  expect([relaxing.isRelaxing, relaxing.hasEndedAt(VALUE), relaxing.applies(BOUND, VALUE)]).toEqual([
    false,
    true,
    false,
  ]);
  const branching = ladderOver(refuted, true).ladder;
  branching.endRelaxing(VALUE);
  expect([branching.hasEnded, branching.applies(BOUND, VALUE)]).toEqual([false, true]);
});
