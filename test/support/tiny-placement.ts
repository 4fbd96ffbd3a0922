import { constraintViolations } from "../../models/table-placement/constraints.js";
import {
  deviceCount,
  type Partition,
  type Placement,
  type PlacementChoice,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
  type ShardNeed,
} from "../../models/table-placement/problem.js";
import type { Draw } from "../fuzz/oracle/draw.js";

/** A random problem small enough for {@link bestPlacement}: all partitions and constraints, costs in quarters. */
export function tinyPlacement(draw: Draw): PlacementProblem {
  const [nodes, gpusPerNode] = draw.of([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
    [2, 2],
  ] as const);
  const devices = nodes * gpusPerNode;
  const tableCount = draw.int(1, devices > 3 ? 3 : 4);
  const scale = draw.of([1, 4, 1000]);
  const need = (): ShardNeed => ({
    cost: (draw.int(0, 12) * scale) / 4,
    hbmBytes: draw.int(0, 9),
    hostBytes: draw.oneIn(3) ? draw.int(0, 5) : 0,
  });
  const shardsOf = (count: number): ShardNeed[] => {
    const first = need();
    return Array.from({ length: count }, () => (draw.oneIn(4) ? need() : first));
  };
  const option = (): PlacementOption => {
    const partitionBy = draw.of<Partition>(["device", "device", "device", "uniform", "host", "multi_host"]);
    const rowWise = partitionBy === "host" && draw.oneIn(2);
    const count = {
      device: draw.int(1, 2),
      uniform: devices,
      host: rowWise ? gpusPerNode : draw.int(1, 2),
      multi_host: gpusPerNode * draw.int(1, nodes),
    }[partitionBy];
    const shardingType = partitionBy === "host" ? (rowWise ? "table_row_wise" : "table_column_wise") : partitionBy;
    return { shardingType, kernel: "fused", partitionBy, shards: shardsOf(count) };
  };
  const tables = Array.from({ length: tableCount }, (_, t): PlacementTable => {
    const some = Array.from({ length: devices }, (__, d) => d).filter(() => !draw.oneIn(4));
    return {
      name: `t${t}`,
      options: Array.from({ length: draw.oneIn(2) ? 1 : draw.int(2, 3) }, option),
      devices: draw.oneIn(6) ? some : null,
    };
  });
  const anyTables = (): number[] => tables.map((_, t) => t).filter(() => draw.oneIn(2));
  const groups = (): number[][] => (draw.oneIn(4) ? [anyTables()].filter(({ length }) => length > 1) : []);
  const even = draw.int(5, 25);
  return {
    name: "tiny",
    nodes,
    gpusPerNode,
    hbmBytes: Array.from({ length: devices }, () => (draw.oneIn(5) ? draw.int(0, 25) : even)),
    hostBytes: draw.oneIn(2) ? null : Array.from({ length: devices }, () => draw.int(2, 12)),
    hostIsPooled: draw.oneIn(2),
    tables,
    together: groups(),
    apart: groups(),
  };
}

/** The least largest cost by trying every placement; `null` where there is none. Costs must add up without rounding. */
export function bestPlacement(problem: PlacementProblem): { largest: number; placement: Placement } | null {
  const devices = deviceCount(problem);
  const perTable = problem.tables.map((table, t) => choicesOf(problem, table, t));
  const loads = new Array<number>(devices).fill(0);
  const hbm = new Array<number>(devices).fill(0);
  const host = new Array<number>(devices).fill(0);
  const chosen: PlacementChoice[] = [];
  let best: { largest: number; placement: Placement } | null = null;
  const add = ({ option, devices: places }: PlacementChoice, t: number, sign: number) => {
    const { shards } = (problem.tables[t] as PlacementTable).options[option] as PlacementOption;
    places.forEach((d, k) => {
      const { cost, hbmBytes, hostBytes } = shards[k] as ShardNeed;
      loads[d] = (loads[d] as number) + sign * cost;
      hbm[d] = (hbm[d] as number) + sign * hbmBytes;
      host[d] = (host[d] as number) + sign * hostBytes;
    });
  };
  const fits = (): boolean => {
    if (hbm.some((used, d) => used > (problem.hbmBytes[d] as number))) return false;
    const { hostBytes, hostIsPooled, gpusPerNode } = problem;
    if (hostBytes === null) return true;
    const size = hostIsPooled ? gpusPerNode : 1;
    for (let first = 0; first < devices; first += size) {
      const sum = (list: readonly number[]) => list.slice(first, first + size).reduce((a, b) => a + b, 0);
      if (sum(host) > sum(hostBytes)) return false;
    }
    return true;
  };
  const visit = (t: number): void => {
    if (!fits()) return;
    if (best !== null && Math.max(...loads) >= best.largest) return;
    if (t === problem.tables.length) {
      const placement = { choices: chosen.slice() };
      if (constraintViolations(problem, placement).length > 0) return;
      best = { largest: Math.max(...loads), placement };
      return;
    }
    for (const choice of perTable[t] as PlacementChoice[]) {
      chosen[t] = choice;
      add(choice, t, 1);
      visit(t + 1);
      add(choice, t, -1);
    }
  };
  visit(0);
  return best;
}

/** All ways to place one table that its partition and its devices allow. */
function choicesOf(problem: PlacementProblem, table: PlacementTable, t: number): PlacementChoice[] {
  const alone = { ...problem, tables: [table], together: [], apart: [] };
  const devices = deviceCount(problem);
  return problem.tables[t]?.options.flatMap(({ shards }, option) => {
    const tuples = shards.reduce<number[][]>(
      (list) => list.flatMap((tuple) => Array.from({ length: devices }, (_, d) => [...tuple, d])),
      [[]],
    );
    return tuples
      .map((places): PlacementChoice => ({ option, devices: places }))
      .filter((choice) => constraintViolations(alone, { choices: [choice] }).length === 0);
  }) as PlacementChoice[];
}
