import type { PhaseName } from "../../../instance/types/table-placement.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { PlacementPlanTable, TablePlacementPlan, WrittenChoices } from "./plan-file.js";

/**
 * Why a placement is as it is, as `explain --json` has it: plain data, in the unit of the instance's costs and in bytes. Every
 * number but those under `timing` is computed exactly and rounded once, to the nearest double (bounds downwards).
 */
export interface PlacementExplanation extends Pick<TablePlacementPlan, "shardproof" | "problem" | "instance"> {
  readonly kind: "explanation";
  /** The plan that is explained: it was verified in the same run. */
  readonly plan: Pick<
    TablePlacementPlan,
    "method" | "status" | "objective" | "exact" | "digest" | "leftOut" | "runnable"
  >;
  /** `gap`: the plan's own. */
  readonly request: { readonly gap: number; readonly timeLimitSeconds: number; readonly seed: number };
  /** In the instance's order. */
  readonly tables: readonly ExplainedTable[];
  readonly devices: readonly ExplainedDevice[];
  readonly binding: ExplainedBinding;
  readonly irreducible: IrreducibleParts;
  /** What was not computed, and why; empty where everything was. */
  readonly notComputed: readonly NotComputed[];
  readonly timing: { readonly totalSeconds: number };
}

export interface NotComputed {
  readonly what: string;
  /** For which tables; empty where it is for none in particular. */
  readonly tables: readonly string[];
  readonly reason: string;
}

/** An explanation with its proofs: what `explain --out` writes. */
export interface PlacementExplanationFile extends PlacementExplanation {
  readonly proofs: readonly ExplanationProof[];
}

/** What is chosen of a table beside its sharding type and kernel. */
export type ExplainedChoice = Pick<PlacementPlanTable, "hotRows" | "hotShare" | "cacheLoadFactor" | "missRate">;

export interface ExplainedTable extends ExplainedChoice {
  readonly name: string;
  /** Number of the option that the plan takes, from 0, and how many there are. */
  readonly option: number;
  readonly options: number;
  readonly shardingType: string;
  readonly kernel: string;
  readonly ranks: readonly number[];
  /** Over all shards; `null` where what a device costs is no sum over its shards. */
  readonly cost: number | null;
  /** The same by phase; `null` where the cost model knows none. */
  readonly phases: Readonly<Record<PhaseName, number>> | null;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  readonly least: LeastOfTable;
  readonly without: WithoutChoice;
}

/** What no option of a table avoids. */
export interface LeastOfTable {
  /** Every option costs some device at least this, and puts at least so many bytes on some device; `null` as for `cost`. */
  readonly shardCost: number | null;
  readonly shardBytes: number;
  /** Of all shards together. */
  readonly cost: number | null;
  readonly hbmBytes: number;
}

/**
 * What plans come to in which the table does not take the option that it has.
 *
 * - `bound`: none costs less than `bound`;
 * - `none`: there is no such plan within the limits, which is proved;
 * - `only-option`: the table has no other option;
 * - `not-computed`: no bound; `value` where such a plan was found.
 */
export interface WithoutChoice {
  readonly kind: "bound" | "none" | "only-option" | "not-computed";
  readonly bound: number | null;
  /** (bound − value) / value with the plan's own value, rounded down; below 0 where the bound shows no loss. */
  readonly above: number | null;
  /** The least cost of such a plan that was found; `null` where none was. */
  readonly value: number | null;
  /** (value − bound) / value, rounded up; `null` without a value. */
  readonly gap: number | null;
  /** Whose proof it is: the plan's own, which holds of these plans too, that of the options left out, or a search's. */
  readonly by: "plan" | "reduction" | "search" | null;
  readonly exact: { readonly bound: string | null; readonly value: string | null };
}

export interface ExplainedDevice {
  readonly device: number;
  /** As in the plan. */
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hbmLimit: number | null;
  /** It costs as much as the costliest device. */
  readonly isLargest: boolean;
  /** What it holds, the dearest first; of a table with several shards here their sum. */
  readonly tables: readonly { readonly name: string; readonly cost: number | null; readonly hbmBytes: number }[];
}

export interface ExplainedBinding {
  /** The devices with the largest cost, and the tables on them, the dearest there first. */
  readonly devices: readonly number[];
  readonly tables: readonly string[];
  /**
   * Whether device memory binds. `unlimited`: memory does not limit; `free`: no plan would be better without its limits, to
   * the gap of the plan's own proof; `binds`: without them one was found that costs less than any within them, as is proved;
   * `open`: neither is known.
   */
  readonly memory: "unlimited" | "free" | "binds" | "open";
  /** Without limits of device memory no plan costs less than `bound`, and one of `value` was found. */
  readonly withoutLimit: Pick<WithoutChoice, "bound" | "value" | "exact"> | null;
}

/** Parts of cost and memory that no choice of options avoids. */
export interface IrreducibleParts {
  /** The table whose cheapest option has the dearest shard; `share` is of the plan's value. */
  readonly shardCost: { readonly table: string; readonly cost: number; readonly share: number | null } | null;
  /** The table whose least option has the largest shard; `share` is of the largest device memory. */
  readonly shardBytes: { readonly table: string; readonly bytes: number; readonly share: number | null } | null;
  /** The least costs of all tables spread evenly over all devices. */
  readonly meanCost: { readonly cost: number; readonly share: number | null } | null;
  readonly meanBytes: { readonly bytes: number; readonly share: number | null };
}

export interface ExplanationProof {
  /** The table whose option is left out; `null`: the limits of device memory are. */
  readonly table: string | null;
  /** About the program of the instance without that option, or without limits of device memory. */
  readonly certificate: Certificate;
  /** A plan of that instance, options numbered without the one that is left out; `null` where none was found. */
  readonly choices: WrittenChoices | null;
}
