import type { Fact } from "../problems/facts.js";
import type { PlanTable } from "../problems/plan-table.js";
import type { Said } from "../text/said.js";
import type { Chart } from "./chart.js";

/** What a page says of one plan. */
export interface Section {
  /** The answer in one sentence. */
  readonly answer: Said;
  /** What was asked. */
  readonly asked: readonly Fact[];
  /** What is known. */
  readonly facts: readonly Fact[];
  /** The decision in full, after the charts. */
  readonly tables: readonly PlanTable[];
  readonly charts: readonly Chart[];
}
