import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { WrittenChoices } from "../../table-placement/plan-file/plan-file.js";
import type { TowerPartitionPlan } from "../../tower-partition/plan-file/plan-file.js";

/** A plan of towers, hosts and places of tables, chosen together: the file of towers alone, and what is beside them. */
export interface JointTowersPlan extends TowerPartitionPlan {
  readonly joint: JointPlan;
}

/** A plan file of towers: with tables, or without. */
export interface TowersPlan extends TowerPartitionPlan {
  readonly joint?: JointPlan;
}

/**
 * What a tower-partition plan has where the instance has a cluster and tables: the number of towers T, the hosts of each K and
 * the places of the tables, chosen together. The rest of the plan file is about the chosen towers as a partition; its `status`
 * is that of the whole choice.
 *
 * What is proved: of each (T, K) that its partition is the best by the instance's objective among those whose towers'
 * tables have a place, to the gap that was asked for, and that no placement of *those* towers' tables has fewer exposed
 * seconds. Another partition, worse by the objective or as good, may have a faster exchange. A (T, K) is `infeasible`
 * where no partition at all has a place, proved; where that is not known it stays open, with a bound that holds of
 * every partition, and so does one whose partition is not proved to be the best.
 *
 * Apart from the numberings, `choices` and certificates, every field follows from those and the instance.
 */
export interface JointPlan {
  /** The (T, K) of the least seconds; `null` where none has a plan. */
  readonly chosen: { readonly towers: number; readonly hostsPerTower: number } | null;
  /** Exposed seconds per iteration of the chosen one, and the least bound of all that are not infeasible. */
  readonly seconds: JointSeconds;
  readonly memory: { readonly hbmBytesPerGpu: number | null };
  readonly flat: JointFlat;
  /** The chosen one's exchange, step by step; `null` where there is none. */
  readonly steps: readonly JointStep[] | null;
  /** Names of the shards on each GPU; a table in one shard has its own name, others `NAME#0`, `NAME#1`, …. */
  readonly devices: readonly (readonly string[])[] | null;
  readonly deviceBytes: readonly number[] | null;
  /** Elements per sample that each GPU looks up and sends; copies of hot rows send none. */
  readonly deviceElements: readonly number[] | null;
  /** What each GPU has of its tower's tables in its host's memory. Left out where no caches are to be chosen. */
  readonly deviceHostBytes?: readonly number[] | null;
  readonly tables: readonly JointTable[] | null;
  /** Every (T, K) that the cluster allows, T falling. */
  readonly rows: readonly JointRow[];
}

/** Seconds per iteration that training waits for the embedding exchange: all steps but the ids, forward and backward. */
export interface JointSeconds {
  readonly value: number | null;
  /** Proved in exact arithmetic. */
  readonly bound: number | null;
  /** |value − bound| / |value|. */
  readonly gap: number | null;
  /** Both as integers or fractions in lowest terms. */
  readonly exact: { readonly value: string | null; readonly bound: string | null };
}

/** The flat exchange with all tables on all GPUs, placed by the same method. */
export interface JointFlat {
  readonly status: JointStatus;
  readonly seconds: JointSeconds;
  readonly idSeconds: number | null;
  readonly largestBytes: number | null;
  /** Its exchange, step by step; `null` where there is none. */
  readonly steps: readonly JointStep[] | null;
  /** `null`: that of the row of one tower, which is the same. */
  readonly placement: JointPlacement | null;
}

/** As in `Verdict`; `unknown`: nothing was proved within the limits. */
export type JointStatus = Verdict["status"] | "unknown";

export interface JointRow {
  readonly towers: number;
  readonly hostsPerTower: number;
  /** What follows from the proofs of the partition and of the places: see `rowClaim`. */
  readonly status: JointStatus;
  /** Why there is no plan, or none of a partition proved to be the best. */
  readonly reason: string | null;
  readonly seconds: JointSeconds;
  /** Seconds of step a, which are fetched ahead and not among the others. */
  readonly idSeconds: number | null;
  readonly partition: JointPartition;
  /**
   * Elements per sample of the busiest GPU, and bytes of the fullest. With hot rows and caches there are as many elements more as would
   * take what synchronising copies and reading misses takes.
   */
  readonly largestElements: number | null;
  readonly largestBytes: number | null;
  /** One for each tower; `null` where there is no partition. */
  readonly placements: readonly JointPlacement[] | null;
}

export interface JointPartition {
  /** Of all partitions that the limits allow and in which no tower has what is `unplaceable`. */
  readonly status: JointStatus;
  readonly value: number | null;
  readonly bound: number | null;
  readonly gap: number | null;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** The tower of each feature, from 0. */
  readonly numbering: readonly number[] | null;
  /** `null` without a proof, and of the chosen one, whose certificate is the plan's. */
  readonly certificate: Certificate | null;
  /** Left out where there is nothing. */
  readonly unplaceable?: readonly JointUnplaceable[];
}

/** Features whose tables have no place together on the GPUs of one tower: the certificate shows it of their placement. */
export interface JointUnplaceable {
  readonly features: readonly string[];
  readonly certificate: Certificate;
}

/** The tables of one tower on its GPUs: least elements per sample on the busiest (see {@link JointRow.largestElements}). */
export interface JointPlacement {
  readonly status: JointStatus;
  readonly largestElements: number | null;
  /** Proved: no placement has fewer. An integer or a fraction in lowest terms. */
  readonly bound: string | null;
  /** For each table of the tower its option, and the slot (GPU of the tower) of each shard. */
  readonly choices: WrittenChoices | null;
  readonly certificate: Certificate | null;
}

export interface JointStep {
  readonly pass: "forward" | "backward";
  /** The paper's letter; `b`: what misses of caches take; `sync`: the all-reduce of hot rows' gradients inside towers. */
  readonly step: string;
  /** Ranks of one collective; 1: a move in a GPU's own memory. */
  readonly world: number;
  /** Bytes that the busiest GPU sends or receives over each kind of link. */
  readonly insideHostBytes: number;
  readonly acrossHostsBytes: number;
  /** Bytes that the busiest GPU reads of its host's memory. Left out but for the step that reads them. */
  readonly hostMemoryBytes?: number;
  readonly seconds: number;
}

/** The decision for one table. */
export interface JointTable {
  readonly name: string;
  readonly tower: number;
  readonly shardingType: string;
  /** The GPU of each shard, from 0 over the whole cluster. */
  readonly ranks: readonly number[];
  /** Columns of each shard; rows of each where it is by rows. */
  readonly sizes: readonly number[];
  /** Its hottest rows, which are on every GPU of its tower; all else is about the others. Left out where there are none. */
  readonly hotRows?: number;
  /** Of the rows that are in the host's memory the share in a cache. Left out where they are not there. */
  readonly cacheLoadFactor?: number;
}
