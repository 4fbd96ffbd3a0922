import type { Fact } from "../facts/facts.js";
import type { PlanTable } from "../facts/plan-table.js";
import type { Tile } from "../facts/tiles.js";
import type { Said } from "../text/said.js";
import type { Chart } from "./chart.js";

/** What a page says of two plans of one instance: in what another plan differs from the best. */
export interface Difference {
  readonly said: Said;
  readonly tables: readonly PlanTable[];
  readonly charts: readonly Chart[];
}

/** Two plans of one instance as a comparison calls them, the best first. */
export interface ComparedPair<Plan> {
  readonly best: Plan;
  readonly other: Plan;
  readonly names: readonly [best: string, other: string];
  /** Begins the names of its charts. */
  readonly id: string;
}

/** What a page says of one plan. */
export interface Section {
  /** What was asked, in one sentence. */
  readonly question: Said;
  /** The answer in one sentence. */
  readonly answer: Said;
  /** Of which plans alone an optimum is one, where not of all: `of the best partitions`. */
  readonly among?: string;
  /** What is said in large type below it. */
  readonly tiles?: readonly Tile[];
  /** What was asked. */
  readonly asked: readonly Fact[];
  /** What is known. */
  readonly facts: readonly Fact[];
  /** The decision in full, after the charts; a table that `leads` stands before all charts but the first screen's. */
  readonly tables: readonly PlanTable[];
  readonly charts: readonly Chart[];
  /** How many of the charts, from the first, stand on the first screen: 1 where nothing is said. */
  readonly leading?: number;
}
