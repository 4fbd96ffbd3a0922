import type { Collective } from "../../../instance/cluster.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { PlanEnvelope, PlanValue } from "../../plan-file/envelope.js";
import type { goalUnit, RowTiersGoalName, RowTiersObjective, TableFrom, Tier } from "../instance/instance.js";

/**
 * A row-tiers plan as its file has it: plain JSON, in bytes, seconds and rows. Every number but those under `timing` is
 * computed exactly and rounded once, to the nearest double (bounds downwards, gaps upwards), so that equal input gives
 * equal bytes; fractions that decide are kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, the runs and the certificate, every field follows from those and the
 * instance: `shardproof verify` computes all of them again.
 */
export interface RowTiersPlan extends Omit<PlanEnvelope, "stopped"> {
  readonly problem: "row-tiers";
  /** `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked. */
  readonly status: Verdict["status"] | "heuristic";
  /** Of the first goal; `null` where there is none. `bound` is proved in exact arithmetic. */
  readonly objective: PlanObjective;
  /** Only where the instance has goals: seconds per iteration of the instance's objective, whatever the first goal is. */
  readonly time?: { readonly kind: RowTiersObjective; readonly seconds: number };
  /** Only where the instance has goals: each in turn, the earlier ones held. */
  readonly stages?: readonly PlanStage[];
  /** Only where the instance has a plan to move from; `null` where there is no plan to move to. */
  readonly moves?: PlanMoves | null;
  /** The numbers that the status rests on, as integers or fractions in lowest terms. */
  readonly exact: PlanExact;
  readonly memory: PlanMemory;
  readonly tables: readonly PlanTable[];
  /** Seconds per iteration with latency, whether or not the objective counts them; `null` where there is no plan. */
  readonly collectives: PlanCollectives | null;
  readonly prices: PlanPrices;
  /** FlexShard's greedy methods beside the proved bound. */
  readonly baseline: readonly PlanBaseline[];
  readonly infeasibility: PlanInfeasibility | null;
  readonly proof: PlanProof | null;
}

/** Rows that change the tier that the plan before has them in. */
export interface PlanMoves {
  /** The plan before, as the instance names it. */
  readonly plan: string;
  readonly rows: number;
  /** Bytes that a GPU receives for them, parameters and the optimizer's state (src/cost/row-moves.ts). */
  readonly bytesPerGpu: number;
  /** By what the rows of each table are known again (see `TableFrom`); `new`: the table is. */
  readonly knownBy: readonly { readonly table: string; readonly by: TableFrom["by"] | "new" }[];
  readonly moves: readonly {
    readonly table: string;
    readonly from: Tier;
    readonly to: Tier;
    readonly rows: number;
    readonly bytesPerGpu: number;
  }[];
}

/**
 * One of several goals in order: no plan that keeps to what the stages before it hold (`most`) has less than `bound` of it.
 * Seconds, bytes, rows.
 */
export interface PlanStage {
  readonly minimize: RowTiersGoalName;
  /** How much worse it may be for the goals after it: `5 %`, or an amount. */
  readonly allow: string;
  readonly unit: ReturnType<typeof goalUnit>;
  readonly status: Verdict["status"];
  /** What the plan has of it; at most `most`. */
  readonly value: number;
  /** The least that was found, of a plan of its own. */
  readonly best: number;
  readonly bound: number;
  /** Between `best` and `bound`. */
  readonly gap: number;
  /** The most that later stages may have. */
  readonly most: number;
  readonly floor: PlanFloor;
  /** Integers or fractions in lowest terms. */
  readonly exact: Readonly<Record<"value" | "best" | "bound" | "most", string>>;
  /** The plan of `best`, per table as in {@link PlanTable}; `null` of the last, whose plan is the file's. */
  readonly runs: readonly (readonly (readonly [rows: number, tier: Tier])[])[] | null;
  readonly proof: PlanProof;
  /** `null` of the first, whose certificate is the file's. */
  readonly certificate: Certificate | null;
}

