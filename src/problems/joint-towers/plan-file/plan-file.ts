import { z } from "zod";
import { statusTable } from "../../../plan-file/by-status.js";
import {
  covered,
  exactNumber,
  type Fields,
  listOf,
  type Named,
  number,
  text,
  word,
} from "../../../plan-file/fields.js";
import { certificateShape, exactShape } from "../../../plan-file/plan-shape.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import { certifiedShape } from "../../table-placement/plan-file/proof-on.js";
import { type TowerPartitionPlan, towerPartitionPlanSchema } from "../../tower-partition/plan-file/plan-file.js";

const numbers = listOf(number);
const exact = z.strictObject(exactShape);

/** As in `Verdict`; `unknown`: nothing was proved within the limits. */
export type JointStatus = Verdict["status"] | "unknown";
const status = word(...(Object.keys(statusTable([])).filter((each) => each !== "heuristic") as JointStatus[]));

const secondsFields = {
  value: number.nullable(),
  /** Proved in exact arithmetic. */
  bound: number.nullable(),
  /** |value − bound| / |value|. */
  gap: number.nullable(),
  /** Both as integers or fractions in lowest terms. */
  exact,
};
/** Seconds per iteration that training waits for the embedding exchange: all steps but the ids, forward and backward. */
export interface JointSeconds extends Fields<typeof secondsFields> {}
const seconds: Named<JointSeconds, typeof secondsFields> = z.strictObject(secondsFields);

const placementFields = {
  status,
  largestElements: number.nullable(),
  /** Proved: no placement has fewer. An integer or a fraction in lowest terms. */
  bound: exactNumber.nullable(),
  /** For each table of the tower its option, and the slot (GPU of the tower) of each shard. */
  choices: covered("chosen", listOf(z.tuple([number, numbers])).nullable()),
  ...certifiedShape,
};
/** The tables of one tower on its GPUs: least elements per sample on the busiest (see {@link JointRow.largestElements}). */
export interface JointPlacement extends Fields<typeof placementFields> {}
const placement: Named<JointPlacement, typeof placementFields> = z.strictObject(placementFields);

const unplaceableFields = {
  features: covered("chosen", z.array(text)),
  ...{ ...certifiedShape, certificate: certificateShape as z.ZodType<unknown, Certificate> },
};
/** Features whose tables have no place together on the GPUs of one tower: the certificate shows it of their placement. */
export interface JointUnplaceable extends Fields<typeof unplaceableFields> {}
const unplaceable: Named<JointUnplaceable, typeof unplaceableFields> = z.strictObject(unplaceableFields);

const partitionFields = {
  /** Of all partitions that the limits allow and in which no tower has what is `unplaceable`. */
  status,
  value: number.nullable(),
  bound: number.nullable(),
  gap: number.nullable(),
  exact,
  /** The tower of each feature, from 0. */
  numbering: covered("chosen", numbers.nullable()),
  /** `null` without a proof, and of the chosen one, whose certificate is the plan's. */
  certificate: certificateShape,
  /** Left out where there is nothing. */
  unplaceable: z.array(unplaceable).optional(),
};
export interface JointPartition extends Fields<typeof partitionFields> {}
const partition: Named<JointPartition, typeof partitionFields> = z.strictObject(partitionFields);

const rowFields = {
  towers: number,
  hostsPerTower: number,
  /** What follows from the proofs of the partition and of the places: see `rowClaim`. */
  status,
  /** Why there is no plan, or none of a partition proved to be the best. */
  reason: text.nullable(),
  seconds,
  /** Seconds of step a, which are fetched ahead and not among the others. */
  idSeconds: number.nullable(),
  partition,
  /**
   * Elements per sample of the busiest GPU, and bytes of the fullest. With hot rows and caches there are as many elements more as would
   * take what synchronising copies and reading misses takes.
   */
  largestElements: number.nullable(),
  largestBytes: number.nullable(),
  /** One for each tower; `null` where there is no partition. */
  placements: listOf(placement).nullable(),
};
export interface JointRow extends Fields<typeof rowFields> {}
const row: Named<JointRow, typeof rowFields> = z.strictObject(rowFields);

