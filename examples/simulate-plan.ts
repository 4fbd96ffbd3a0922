// Does traffic move what a plan says? Draws iterations of samples, routes every lookup by the plan's tiers, and compares.
import { loadInstance, plan, writePlan } from "shardproof";
import { simulatePlanText } from "shardproof/simulate";

const result = await plan("instances/tiny/three-tiers-serial.yaml");
const { verdict, collectives } = await simulatePlanText(writePlan(result), "plan.json", (file) => loadInstance(file), {
  batches: 200,
});
console.log(`${verdict.outcome}: ${verdict.comparisons} numbers compared, ${verdict.outside} differ`);
console.log(`${collectives.length} collectives counted`);
