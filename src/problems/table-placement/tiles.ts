import { bytesAt } from "../../facts/facts.js";
import { goalTile, proofTile, rivalTiles, type Tile } from "../../facts/tiles.js";
import { answerIn } from "../../text/optimality.js";
import type { Said } from "../../text/said.js";
import { percent } from "../../text/units.js";
import { plainUnit } from "../../text/value-unit.js";
import { amongText, goalName, lastGoal, placementGoal } from "./facts.js";
import { fullest } from "./fullest.js";
import type { TablePlacementPlan } from "./plan-file/plan-file.js";

/** What is said of a placement in large type. */
export function placementTiles(plan: TablePlacementPlan): readonly Tile[] {
  const { objective, infeasibility, baseline } = plan;
  const goal = placementGoal(plan);
  const proved = proofTile(answerIn(plan), lastGoal(plan), amongText(plan));
  // A gap is one goal's, and the tile beside it is of the first.
  const goals = plan.stages?.length ?? 1;
  const proof = goals > 1 && proved.mark === undefined ? { ...proved, name: `proof of goal ${goals}` } : proved;
  if (infeasibility !== null) {
    const { bytesNeeded, bytesAvailable, memory } = infeasibility;
    if (bytesNeeded === null || bytesAvailable === null) return [proof];
    const value = bytesAt("infeasibility.bytesNeeded", bytesNeeded);
    const beside: Said = ["of ", bytesAt("infeasibility.bytesAvailable", bytesAvailable)];
    return [proof, { name: `${memory} memory needed`, value, beside }];
  }
  if (objective.value === null) return [proof];
  return [
    goalTile(goal, goalName(objective.kind)),
    ...rivalTiles(goal, baseline, "baseline"),
    proof,
    ...migrationTiles(plan),
    ...memoryTiles(plan),
  ];
}

/** What moves from where the tables are now, and what an iteration costs there. */
function migrationTiles({ migration }: TablePlacementPlan): readonly Tile[] {
  if (migration === undefined) return [];
  const { bytes: moved, worth } = migration;
  const { text } = plainUnit(worth.unit);
  const beside = worth.now === null ? "what it costs now is not known" : `the placement now costs ${text(worth.now)}`;
  return [{ name: "moves", value: bytesAt("migration.bytes.received", moved.received), beside }];
}

/** The fullest device of all. */
function memoryTiles({ memory: { hbmBytesPerGpu: limits }, deviceBytes: used }: TablePlacementPlan): readonly Tile[] {
  if (used === null) return [];
  const name = "memory of the fullest device";
  if (limits === null) {
    const most = used.reduce((best, amount, d) => (amount > (used[best] ?? 0) ? d : best), 0);
    return [{ name, value: bytesAt(`deviceBytes.${most}`, used[most] ?? 0), beside: `device ${most}; not limited` }];
  }
  const { device, share, own, limit } = fullest(["deviceBytes", used], ["memory.hbmBytesPerGpu", limits]);
  return [{ name, value: own, beside: [`${percent(share)} of the `, limit, ` of device ${device}`] }];
}
