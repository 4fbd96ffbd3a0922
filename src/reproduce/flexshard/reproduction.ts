import type { Collective } from "../../instance/cluster.js";
import type { RowTiersObjective, Tier } from "../../instance/types/row-tiers.js";
import type { RowTiersHeuristicName } from "../../problems/row-tiers/methods/index.js";
import type { Figure3 } from "./figure3.js";
import type { Figure5 } from "./figure5.js";
import type { PublishedModel, PublishedSharding } from "./published.js";

/** A number of ours beside the paper's; `null` where the paper prints none. */
export interface Beside {
  readonly ours: number;
  readonly published: number | null;
}

/** Everything that `reproduce flexshard` shows, as plain data. */
export interface FlexShardReproduction {
  readonly figure3: Figure3;
  readonly models: readonly ModelReproduction[];
  readonly fits: readonly CollectiveFit[];
  /** Median over all cells of table 6 that hold milliseconds of |predicted − published| / published. */
  readonly medianRelativeError: number;
}

export interface ModelReproduction {
  /** The paper's name, such as `RM-1`. */
  readonly model: string;
  readonly instance: { readonly name: string; readonly sha256: string };
  /** Table 4; bytes are decimal gigabytes. */
  readonly specification: Readonly<
    Record<keyof PublishedModel["specification"], Beside & { readonly published: number }>
  >;
  readonly figure5: Figure5;
  /** RW, 2-tier and 3-tier. */
  readonly shardings: readonly ShardingReproduction[];
  /** One per objective; empty where they were not asked for. */
  readonly optima: readonly OptimumReproduction[];
}

export interface ShardingReproduction {
  readonly sharding: PublishedSharding;
  readonly method: RowTiersHeuristicName;
  /** Table 5, for every tier that the sharding uses. */
  readonly tiers: readonly { readonly tier: Tier; readonly rows: Beside; readonly share: Beside }[];
  /** Memory per GPU over the all-row_wise plan; the paper prints "~ 0". */
  readonly extraBytesPerGpu: number;
  /** Table 6: elements that a GPU sends in each direction of the global all-to-all, B·L·D of the row_wise rows. */
  readonly allToAllGlobalElements: Beside;
  /** 1 − those elements over RW's; `predicted` is the paper's analytical share (table 5), `observed` is from table 6. */
  readonly reduction: { readonly ours: number; readonly predicted: number | null; readonly observed: number | null };
  readonly milliseconds: readonly CollectiveTime[];
}

/** A cell of table 6: milliseconds of all passes of an iteration. */
export interface CollectiveTime {
  readonly collective: Collective;
  /** The fitted time of the bytes that our plan moves. */
  readonly predicted: number;
  readonly published: number;
  /** (predicted − published) / published. */
  readonly relativeError: number;
}

/** seconds = `latencySeconds` + bytes / `bytesPerSecond`, by relative least squares over table 6's cells. */
export interface CollectiveFit {
  readonly collective: Collective;
  readonly latencySeconds: number;
  readonly bytesPerSecond: number;
  readonly cells: readonly FitCell[];
}

/** What the paper publishes of one collective of one sharding, and how the fit meets it. */
export interface FitCell {
  readonly model: string;
  readonly sharding: PublishedSharding;
  /** Bytes per GPU in all passes, from the paper's own tables: none of ours. */
  readonly bytes: number;
  readonly publishedMilliseconds: number;
  readonly fittedMilliseconds: number;
  /** (fitted − published) / published. */
  readonly residual: number;
}

/** The proved optimum under one objective, and how far above it the paper's plans are. */
export interface OptimumReproduction {
  readonly objective: RowTiersObjective;
  readonly status: "proved" | "feasible";
  readonly seconds: number;
  /** No plan within the budget is below this: proved in exact arithmetic, rounded down. */
  readonly boundSeconds: number;
  /** (seconds − bound) / seconds, rounded up. */
  readonly provedGap: number;
  readonly tiers: readonly { readonly tier: Tier; readonly rows: number; readonly share: number }[];
  readonly plans: readonly GreedyGap[];
}

export interface GreedyGap {
  readonly sharding: PublishedSharding;
  readonly method: RowTiersHeuristicName;
  readonly seconds: number;
  /** seconds / optimum − 1. */
  readonly aboveOptimum: number;
}
