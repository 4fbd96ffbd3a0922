import type { SecondGoal, StageGoal } from "../../../../models/table-placement/problem.js";
import type { LeftOut } from "../../../cost/placement/instance-costs.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { PlanEnvelope, PlanValue } from "../../plan-file/envelope.js";
import type { PhaseName } from "../instance/instance.js";
import type { PlacementGroups } from "./groups.js";
import type { PlacementMigration } from "./migration.js";

/**
 * A table-placement plan as its file has it: plain JSON, in the unit of the instance's costs and in bytes. Every number
 * but those under `timing` is computed exactly and rounded once, to the nearest double (bounds downwards, gaps upwards),
 * so that equal input gives equal bytes; fractions that decide are kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, the rates of `prices`, `tables` (the option and the ranks of each), the
 * choices of the baselines and of the relaxed plan, and the certificate, every field follows from those and the
 * instance: `shardproof verify` computes all of them again.
 */
export interface TablePlacementPlan extends PlanEnvelope {
  readonly problem: "table-placement";
  readonly status: PlacementStatus;
  /** Options that the search was without, though the instance may be read as allowing them; absent where there are none. */
  readonly leftOut?: readonly LeftOut[];
  /** `false`: options that TorchRec prices and cannot run were among them; absent: none was. */
  readonly runnable?: false;
  /** What the goal comes to; `null` where there is no plan. `bound` is proved in exact arithmetic. */
  readonly objective: PlacementObjective;
  /** The second goal among the plans that are as good; `null` where none was asked for, or there is no plan. */
  readonly second: PlacementSecond | null;
  /** Goals in order, each with a proof of its own; absent where the instance has no list of goals, `null` without a plan. */
  readonly stages?: readonly PlacementStage[] | null;
  /** With the goal `phases`, the largest cost that a device has in each; `null` otherwise. */
  readonly phases: readonly PlacementPhase[] | null;
  /** Tables that are not where the plan before had them; `null` where the instance limits none. */
  readonly moves: { readonly mostMoved: number; readonly moved: readonly string[] } | null;
  /** What it takes to come from where the tables are now; absent where the instance does not say where that is. */
  readonly migration?: PlacementMigration;
  /** Where the devices are parted into groups, every size of them; the rest of the file is about one group of the chosen size. */
  readonly groups?: PlacementGroups;
  /** The numbers that the status rests on, as integers or fractions in lowest terms. */
  readonly exact: PlacementExact;
  /** Names of the shards on each device; a table in one shard has its own name, others `NAME#0`, `NAME#1`, …; of one with hot rows on every device `NAME_hot` and `NAME_cold`. */
  readonly devices: readonly (readonly string[])[] | null;
  /** By table, the option taken and the device of each shard. */
  readonly choices: Readonly<Record<string, PlacedChoice>> | null;
  /** Σ cost of the shards on each device. */
  readonly deviceCosts: readonly number[] | null;
  /** Σ bytes of the shards on each device, in its own memory. */
  readonly deviceBytes: readonly number[] | null;
  readonly memory: PlacementMemory;
  /** One entry per table; empty where there is no plan. */
  readonly tables: readonly PlacementPlanTable[];
  /** What has to be known of the options taken beside their costs and bytes; absent: nothing. */
  readonly notes?: readonly string[];
  /** Published methods beside the proved bound. */
  readonly baseline: readonly PlacementBaseline[];
  readonly infeasibility: PlacementInfeasibility | null;
  /** What more memory and one more device would do; `null` where there is no proved bound. */
  readonly prices: PlacementPrices | null;
  readonly proof: PlacementProof | null;
}

/**
 * `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked;
 * `unknown`: nothing was proved within the limits; a plan, where one was found, is checked.
 */
export type PlacementStatus = Verdict["status"] | "heuristic" | "unknown";

export interface PlacementObjective extends PlanValue {
  /** With a list of goals, the first. */
  readonly kind: "largest-device-cost" | "sum-of-phase-maxima" | Exclude<StageGoal, "largest-cost" | "phases">;
  /** Of the costs, bytes (`B`) or `tables`; `null` where the instance does not say. */
  readonly unit: string | null;
}

