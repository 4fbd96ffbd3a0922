import { coldPart } from "./hot-rows.js";
import type { PlacementOption } from "./problem.js";

/**
 * The names of an option's shards: the table's own where it is one, NAME#0, NAME#1, … where there are several. Of a table whose
 * hot rows are on every device the copies are NAME_hot, and the others NAME_cold: TorchRec's tables for the two parts.
 */
export function namesOfShards(table: string, option: PlacementOption): readonly string[] {
  const { hot, shards } = option;
  const cold = coldPart(option).shards;
  const name = hot === undefined ? table : coldName(table);
  return shards.map((_, k) => (k >= cold.length ? hotName(table) : cold.length === 1 ? name : `${name}#${k}`));
}

export function hotName(table: string): string {
  return `${table}_hot`;
}

export function coldName(table: string): string {
  return `${table}_cold`;
}
