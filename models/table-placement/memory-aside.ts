import type { PointedProgram } from "./direct-program.js";
import type { PlacementProblem, PlacementTable, ShardNeed } from "./problem.js";
import type { ProgramKind } from "./program-name.js";

const NO_BYTES = { hbmBytes: 0, hostBytes: 0 };

/**
 * The problem with memory set aside: no shard needs any, so that options which only save memory are dominated and left out of its
 * programs. Every placement of the problem is one of this, of the same cost: bounds of this one are bounds of that. README.md beside
 * this file says more.
 */
export function withMemoryAside(problem: PlacementProblem): PlacementProblem {
  const { ssdBytes: _ssd, ...rest } = problem;
  const needs = new Map<ShardNeed, ShardNeed>();
  const needOf = (need: ShardNeed) => {
    const { ssdBytes: _bytes, ...other } = need;
    const own = needs.get(need) ?? { ...other, ...NO_BYTES };
    needs.set(need, own);
    return own;
  };
  const tableOf = (table: PlacementTable): PlacementTable => ({
    ...table,
    options: table.options.map((option) => ({ ...option, shards: option.shards.map(needOf) })),
  });
  return {
    ...rest,
    hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY),
    ...{ hostBytes: null, hostIsPooled: false },
    tables: problem.tables.map(tableOf),
  };
}

/** A program of the problem with memory set aside, by its name in files. */
export function ofMemoryAside<Built extends PointedProgram>(built: Built): Built {
  return { ...built, name: `${built.name as ProgramKind}, memory aside` };
}
