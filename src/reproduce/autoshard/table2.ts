import type { CostData } from "../../cost/neural/cost-data.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import { measureMethods, trainNetwork, type Work } from "./measured-methods.js";
import { BLINDED_FEATURES, type BlindedFeature, PUBLISHED } from "./published.js";
import type { Ablation } from "./reproduction.js";
import type { Guide, Task } from "./task-problem.js";

/**
 * Table 2: features hidden from the cost network one at a time. Plans are `predicted-greedy`'s under the network so trained
 * (the paper trains a policy for each); without a cost model they are `lookup-greedy`'s, the best of the paper's rules on raw
 * features (the paper trains a policy on these). The judge sees everything and is none of these networks.
 */
export function table2(data: CostData, tasks: readonly Task[], judge: TrainedNetwork, work: Work): readonly Ablation[] {
  const measured = (what: string, method: "predicted-greedy" | "lookup-greedy", guide: Guide) => {
    const [measure] = measureMethods(what, tasks, judge, [{ method, guide }], work);
    return measure as Ablation["measure"];
  };
  const { without, withoutCostModel, full } = PUBLISHED.table2;
  const rows: Ablation[] = [
    {
      without: "cost model",
      meanAbsoluteError: null,
      measure: measured("table 2", "lookup-greedy", { network: judge }),
      published: withoutCostModel,
    },
  ];
  for (const feature of [...BLINDED_FEATURES, null]) {
    const what = `table 2, ${feature === null ? "all features" : `without ${feature}`}`;
    const network = trainNetwork(
      feature === null ? data : { ...data, tables: data.tables.map((table) => blinded(table, feature)) },
      what,
      work,
    );
    const guide: Guide = feature === null ? { network } : { network, seen: (table) => blinded(table, feature) };
    rows.push({
      without: feature,
      meanAbsoluteError: network.fits.test.meanAbsoluteError,
      measure: measured(what, "predicted-greedy", guide),
      published: feature === null ? full : without[feature],
    });
  }
  return rows;
}

/**
 * The table with one feature the same for all tables, so that a network learns nothing from it. The bytes per element take up
 * what a missing width or number of rows would change in the size, which is a feature of its own.
 */
export function blinded(table: NetworkTable, feature: BlindedFeature): NetworkTable {
  const { rows, dim, elementBytes } = table;
  switch (feature) {
    case "dim":
      return { ...table, dim: 1, elementBytes: elementBytes * dim };
    case "rows":
      return { ...table, rows: 1, elementBytes: elementBytes * rows };
    case "poolingFactor":
      return { ...table, poolingFactor: 0 };
    case "size":
      return { ...table, elementBytes: 0 };
    case "accessBins":
      return { ...table, accessBins: table.accessBins.map(() => 0) };
  }
}
