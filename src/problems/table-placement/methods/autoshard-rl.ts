import { placeByPolicy } from "./autoshard/place-by-policy.js";
import { readPolicy } from "./autoshard/policy-file.js";
import { wholePolicyTask } from "./autoshard/whole-policy-task.js";
import { underSetCost } from "./learned.js";
import { emptyRoom } from "./room.js";
import { type WholeTable, wholePlacement, wholeTables } from "./whole-tables.js";

/**
 * AutoShard (Zha et al., KDD 2022): tables from the largest predicted single-table cost down, each to the device that a policy
 * gives the highest score. The policy learned before (`learn-policy`) by trial and error, under the instance's cost network;
 * equal scores go to the smaller number. The paper's policy may put more on a device than its memory holds and is fined for
 * that while it learns; here devices without room for a table are left out.
 */
export const autoshardRl = underSetCost((problem, setCost, context) => {
  const { policy: source } = setCost;
  if (source === undefined) {
    const reason = "needs a policy that learned under this cost (costModel: {neural: FILE, policy: FILE})";
    return { kind: "not-applicable", reason };
  }
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const { tables } = whole;
  const { policy } = readPolicy(source.text(), source.file, source.network);
  const { task, devicesOf } = wholePolicyTask(problem, setCost, source, tables);
  const room = emptyRoom(problem);
  const needAt = (step: number) => (tables[task.order[step] as number] as WholeTable).need;
  const { homes } = placeByPolicy(policy, task, {
    fits: (step, device) => room.fits(device, needAt(step)),
    take: (step, device) => room.take(device, needAt(step)),
  });
  if (homes.length < tables.length) {
    const { name } = tables[task.order[homes.length] as number] as WholeTable;
    return {
      kind: "none",
      reason: `no device had room left for ${name} after ${homes.length} of ${tables.length} tables`,
    };
  }
  return { kind: "plan", placement: wholePlacement(tables, devicesOf(homes)) };
});
