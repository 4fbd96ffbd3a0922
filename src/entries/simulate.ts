/**
 * `shardproof/simulate`: sampled or logged traffic sent through a plan of rows, drawn look-ups through placed tables, and the
 * exchange of towers run on arrays rank by rank. It knows no cost model, so that what it counts is evidence for one.
 *
 * ```ts
 * import { simulatePlanText } from "shardproof/simulate";
 *
 * const { verdict } = await simulatePlanText(text, "plan.json", (file) => loadInstance(file));
 * ```
 */

export type { Sharding as TableSharding } from "../access/traffic/exchange.js";
export type * from "../access/traffic/placed-table.js";
export { flatSteps, type StepTraffic, spttSteps } from "../cost/dmt/steps.js";
export type { Workload } from "../cost/dmt/workload.js";
export { type ModelledTraffic, modelledTraffic, type PlacedAs } from "../cost/placement/predicted-traffic.js";
export type * from "../simulate/dataflow/exchange-problem.js";
export { type ExchangeSimulation, simulateExchange } from "../simulate/dataflow/simulate-exchange.js";
export type { PlacementComparison } from "../simulate/placement/comparisons.js";
export {
  type PlacementRun,
  type PlacementTraffic,
  type PlacementVerdict,
  type SimulatedCache,
  simulatePlacementTraffic,
} from "../simulate/placement/simulate-placement.js";
export { type EventsOptions, type SimulateOptions, simulatePlanText } from "../simulate/simulate.js";
export type {
  CollectiveTraffic,
  Comparison,
  MemoryUse,
  ReplayedTraffic,
  SampledTraffic,
  Simulation,
} from "../simulate/simulation.js";
