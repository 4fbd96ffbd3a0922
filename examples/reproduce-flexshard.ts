// FlexShard's table 6 beside what this program computes for the same models (without the optima, which take longer).
import { reproduceFlexshard } from "shardproof/reproduce";

const { models, medianRelativeError } = await reproduceFlexshard({ optima: false });
for (const { model, shardings } of models) {
  console.log(`${model}: ${shardings.map(({ sharding }) => sharding).join(", ")}`);
}
console.log(`median distance from the published milliseconds: ${(100 * medianRelativeError).toFixed(1)} %`);
