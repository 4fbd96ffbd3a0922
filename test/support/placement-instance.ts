import type { PlacementChoice, PlacementProblem, ShardNeed } from "../../models/table-placement/problem.js";
import { parseWith } from "../../src/instance/parse.js";
import { PHASES, type TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import type { Draw } from "../fuzz/oracle/draw.js";
import { waysOf } from "./brute-force-placement.js";

/**
 * A problem as an instance that lists options, read as one that a user writes. All copies of hot rows are as the first, all nodes'
 * pools as the first, and sizes of caches are options like others: files have no words for more. `more`: goals.
 */
export function placementInstance(
  problem: PlacementProblem,
  more: Pick<Partial<TablePlacementInstance>, "goals"> & { readonly thenMinimize?: string } = {},
): TablePlacementInstance {
  const { nodes, gpusPerNode, hbmBytes, hostBytes, hostIsPooled, ssdBytes, tables, together, apart, goal } = problem;
  const { goals, ...keys } = more;
  const named = (groups: readonly (readonly number[])[]) => groups.map((group) => group.map((t) => tables[t]?.name));
  const pool = (bytes: readonly number[]) => bytes.slice(0, gpusPerNode).reduce((sum, own) => sum + own, 0);
  const text = JSON.stringify({
    ...{ shardproof: 1, name: problem.name, problem: "table-placement", costModel: "options" },
    cluster: {
      ...{ nodes, gpusPerNode, hbmBytesPerGpu: hbmBytes },
      ...(hostBytes === null
        ? {}
        : hostIsPooled
          ? { hostBytesPerNode: pool(hostBytes) }
          : { hostBytesPerGpu: hostBytes }),
      ...(ssdBytes === undefined ? {} : { ssdBytesPerGpu: ssdBytes }),
    },
    ...(goal === "phases" && goals === undefined ? { objective: goal } : {}),
    ...{ ...keys, together: named(together), apart: named(apart) },
    tables: tables.map(({ name, devices, options }) => ({
      ...{ name, ...(devices === null ? {} : { devices }) },
      options: options.map(({ shardingType, kernel, partitionBy, shards, hot, distinctDevices }) => {
        const cold = shards.slice(0, shards.length - (hot?.copies ?? 0));
        const copy = shards[cold.length];
        return {
          ...{ shardingType, kernel, partitionBy, shards: cold.map((need) => [1, written(need)]), distinctDevices },
          ...(hot === undefined || copy === undefined ? {} : { hot: { rows: hot.rows, need: written(copy) } }),
        };
      }),
    })),
  });
  const instance = parseWith([tablePlacementReader], text, "drawn.yaml");
  return goals === undefined ? instance : { ...instance, goals };
}

function written({ phases, ...need }: ShardNeed) {
  return phases === undefined
    ? need
    : { ...need, phases: Object.fromEntries(PHASES.map((phase, k) => [phase, phases[k]])) };
}

/** An instance whose tables are somewhere now, some of them new, with or without a limit on moves; `null` with hot rows, which do not go with that. */
export function movingFrom(problem: PlacementProblem, draw: Draw): TablePlacementInstance | null {
  const { tables, nodes, gpusPerNode } = problem;
  if (tables.some(({ options }) => options.some(({ hot }) => hot !== undefined))) return null;
  const choices = tables.flatMap(({ name, options }, t) => {
    const ways = waysOf(problem, t);
    if (ways.length === 0 || draw.oneIn(6)) return [];
    const { option, devices } = draw.of(ways) as PlacementChoice;
    const { shardingType, kernel } = options[option] as (typeof options)[number];
    return [[name, { shardingType, kernel, ranks: devices }] as const];
  });
  return {
    ...placementInstance(problem),
    from: {
      ...{ choices: new Map(choices), mostMoved: draw.oneIn(2) ? null : draw.int(0, tables.length) },
      ranks: Array.from({ length: nodes * gpusPerNode }, (_, rank) => rank),
      ...{ goneHosts: [], instance: null, optimizer: null },
    },
  };
}
