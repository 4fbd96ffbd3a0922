import { expect, test } from "vitest";
import { goalProgram } from "../../../../../models/table-placement/goal-program.js";
import type {
  Placement,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import { stageProblem } from "../../../../../models/table-placement/stage-problem.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { deviceBound } from "../../../../../src/problems/table-placement/solve/goals/device-bound.js";
import { deviceTree } from "../../../../../src/problems/table-placement/solve/goals/device-tree.js";
import { goalMeasure } from "../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { placementNow } from "../../../../../src/problems/table-placement/solve/goals/placement-now.js";
import { repaired } from "../../../../../src/problems/table-placement/solve/goals/repair.js";
import { evaluate } from "../../../../../src/program/evaluate.js";
import { programHash } from "../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { type Draw, drawFrom } from "../../../../fuzz/oracle/draw.js";

const DEVICES = 3;
const TABLES = 5;

/** Whole tables, halves of them and shards on all devices; each table now on one device, the first two apart in some. */
function drawn(draw: Draw, isApart: boolean): PlacementProblem {
  const tables = Array.from({ length: TABLES }, (_, t): PlacementTable => {
    const [cost, bytes, home] = [draw.int(4, 20), 12 * draw.int(1, 200), draw.int(0, DEVICES - 1)];
    const how = (parts: number, shardingType: string, partitionBy: "device" | "uniform") => {
      const need: ShardNeed = { cost: Math.ceil(cost / parts) + 1, hbmBytes: bytes / parts, hostBytes: 0 };
      const incoming = { bytes: bytes / parts, held: [[home, bytes / parts]] as const };
      const alike = <Item>(item: Item) => Array.from({ length: parts }, () => item);
      return { kernel: "fused", partitionBy, shardingType, shards: alike(need), incoming: alike(incoming) };
    };
    const options = [
      how(1, "table_wise", "device"),
      how(2, "column_wise", "device"),
      how(DEVICES, "row_wise", "uniform"),
    ];
    return { name: `t${t}`, devices: null, options: options.slice(0, draw.int(1, 3)) };
  });
  const hbm = tables.reduce((sum, { options }) => sum + (options[0]?.shards[0]?.hbmBytes as number), 0);
  return {
    ...{ name: "drawn", nodes: 1, gpusPerNode: DEVICES, hbmBytes: new Array<number>(DEVICES).fill(hbm / 2) },
    ...{ hostBytes: null, hostIsPooled: false, tables, together: [], apart: isApart ? [[0, 1]] : [] },
    stages: [
      { minimize: "largest-cost", allow: { amount: 0 } },
      { minimize: "moved-bytes", allow: { amount: 0 } },
    ],
  };
}

/** The fewest bytes received by trying every placement, with no formula of the program's; `null` where none is allowed. */
function fewestBytes({ tables, hbmBytes, apart }: PlacementProblem, cap: number): number | null {
  let fewest: number | null = null;
  const [load, memory] = [new Array<number>(DEVICES).fill(0), new Array<number>(DEVICES).fill(0)];
  const used: number[][] = [];
  const visit = (t: number, bytes: number): void => {
    if (fewest !== null && bytes >= fewest) return;
    if (t === tables.length) {
      const isAllowed = apart.every(([a, b]) => !used[a as number]?.some((d) => used[b as number]?.includes(d)));
      if (isAllowed) fewest = bytes;
      return;
    }
    for (const { shards, partitionBy, incoming } of (tables[t] as PlacementTable).options) {
      const place = (k: number, received: number): void => {
        const need = shards[k];
        if (need === undefined) {
          visit(t + 1, received);
          return;
        }
        for (let d = 0; d < DEVICES; d++) {
          if (partitionBy === "uniform" && d !== k) continue;
          if ((load[d] as number) + need.cost > cap) continue;
          if ((memory[d] as number) + need.hbmBytes > (hbmBytes[d] as number)) continue;
          load[d] = (load[d] as number) + need.cost;
          memory[d] = (memory[d] as number) + need.hbmBytes;
          used[t] = [...(used[t] ?? []).slice(0, k), d];
          const own = incoming?.[k];
          const isHere = own?.held.some(([holder]) => holder === d) === true;
          place(k + 1, received + (isHere ? 0 : (own?.bytes as number)));
          load[d] = (load[d] as number) - need.cost;
          memory[d] = (memory[d] as number) - need.hbmBytes;
        }
      };
      place(0, bytes);
    }
  };
  visit(0, 0);
  return fewest;
}

/** A drawn problem's stage of moved bytes, its program and the fewest bytes; `null` where none must move, or nothing is allowed. */
function movingProblem(seed: number) {
  const draw = drawFrom(seed);
  const problem = drawn(draw, seed % 4 === 0);
  const total = problem.tables.reduce((sum, { options }) => sum + (options[0]?.shards[0]?.cost as number), 0);
  const cap = Math.ceil((total / DEVICES) * (1 + draw.int(2, 30) / 100));
  const fewest = fewestBytes(problem, cap);
  if (fewest === null || fewest === 0) return null;
  const stage = stageProblem(problem, 1, [{ goal: "largest-cost", most: Rational.of(BigInt(cap)) }]);
  return { stage, built: goalProgram(stage.problem, "moved-bytes", stage.held), fewest };
}

test("what devices may hold bounds the bytes that move: never above the fewest, near them, and accepted by the checker", async () => {
  let proved = 0;
  let reached = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { stage, built, fewest } = moving;
    // As where a placement a little worse than the best is known.
    const { proof } = (await deviceBound(stage.problem, built, Rational.fromNumber(fewest + 12), () => false)) ?? {
      proof: null,
    };
    if (proof?.claim == null) continue;
    const { bound } = checkCertificate(built.program, {
      ...{ format: "shardproof-certificate 1", program: programHash(built.program), steps: proof.steps },
      claim: { kind: "bound", bound: proof.claim.toString() },
    });
    expect(bound?.toNumber(), `seed ${seed}`).toBeLessThanOrEqual(fewest);
    proved++;
    if (proof.claim.toNumber() >= 0.9 * fewest) reached++;
  }
  expect(proved).toBeGreaterThan(20);
  expect(reached / proved).toBeGreaterThan(0.5);
}, 120_000);

