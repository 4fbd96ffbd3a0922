import { placeByPolicy } from "./autoshard/episode.js";
import { readPolicy } from "./autoshard/policy-file.js";
import { wholePolicyTask } from "./autoshard/policy-task.js";
import { type PlacementHeuristic, underSetCost } from "./heuristic.js";
import { emptyRoom } from "./room.js";
import { onWholeTables, type WholeTable } from "./whole-tables.js";

/**
 * AutoShard (Zha et al., KDD 2022): tables from the largest predicted single-table cost down, each to the device that a policy
 * gives the highest score. The policy learned before (`learn-policy`) by trial and error, under the instance's cost network;
 * equal scores go to the smaller number. The paper's policy may put more on a device than its memory holds and is fined for
 * that while it learns; here devices without room for a table are left out.
 */
export const autoshardRl = underSetCost((setCost): PlacementHeuristic => {
  const { policy: source } = setCost;
  if (source === undefined) {
    const reason = "needs a policy that learned under this cost (costModel: {neural: FILE, policy: FILE})";
    return () => ({ kind: "not-applicable", reason });
  }
  return onWholeTables((tables, problem) => {
    const { policy } = readPolicy(source.text(), source.file, source.network);
    const { task, devicesOf } = wholePolicyTask(problem, setCost, source, tables);
    const room = emptyRoom(problem);
    const tableAt = (step: number) => tables[task.order[step] as number] as WholeTable;
    const { homes } = placeByPolicy(policy, task, {
      fits: (step, device) => room.fits(device, tableAt(step).need),
      take: (step, device) => room.take(device, tableAt(step).need),
    });
    if (homes.length === tables.length) return devicesOf(homes);
    const placed = `${homes.length} of ${tables.length} tables`;
    return { kind: "none", reason: `no device had room left for ${tableAt(homes.length).name} after ${placed}` };
  });
});