export interface PlanFloor {
  /** The limits that multipliers of the certificate price, which prove nearly as much by themselves; `null` where none do. */
  readonly binding: readonly { readonly limit: string; readonly at: number }[] | null;
  /** The table and the tier that most of the value is of, and their share of it; `null` where it is zero. */
  readonly largest: { readonly table: string; readonly tier: Tier; readonly share: number } | null;
  readonly words: string;
}

/** Seconds per iteration, with latency; `hostToDevice` only where the instance allows the tier `host`. */
export type PlanCollectives = Readonly<Record<Exclude<Collective, "hostToDevice">, number>> & {
  readonly hostToDevice?: number;
};

export interface PlanObjective extends PlanValue {
  /** The instance's objective, or the first goal's name where it is not the time. */
  readonly kind: RowTiersObjective | RowTiersGoalName;
}

export interface PlanExact {
  readonly value: string | null;
  readonly bound: string | null;
  readonly bytesPerGpu: string | null;
  readonly budgetBytesPerGpu: string;
  /** Only where the instance allows the tier `host`. */
  readonly hostBytesPerNode?: string | null;
}

export interface PlanMemory {
  readonly bytesPerGpu: number | null;
  readonly budgetBytesPerGpu: number;
  /** The GPU's own memory where the instance gives it: a budget above it is only worth a warning. */
  readonly hbmBytesPerGpu: number | null;
  /** Only where the instance allows the tier `host`. */
  readonly host?: { readonly bytesPerNode: number | null; readonly budgetBytesPerNode: number };
}

export interface PlanTable {
  readonly name: string;
  readonly rows: number;
  /** One entry per tier that the instance allows, in its order; empty where there is no plan. */
  readonly tiers: readonly PlanTier[];
  /** The decision in full: [rows, tier] from the hottest row to the coldest. */
  readonly runs: readonly (readonly [rows: number, tier: Tier])[];
}

export interface PlanTier {
  readonly tier: Tier;
  readonly rows: number;
  /** Share of all accesses to the table. */
  readonly accessShare: number;
  readonly parameterBytes: number;
  /** Expected bytes that one sample reads. */
  readonly readBytesPerSample: number;
  readonly memoryBytesPerGpu: number;
  /** Only in the tier `host`. */
  readonly hostBytesPerNode?: number;
  /** Seconds per iteration of the tier's collectives for this table alone, without latency. */
  readonly collectives: Readonly<Partial<Record<Collective, number>>>;
}

/**
 * Shadow prices: what multipliers of the certificate charge for memory, those that prove the highest bound by themselves. `null`
 * (`host` is left out) where that bound is not within 0.1 % of the plan, or the asked gap: then no price says much.
 */
export interface PlanPrices {
  /** How that bound changes with one more GiB of memory per GPU: not positive. */
  readonly secondsPerGiBPerGpu: number | null;
  /** Seconds that it falls per byte: an integer or a fraction. */
  readonly pricePerByte: string | null;
  /** The same for host memory, per GiB and byte of a node's; only where the instance allows the tier `host`. */
  readonly host?: { readonly secondsPerGiBPerNode: number; readonly pricePerByte: string };
}

export interface PlanBaseline {
  readonly method: string;
  readonly status: "within-budget" | "over-budget" | "not-applicable";
  readonly reason: string | null;
  readonly value: number | null;
  readonly bytesPerGpu: number | null;
  /** (value − bound) / bound with the proved bound; `null` where the plan is over the budget or the bound is 0. */
  readonly aboveBound: number | null;
  /** [rows, tier] per table, as in {@link PlanTable}. */
  readonly runs: readonly (readonly (readonly [rows: number, tier: Tier])[])[] | null;
}

export interface PlanInfeasibility {
  /** The least memory of any plan. */
  readonly leastBytesPerGpu: number;
  /** The least memory that each table needs by itself, largest first. */
  readonly tables: readonly { readonly name: string; readonly leastBytesPerGpu: number }[];
  /** The fewest tables that together already need more than the budget. */
  readonly conflict: readonly string[];
  readonly explanation: string;
}

export interface PlanProof {
  /** Classes of interchangeable rows: the size of the program that was proved. */
  readonly classes: number;
  readonly columns: number;
  readonly steps: number;
  readonly branchings: number;
}