test("branching on them closes what their bound leaves open, and finds the placement", async () => {
  let open = 0;
  let closed = 0;
  let found = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { stage, built, fewest } = moving;
    let best = 2 * fewest + 12;
    const root = await deviceBound(stage.problem, built, Rational.fromNumber(best), () => false);
    if (root === null || (root.proof.claim as Rational).toNumber() >= 0.99 * fewest) continue;
    open++;
    const proof = await deviceTree(stage.problem, built, {
      ...{ root, checking: 0, affords: () => true, shouldStop: () => false },
      cutoff: () => Rational.fromNumber(best),
      offer: (point) => {
        const { objective, violations } = evaluate(built.program, built.pointOf(built.recover(point)));
        if (violations.length === 0) best = Math.min(best, objective.toNumber());
      },
    });
    expect(best, `seed ${seed}`).toBeGreaterThanOrEqual(fewest);
    if (best === fewest) found++;
    if (proof?.claim == null) continue;
    const { bound } = checkCertificate(built.program, {
      ...{ format: "shardproof-certificate 1", program: programHash(built.program), steps: proof.steps },
      claim: { kind: "bound", bound: proof.claim.toString() },
    });
    expect(bound?.toNumber(), `seed ${seed}`).toBeLessThanOrEqual(fewest);
    if (proof.claim.toNumber() >= 0.99 * fewest) closed++;
  }
  expect(open).toBeGreaterThan(5);
  expect(closed / open).toBeGreaterThan(0.8);
  expect(found / open).toBeGreaterThan(0.5);
}, 120_000);

test("a repair from where tables are breaks nothing, and often moves the fewest bytes", () => {
  let all = 0;
  let fewestFound = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { stage, built, fewest } = moving;
    const measure = goalMeasure(stage.problem, stage.goal, stage.held);
    const now = placementNow(stage.problem) as Placement;
    const found = repaired(stage.problem, measure, now, { seed: 0, steps: 8000, shouldStop: () => false });
    all++;
    if (found === null) continue;
    const { objective, violations } = evaluate(built.program, built.pointOf(found));
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(objective.toNumber(), `seed ${seed}`).toBeGreaterThanOrEqual(fewest);
    if (objective.toNumber() === fewest) fewestFound++;
  }
  expect(all).toBeGreaterThan(30);
  expect(fewestFound / all).toBeGreaterThan(0.5);
});