/** The second goal, with a proof of its own: no plan whose largest cost is at most `exact.cap` has less of it. */
export interface PlacementSecond {
  readonly goal: SecondGoal;
  /** `null`: no bound was asked for, or the first goal was not proved within the limit. */
  readonly status: Verdict["status"] | null;
  readonly value: number;
  readonly bound: number | null;
  readonly gap: number | null;
  /** `cap` is within the asked gap of the first goal's bound. Integers or fractions in lowest terms. */
  readonly exact: { readonly cap: string | null; readonly value: string; readonly bound: string | null };
  readonly proof: PlacementProof | null;
  readonly certificate: Certificate | null;
}

/**
 * One of several goals in order: no plan that keeps to what the stages before it hold (`most`) has less than `bound` of it.
 * Bytes, tables, or the unit of the costs.
 */
export interface PlacementStage {
  readonly minimize: StageGoal;
  /** `5 %`, or an amount. */
  readonly allow: string;
  readonly unit: string | null;
  /** `null`: no bound was asked for, or there was no time for this stage. */
  readonly status: Verdict["status"] | null;
  /** What the plan has of it; at most `most`. */
  readonly value: number;
  /** The least that was found, of a placement of its own. */
  readonly best: number | null;
  readonly bound: number | null;
  /** Between `best` and `bound`. */
  readonly gap: number | null;
  /** The most that later stages may have. */
  readonly most: number | null;
  readonly floor: StageFloor | null;
  /** Integers or fractions in lowest terms. */
  readonly exact: {
    readonly value: string;
    readonly best: string | null;
    readonly bound: string | null;
    readonly most: string | null;
  };
  /** The placement of `best`; `null`: the plan's own, or none. */
  readonly choices: WrittenChoices | null;
  readonly proof: PlacementProof | null;
  /** `null`: the plan's own, which is the first stage's, or none. */
  readonly certificate: Certificate | null;
}

/**
 * What keeps a stage from less.
 *
 * - `shard`: a table's every option has so large a shard; `mean`: all tables at their least, spread evenly;
 * - `total`: every table at its least; `nothing`: there is nothing left to be less;
 * - `limits`: none of these alone, but limits that are in the way, or how shards fall together.
 */
export interface StageFloor {
  readonly kind: "shard" | "mean" | "total" | "nothing" | "limits";
  readonly table: string | null;
  /** Some of the devices that have most. */
  readonly devices: readonly number[];
  /** What the largest shard, the mean or the total comes to; the stage's own value is no less. */
  readonly value: number;
  readonly words: string;
}

export interface PlacementPhase {
  readonly phase: PhaseName;
  /** The largest cost of a device in it, and the first device that has it. */
  readonly cost: number;
  readonly device: number;
}

/**
 * What a change of the cluster is worth. Other problems are behind these values, each with a proof of its own; rates are the
 * search's word.
 */
export interface PlacementPrices {
  /** One GiB more on every device. */
  readonly gibPerGpu: PlacementPrice;
  /** One more device, or where there are several nodes one more node. */
  readonly device: PlacementPrice;
}

export interface PlacementPrice {
  /** The change, in words. */
  readonly change: string;
  /** What the bound that sees all devices as one pool changes by, at first, per unit: 0 or less. `null` where unknown. */
  readonly rate: number | null;
  /** The least cost after the change, to the same gap; `null` where it is not known. */
  readonly value: number | null;
  /** `value` − the plan's own. */
  readonly difference: number | null;
  /** Where `value` is not known: no plan costs less than this after the change; left out where nothing is proved. */
  readonly bound?: number;
  /** Why `value` is not known. */
  readonly reason: string | null;
  /** What shows `value` or `bound`, for the first goal of the changed problem; left out where nothing does. */
  readonly proof?: PlacementPriceProof;
}

export interface PlacementPriceProof {
  /** A placement of the changed problem; `null`: the plan's own. */
  readonly choices: WrittenChoices | null;
  /** About the changed problem's program; `null`: the steps of the plan's own. */
  readonly certificate: Certificate | null;
}

