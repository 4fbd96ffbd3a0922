import { InputError } from "../errors/input-error.js";
import type { Instance, RowTiersInstance } from "../instance/instance.js";
import { withNamedFiles } from "../instance/load.js";
import { parseInstance } from "../instance/parse.js";
import type { TablePlacementInstance } from "../instance/table-placement-instance.js";
import type { TowerJoint, TowerPartitionInstance } from "../instance/tower-partition-instance.js";
import { instanceText } from "../interop/instance-text.js";
import type { JointTowersInput, RowTiersInput, TablePlacementInput, TowerPartitionInput } from "./input.js";

/** A partition of features alone. */
export type PlainTowersInstance = TowerPartitionInstance & { readonly joint?: undefined };

/** Towers with a cluster and tables. */
export type JointTowersInstance = TowerPartitionInstance & { readonly joint: TowerJoint };

/** The texts of instances that were made here, and by what: the files that they name are read when they are used. */
const made = new WeakMap<Instance, { readonly text: string; readonly caller: string }>();

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
  return construct("row-tiers", "rowTiers", input, file) as RowTiersInstance;
}

/** A table-placement instance from its keys, as {@link rowTiers} makes one of row tiers. Throws `InputError`. */
export function tablePlacement(input: TablePlacementInput, file?: string): TablePlacementInstance {
  return construct("table-placement", "tablePlacement", input, file) as TablePlacementInstance;
}

/** A tower-partition instance from its keys, as {@link rowTiers} makes one of row tiers. Throws `InputError`. */
export function towerPartition(input: TowerPartitionInput, file?: string): PlainTowersInstance;
/** With a cluster and tables: towers, hosts and places of tables are chosen together. */
export function towerPartition(input: JointTowersInput, file?: string): JointTowersInstance;
export function towerPartition(input: TowerPartitionInput | JointTowersInput, file?: string): TowerPartitionInstance {
  return construct("tower-partition", "towerPartition", input, file) as TowerPartitionInstance;
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
  if (origin === undefined) return instance;
  return withNamedFiles(instance, origin.text).catch((error: unknown) => {
    throw withoutPlace(error, origin.caller);
  });
}

function construct(problem: Instance["problem"], caller: string, input: object, file = "-"): Instance {
  const text = instanceText({ shardproof: 1, problem, ...input }, "json");
  try {
    const instance = parseInstance(text, file);
    made.set(instance, { text, caller });
    return instance;
  } catch (error) {
    throw withoutPlace(error, caller);
  }
}

/** Nobody has seen the text: the path of the key says where, its lines do not. */
function withoutPlace(error: unknown, caller: string): unknown {
  return error instanceof InputError ? new InputError(error.said, caller) : error;
}
