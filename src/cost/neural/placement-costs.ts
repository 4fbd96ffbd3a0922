import { fileReason } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { readNamedText } from "../../input/files.js";
import { resolveBeside } from "../../instance/load.js";
import type { TableFeatures, TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { TableCosts } from "../placement/instance-costs.js";
import type { NetworkTable } from "./features.js";
import { halvings } from "./halvings.js";
import type { SetCost, SetPolicy } from "./set-cost.js";
import { shardCosts } from "./shard-costs.js";
import type { TrainedNetwork } from "./trained-network.js";
import { readWeights } from "./weights.js";

/** Above this many lists of widths of one table nobody searches them, and listing them takes long. */
const MAX_OPTIONS = 1000;

/** What a cost network makes of an instance. */
export interface LearnedCosts {
  /** Every table whole, and in the widths that halvings give; a shard's own cost is what a device takes for it alone. */
  readonly tables: readonly TableCosts[];
  readonly setCost: SetCost;
}

/**
 * The options of an instance's tables, and the cost of sets of their shards, by the network that its cost model names.
 *
 * Throws `InputError` where the weights cannot be read, tables lack what the network sees, or splits are too many.
 */
export function learnedCosts(instance: TablePlacementInstance, weightsFile: string): LearnedCosts {
  const network = readNetwork(instance.file, weightsFile);
  const widths = instance.tables.map(({ name, features }) => {
    const lists = halvings((features as TableFeatures).dim, instance.splits?.maxShardsPerTable ?? 1, MAX_OPTIONS);
    if (lists.length < MAX_OPTIONS) return lists;
    const message = `expected fewer than ${MAX_OPTIONS} ways to cut table ${name} by columns, received more; lower splits.maxShardsPerTable`;
    throw new InputError(message, instance.file);
  });
  const tables = instance.tables.map((_, table) => featuresOf(instance, table));
  const { options, setCost, shapes } = shardCosts(network, tables, widths);
  return {
    tables: instance.tables.map(
      ({ features }, table): TableCosts => ({ options: options[table] ?? [], features, phases: null }),
    ),
    setCost: { ...setCost, ...policyOf(instance, network, shapes) },
  };
}

function policyOf(
  { costModel, file }: TablePlacementInstance,
  network: TrainedNetwork,
  tables: readonly NetworkTable[],
): { readonly policy?: SetPolicy } {
  if (costModel.kind !== "neural" || costModel.policy === undefined) return {};
  const { policy } = costModel;
  return {
    policy: { file: resolveBeside(file, policy), text: () => readNamed(file, "policy", policy), network, tables },
  };
}

function featuresOf({ tables, file }: TablePlacementInstance, table: number): NetworkTable {
  const { name, features } = tables[table] as TablePlacementInstance["tables"][number];
  if (features?.poolingFactor == null || features.accessBins === null) {
    const message = `table ${name}: expected poolingFactor and accessBins, which a cost network sees, received nothing; add them`;
    throw new InputError(message, file);
  }
  return { ...features, poolingFactor: features.poolingFactor, accessBins: features.accessBins };
}

/** The network of a file that an instance names. Throws `InputError` where it cannot be read. */
export function readNetwork(instanceFile: string, weightsFile: string): TrainedNetwork {
  return readWeights(readNamed(instanceFile, "neural", weightsFile), resolveBeside(instanceFile, weightsFile));
}

/** The text of a file that the cost model names under `key`. */
function readNamed(instanceFile: string, key: "neural" | "policy", file: string): string {
  try {
    return readNamedText(resolveBeside(instanceFile, file));
  } catch (error) {
    const said = `costModel.${key}: expected a file that can be read, received ${file} (${fileReason(error)}); paths are relative to the instance's file`;
    throw new InputError(said, instanceFile);
  }
}
