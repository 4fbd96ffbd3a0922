import { percent, some } from "../../../text/units.js";
import type { PlacementPlanTable } from "../plan-file/plan-file.js";

/** An option in words, with the hot rows on every device and the size of the cache where they are chosen. */
export function optionText({
  shardingType,
  kernel,
  hotRows,
  hotShare,
  cacheLoadFactor,
}: Pick<PlacementPlanTable, "shardingType" | "kernel" | "hotRows" | "hotShare" | "cacheLoadFactor">): string {
  const cache = cacheLoadFactor === undefined ? "" : ` ${percent(cacheLoadFactor)} cached`;
  if (hotRows === undefined) return `${shardingType} ${kernel}${cache}`;
  const taken = hotShare === undefined ? "" : ` (${percent(hotShare)} of look-ups)`;
  return `${some(hotRows, "hot row")}${taken} on every device, ${shardingType} ${kernel}${cache}`;
}
