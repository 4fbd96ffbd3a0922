import type { Problem } from "../problem.js";
import { type TowerTypes, towerPartition } from "../tower-partition/problem.js";
import { JOINT_TOWERS_STATUSES, type TowerPartitionPlan } from "./plan-file/by-status.js";
import type { JointTowersPlan, WrittenJointTowersPlan } from "./plan-file/plan-file.js";

/**
 * Towers, their hosts and the places of their tables, chosen together: tower partition and table placement composed. What is
 * of the partition alone is that problem's own: its files, its comparison, its published methods.
 */
export const jointTowers: Problem<
  TowerTypes & { readonly plan: TowerPartitionPlan; readonly written: WrittenJointTowersPlan }
> = {
  ...towerPartition,
  isOf: ({ problem, joint }) => problem === "tower-partition" && joint !== undefined,
  statuses: JOINT_TOWERS_STATUSES,
  async solving() {
    const [partition, { planPreparedTowersWithTables, JOINT_TOWERS_STRATEGIES: strategies }] = await Promise.all([
      towerPartition.solving(),
      import("./solve/plan.js"),
    ]);
    return {
      ...partition,
      plan: async (ready, options) => (await planPreparedTowersWithTables(ready, options)) as TowerPartitionPlan,
      strategies,
    };
  },
  async verifying() {
    const [{ jointTowersPlanSchema: schema }, { verifyJointPlan: verify }] = await Promise.all([
      import("./plan-file/plan-file.js"),
      import("./verify.js"),
    ]);
    return { schema, verify };
  },
  async exporting() {
    const [{ program }, { exportJointTowers: read }] = await Promise.all([
      towerPartition.exporting(),
      import("./export.js"),
    ]);
    return { read, program, proved: async () => (await import("./proved.js")).provedJoint };
  },
  async knowing() {
    const [{ jointGoal, jointFacts, jointTiles }, { towerFacts }] = await Promise.all([
      import("./facts.js"),
      import("../tower-partition/facts.js"),
    ]);
    return {
      goal: (plan) => jointGoal(plan as JointTowersPlan),
      facts: (plan) => towerFacts(plan, jointFacts(plan as JointTowersPlan)),
      tiles: (plan) => jointTiles(plan as JointTowersPlan),
    };
  },
  async showing() {
    const [partition, { showTowersJoint }] = await Promise.all([towerPartition.showing(), import("./show.js")]);
    return { ...partition, plan: (plan) => showTowersJoint(plan, (plan as JointTowersPlan).joint) };
  },
  async reporting() {
    const [partition, { jointTowersSection }] = await Promise.all([
      towerPartition.reporting(),
      import("./report/section.js"),
    ]);
    return {
      ...partition,
      section: (report, id) => jointTowersSection(report as Parameters<typeof jointTowersSection>[0], id),
    };
  },
};
