import type { CostData, MeasuredSet } from "../../cost/neural/cost-data.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import { type Fit, fitOf } from "../../cost/neural/fit.js";
import { Predictor } from "../../cost/neural/predict.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import { mean, measureMethods, trainNetwork, type Work } from "./measured-methods.js";
import { partedByTables } from "./pool.js";
import { BLINDED_FEATURES, type BlindedFeature, PUBLISHED } from "./published.js";
import type { Ablation, CostErrors, SetErrors } from "./reproduction.js";
import type { Guide, Task } from "./task-problem.js";

/** The tables that nothing is learned of, by number: the paper's second half of the pool, or few. */
const LEFT_OUT = {
  "second half": (configuration: number, count: number) => configuration >= count / 2,
  "every tenth": (configuration: number) => configuration % 10 === 9,
} as const satisfies Record<CostErrors["unseenTables"], (configuration: number, count: number) => boolean>;

export interface Table3 {
  readonly errors: readonly CostErrors[];
  /** What learned from the first half of the tables: figure 10's. */
  readonly halfNetwork: TrainedNetwork;
}

/**
 * Table 3: errors on tables that were learned from (in sets kept from training) and on tables that never were. Measured sets
 * draw from all tables: few are of the first half alone, and those are small. With every tenth table left out there are more to
 * learn from, and the others are sets with at least one such table.
 */
export function table3(data: CostData, work: Work): Table3 {
  const half = errorsWithout(data, "second half", work);
  const tenth = errorsWithout(data, "every tenth", work);
  return { errors: [half.errors, tenth.errors], halfNetwork: half.network };
}

/** Whether a configuration is in the half that nothing is learned of. */
export const isSecondHalf = LEFT_OUT["second half"];

function errorsWithout(data: CostData, unseenTables: CostErrors["unseenTables"], work: Work) {
  const parted = partedByTables(data, LEFT_OUT[unseenTables], unseenTables === "second half");
  const trained = trainNetwork(parted.seen, `table 3, without ${unseenTables}`, work);
  const { train, test } = trained.split;
  const kept = test.map((s) => parted.seen.sets[s] as MeasuredSet);
  const of = (sets: readonly MeasuredSet[], unseenShare: number, published: SetErrors["published"]): SetErrors => {
    const { meanAbsoluteError, meanSquaredError } = fitOnSets(trained, data.tables, sets);
    return {
      sets: sets.length,
      meanTables: mean(sets.map(({ tables }) => tables.length)),
      unseenShare,
      meanCost: mean(sets.map(({ cost }) => cost)),
      meanAbsoluteError,
      meanSquaredError,
      published,
    };
  };
  const errors: CostErrors = {
    unseenTables,
    trainSets: train.length,
    seen: of(kept, 0, PUBLISHED.table3.seen),
    unseen: of(parted.unseen, parted.unseenShare, PUBLISHED.table3.unseen),
  };
  return { errors, network: trained };
}

function fitOnSets(network: TrainedNetwork, tables: readonly NetworkTable[], sets: readonly MeasuredSet[]): Fit {
  const predictor = new Predictor(network, tables);
  return fitOf(
    sets.map(({ cost }) => cost),
    sets.map((set) => predictor.cost(set.tables)),
  );
}

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