const stepFields = {
  pass: word("forward", "backward"),
  /** The paper's letter; `b`: what misses of caches take; `sync`: the all-reduce of hot rows' gradients inside towers. */
  step: text,
  /** Ranks of one collective; 1: a move in a GPU's own memory. */
  world: number,
  /** Bytes that the busiest GPU sends or receives over each kind of link. */
  insideHostBytes: number,
  acrossHostsBytes: number,
  /** Bytes that the busiest GPU reads of its host's memory. Left out but for the step that reads them. */
  hostMemoryBytes: number.optional(),
  seconds: number,
};
export interface JointStep extends Fields<typeof stepFields> {}
const step: Named<JointStep, typeof stepFields> = z.strictObject(stepFields);

const flatFields = {
  status,
  seconds,
  idSeconds: number.nullable(),
  largestBytes: number.nullable(),
  /** Its exchange, step by step; `null` where there is none. */
  steps: z.array(step).nullable(),
  /** `null`: that of the row of one tower, which is the same. */
  placement: placement.nullable(),
};
/** The flat exchange with all tables on all GPUs, placed by the same method. */
export interface JointFlat extends Fields<typeof flatFields> {}
const flat: Named<JointFlat, typeof flatFields> = z.strictObject(flatFields);

const tableFields = {
  name: text,
  tower: number,
  shardingType: text,
  /** The GPU of each shard, from 0 over the whole cluster. */
  ranks: numbers,
  /** Columns of each shard; rows of each where it is by rows. */
  sizes: numbers,
  /** Its hottest rows, which are on every GPU of its tower; all else is about the others. Left out where there are none. */
  hotRows: number.optional(),
  /** Of the rows that are in the host's memory the share in a cache. Left out where they are not there. */
  cacheLoadFactor: number.optional(),
};
/** The decision for one table. */
export interface JointTable extends Fields<typeof tableFields> {}
const table: Named<JointTable, typeof tableFields> = z.strictObject(tableFields);

const jointFields = {
  /** The (T, K) of the least seconds; `null` where none has a plan. */
  chosen: z.strictObject({ towers: number, hostsPerTower: number }).nullable(),
  /** Exposed seconds per iteration of the chosen one, and the least bound of all that are not infeasible. */
  seconds,
  memory: z.strictObject({ hbmBytesPerGpu: number.nullable() }),
  flat,
  /** The chosen one's exchange, step by step; `null` where there is none. */
  steps: z.array(step).nullable(),
  /** Names of the shards on each GPU; a table in one shard has its own name, others `NAME#0`, `NAME#1`, …. */
  devices: listOf(listOf(text)).nullable(),
  deviceBytes: numbers.nullable(),
  /** Elements per sample that each GPU looks up and sends; copies of hot rows send none. */
  deviceElements: numbers.nullable(),
  /** What each GPU has of its tower's tables in its host's memory. Left out where no caches are to be chosen. */
  deviceHostBytes: numbers.nullable().optional(),
  tables: z.array(table).nullable(),
  /** Every (T, K) that the cluster allows, T falling. */
  rows: listOf(row),
};
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
export interface JointPlan extends Fields<typeof jointFields> {}
const joint: Named<JointPlan, typeof jointFields> = z.strictObject(jointFields);

/** A plan of towers, hosts and places of tables, chosen together: the file of towers alone, and what is beside them. */
export interface JointTowersPlan extends TowerPartitionPlan {
  readonly joint: JointPlan;
}

/** A plan file of towers: with tables, or without. */
export interface TowersPlan extends TowerPartitionPlan {
  readonly joint?: JointPlan;
}

export const jointTowersPlanSchema = towerPartitionPlanSchema.extend({ joint });

export type WrittenJointTowersPlan = z.output<typeof jointTowersPlanSchema>;
export type WrittenJointPlan = z.output<typeof joint>;
export type WrittenUnplaceable = z.output<typeof unplaceable>;
