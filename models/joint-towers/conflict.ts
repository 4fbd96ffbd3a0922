import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import type { Conflict, ConflictPart } from "../../src/program/grouping/conflict.js";
import type { TowerShape } from "./setting.js";

/**
 * What no tower may have where the tables of some features have no place together on its GPUs: these features, or
 * others in the place of each whose tables need no less. README.md beside this file says why.
 *
 * A table needs no less than another that has as many columns, elements of the same size, at most as many rows, and can
 * be split by rows too if it can. A tower has tables that need no less than given ones, a different table for each,
 * when it has at least k of them for the k-th largest of those that compare with one another.
 */
export function conflictOf(
  { cluster, tables, caches }: TowerJoint,
  { hostsPerTower }: TowerShape,
  features: readonly number[],
): Conflict {
  const devices = cluster.gpusPerNode * hostsPerTower;
  const kindOf = (feature: number) => {
    const { rows, dim, elementBytes } = tables[feature] as TowerTable;
    // A larger table may have a smaller cache: with caches a table compares with itself alone.
    return caches === undefined ? `${dim} ${elementBytes} ${rows >= devices}` : String(feature);
  };
  const kinds = new Map<string, number[]>();
  for (const feature of features) {
    const { rows } = tables[feature] as TowerTable;
    const kind = kindOf(feature);
    kinds.set(kind, [...(kinds.get(kind) ?? []), rows]);
  }
  const parts = [...kinds].flatMap(([kind, all]) => {
    const falling = all.sort((a, b) => b - a);
    return falling.flatMap((least, k): ConflictPart[] => {
      // Of tables with as many rows the last one counts all.
      if (falling[k + 1] === least) return [];
      const elements = [...tables.keys()].filter((t) => {
        const table = tables[t] as TowerTable;
        return kindOf(t) === kind && table.rows >= least;
      });
      return [{ elements, count: k + 1 }];
    });
  });
  return parts;
}
