// Learns what a set of tables costs from measured sets, for a few passes only, and predicts a set.
import { loadCostData, predictSet, Training } from "shardproof/learn";

const data = await loadCostData("instances/costs/cpu-4-workers.json");
const training = new Training(data, { kind: "neural", epochs: 3, seed: 0 });
while (training.epochs < 3) {
  const { epoch, validationError } = training.epoch();
  console.log(`epoch ${epoch}: ${Math.sqrt(validationError).toFixed(1)} ms off, root mean square`);
}
const network = training.best();
const { meanAbsoluteError, rankCorrelation } = network.fits.test;
console.log(
  `sets not learned from: ${meanAbsoluteError.toFixed(1)} ms off, rank correlation ${rankCorrelation?.toFixed(2)}`,
);
console.log(`three tables of the data on one device: ${predictSet(network, data.tables.slice(0, 3)).toFixed(1)} ms`);
