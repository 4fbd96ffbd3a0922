import { goalProgram } from "../../models/table-placement/goal-program.js";
import type { PlacementProblem, PlacementTable, ShardNeed } from "../../models/table-placement/problem.js";
import { stageProblem } from "../../models/table-placement/stage-problem.js";
import { Rational } from "../../src/exact/rational.js";
import { type Draw, drawFrom } from "../fuzz/oracle/draw.js";

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
export function movingProblem(seed: number) {
  const draw = drawFrom(seed);
  const problem = drawn(draw, seed % 4 === 0);
  const total = problem.tables.reduce((sum, { options }) => sum + (options[0]?.shards[0]?.cost as number), 0);
  const cap = Math.ceil((total / DEVICES) * (1 + draw.int(2, 30) / 100));
  const fewest = fewestBytes(problem, cap);
  if (fewest === null || fewest === 0) return null;
  const stage = stageProblem(problem, 1, [{ goal: "largest-cost", most: Rational.of(BigInt(cap)) }]);
  return { stage, built: goalProgram(stage.problem, "moved-bytes", stage.held), fewest };
}
