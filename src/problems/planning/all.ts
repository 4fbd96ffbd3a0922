export { groupedPlacement } from "../grouped-placement/problem.js";
export { jointTowers } from "../joint-towers/problem.js";
export { rowTiers } from "../row-tiers/problem.js";
export { tablePlacement } from "../table-placement/problem.js";
export { towerPartition } from "../tower-partition/problem.js";
