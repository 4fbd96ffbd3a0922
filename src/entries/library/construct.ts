import { InputError } from "../../errors/input-error.js";
import { withNamedFiles } from "../../instance/load.js";
import { parseWith } from "../../instance/parse.js";
import type { InstanceReader } from "../../instance/reader.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { TowerJoint, TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { instanceText } from "../../interop/instance-text.js";
import { type Instance, opened as withContents } from "../../problems/planning/instances.js";
import { rowTiersReader } from "../../problems/row-tiers/instance/reader.js";
import { tablePlacementReader } from "../../problems/table-placement/instance/reader.js";
import { towerPartitionReader } from "../../problems/tower-partition/instance/reader.js";
import type { JointTowersInput, RowTiersInput, TablePlacementInput, TowerPartitionInput } from "./input.js";

/** A partition of features alone. */
export type PlainTowersInstance = TowerPartitionInstance & { readonly joint?: undefined };

/** Towers with a cluster and tables. */
export type JointTowersInstance = TowerPartitionInstance & { readonly joint: TowerJoint };

/** The texts of instances that were made here, and by what: the files that they name are read when they are used. */
const made = new WeakMap<Instance, Origin>();

interface Origin {
  readonly reader: InstanceReader<Instance>;
  readonly text: string;
  readonly caller: string;
}

/**
 * A row-tiers instance from its keys: checked as a file would be, its defaults filled in.
 *
 * ```ts
 * const instance = rowTiers({
 *   name: "items",
 *   cluster: { nodes: 4, gpusPerNode: 8, bandwidth: { allToAllGlobal: 25e9, allToAllIntra: 150e9 } },
 *   training: { batchPerGpu: 1024, replicaMemoryFactor: 6 },
 *   tiers: ["row_wise"],
 *   tables: [{ name: "items", rows: 100, dim: 64, access: { histogram: [[100, 0.1]] } }],
 * });
 * ```
 *
 * `file` is where the instance lies, or will: plans name it, and the files that the instance names are relative to it.
 * Without it they are relative to the working directory, and plans name `-`.
 *
 * Throws `InputError` with the path of the first key that is wrong.
 */
export function rowTiers(input: RowTiersInput, file?: string): RowTiersInstance {
  return construct(rowTiersReader, "rowTiers", input, file);
}

/** A table-placement instance from its keys, as {@link rowTiers} makes one of row tiers. Throws `InputError`. */
export function tablePlacement(input: TablePlacementInput, file?: string): TablePlacementInstance {
  return construct(tablePlacementReader, "tablePlacement", input, file);
}

/** A tower-partition instance from its keys, as {@link rowTiers} makes one of row tiers. Throws `InputError`. */
export function towerPartition(input: TowerPartitionInput, file?: string): PlainTowersInstance;
/** With a cluster and tables: towers, hosts and places of tables are chosen together. */
export function towerPartition(input: JointTowersInput, file?: string): JointTowersInstance;
export function towerPartition(input: TowerPartitionInput | JointTowersInput, file?: string): TowerPartitionInstance {
  return construct(towerPartitionReader, "towerPartition", input, file);
}

/**
 * The text of an instance file with these keys; written to `file`, it is the instance that the constructor makes of the same
 * keys and `file`, so that plans of either are plans of both.
 */
export function writeInstance(problem: "row-tiers", input: RowTiersInput): string;
export function writeInstance(problem: "table-placement", input: TablePlacementInput): string;
export function writeInstance(problem: "tower-partition", input: TowerPartitionInput | JointTowersInput): string;
export function writeInstance(problem: Instance["problem"], input: object): string {
  return instanceText({ shardproof: 1, problem, ...input }, "json");
}

/** With the files that an instance made here names read, for its hash; others are as they are. Throws `InputError`. */
export async function opened(instance: Instance): Promise<Instance> {
  const origin = made.get(instance);
  if (origin === undefined) return withContents(instance);
  const named = await withNamedFiles([origin.reader], instance, origin.text).catch((error: unknown) => {
    throw withoutPlace(error, origin.caller);
  });
  return withContents(named);
}

function construct<I extends Instance>(reader: InstanceReader<I>, caller: string, input: object, file = "-"): I {
  const text = instanceText({ shardproof: 1, problem: reader.problem, ...input }, "json");
  try {
    const instance = parseWith([reader], text, file);
    made.set(instance, { reader, text, caller });
    return instance;
  } catch (error) {
    throw withoutPlace(error, caller);
  }
}

/** Nobody has seen the text: the path of the key says where, its lines do not. */
function withoutPlace(error: unknown, caller: string): unknown {
  return error instanceof InputError ? new InputError(error.said, caller) : error;
}