export interface PlacementExact {
  readonly value: string | null;
  readonly bound: string | null;
  readonly deviceCosts: readonly string[] | null;
}

/** An option and the device of each of its shards. */
export interface PlacedChoice {
  readonly shardingType: string;
  readonly kernel: string;
  /** Of the shards; where hot rows are copied to every device, of those of the other rows. */
  readonly ranks: readonly number[];
  /** The hottest rows, of which every device has a copy; absent: none. */
  readonly hotRows?: number;
  /** Share of the rows that the cache holds, where it is chosen. */
  readonly cacheLoadFactor?: number;
}

export interface PlacementMemory {
  /** One entry per device; `null` where memory does not limit. */
  readonly hbmBytesPerGpu: readonly number[] | null;
  /** One entry per device; `null` where host memory does not limit. */
  readonly hostBytesPerGpu: readonly number[] | null;
  readonly hostIsPooled: boolean;
  /** Σ bytes of host memory of the shards on each device; `null` where there is no plan, or none needs any. */
  readonly deviceHostBytes: readonly number[] | null;
  /** What shards may use of each device's SSD; absent where none limits. */
  readonly ssdBytesPerGpu?: readonly number[];
  /** Σ bytes on SSD of the shards on each device; absent where there is no plan, or none needs any. */
  readonly deviceSsdBytes?: readonly number[];
}

/** The decision in full for one table, and what it comes to over all shards. */
export interface PlacementPlanTable {
  readonly name: string;
  /** Number of the option among those with a place on the cluster, from 0. */
  readonly option: number;
  readonly shardingType: string;
  readonly kernel: string;
  readonly ranks: readonly number[];
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  /** Absent: none. */
  readonly ssdBytes?: number;
  /** The hottest rows, of which every device has a copy (its last ranks), and their share of the look-ups; absent: none. */
  readonly hotRows?: number;
  readonly hotShare?: number;
  /** Share of the rows that the cache holds, and of a batch's distinct rows that are not in it, where its size is chosen. */
  readonly cacheLoadFactor?: number;
  readonly missRate?: number;
}

/** Compact form of a placement: for each table its option and the device of each shard. */
export type WrittenChoices = readonly (readonly [option: number, ranks: readonly number[]])[];

export interface PlacementBaseline {
  readonly method: string;
  /** `none`: the method found no plan, which does not mean that there is none. */
  readonly status: "plan" | "breaks-limits" | "none";
  readonly reason: string | null;
  readonly value: number | null;
  /** (value − bound) / bound with the proved bound; `null` without a plan within the limits, or where the bound is 0. */
  readonly aboveBound: number | null;
  readonly choices: WrittenChoices | null;
}

export interface PlacementInfeasibility {
  /**
   * What is short: one table by itself, some tables by their total, some tables because too many of them would share a
   * device, or the arrangement of all of them although none of these is.
   */
  readonly kind: "rule" | "table" | "total" | "crowding" | "arrangement";
  readonly memory: "device" | "host" | "SSD" | "device and host" | "device and SSD" | "device, host and SSD";
  /** The tables that do not fit: the fewest that this program finds a short reason for. */
  readonly conflict: readonly string[];
  readonly bytesNeeded: number | null;
  readonly bytesAvailable: number | null;
  /** No less than this on every device, over what there is, makes the instance feasible; `null` where unknown. */
  readonly leastExtraBytesPerDevice: number | null;
  /** A placement that fits once every device has so much more; `null` where none was found. */
  readonly relaxed: { readonly extraBytesPerDevice: number; readonly choices: WrittenChoices } | null;
  readonly explanation: string;
}

export interface PlacementProof {
  /** Size of the direct program that was proved. */
  readonly columns: number;
  readonly rows: number;
  /**
   * With a learned cost, hot rows or sizes of caches: the program leaves out placements in which a device costs more than this. The
   * plan is none of those, so the bound holds of all placements. An integer or a fraction in lowest terms.
   */
  readonly ceiling?: string;
  readonly steps: number;
  readonly branchings: number;
}
