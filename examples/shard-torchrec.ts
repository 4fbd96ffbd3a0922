// A TorchRec problem in, TorchRec's sharding plan out, proved under TorchRec's own cost model.
import { readFileSync } from "node:fs";
import { parseInstance, plan, writePlan } from "shardproof";
import { importTorchrecProblem, instanceText, readExportablePlacement, shardingPlan } from "shardproof/torchrec";

const file = "examples/torchrec-problem.json";
const instance = parseInstance(instanceText(importTorchrecProblem(readFileSync(file, "utf8"), file), "json"), file);
const result = await plan(instance);
console.log(`${result.status}: ${result.objective.value} ms`);

const exportable = await readExportablePlacement(writePlan(result), "plan.json", async () => instance);
for (const [module, tables] of Object.entries(shardingPlan(exportable, "sparse.ebc").plan)) {
  for (const [table, { sharding_type, ranks }] of Object.entries(tables)) {
    console.log(`  ${module}.${table}: ${sharding_type} on ${ranks.join(", ")}`);
  }
}
