import { InputError } from "../../src/errors/input-error.js";
import type { PlacedDocument } from "../../src/instance/document.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { type PlacementModel, placementModel } from "./from-instance.js";
import type { PlacementOption, PlacementProblem } from "./problem.js";
import { withoutFreeMoves } from "./stage-problem.js";

const GIB = 2 ** 30;

/** Changes of the cluster that a plan has prices of. */
export const CHANGES = ["gibPerGpu", "device"] as const;
export type Change = (typeof CHANGES)[number];

/** The problem after a change, for its first goal alone; or why the instance does not say what it is. */
export interface ChangedProblem {
  readonly problem: PlacementProblem | null;
  readonly reason: string | null;
  /** How many devices are added. */
  readonly devices: number;
  /** Every placement of the problem itself is one of this too, and costs the same. */
  readonly isWider: boolean;
}

/** `gibPerGpu`: one GiB more on every device; `device`: one more device, or with several nodes one more node. */
export function changedProblem(
  change: Change,
  instance: TablePlacementInstance,
  model: PlacementModel,
): ChangedProblem {
  if (change === "gibPerGpu") {
    const hbmBytes = model.problem.hbmBytes.map((bytes) => Math.min(bytes + GIB, Number.MAX_SAFE_INTEGER));
    return { problem: firstGoal({ ...model.problem, hbmBytes }), reason: null, devices: 0, isWider: true };
  }
  return withMoreDevices(instance, model);
}

/**
 * The problem with one more device in its only node, or with one more node where there are several; what is added is like
 * the last one. Options of TorchRec's cost model are made anew for so many ranks; listed options stay what they are, so they
 * must not be cut for the number of devices.
 */
export function withMoreDevices(instance: TablePlacementInstance, { problem }: PlacementModel): ChangedProblem {
  const { nodes, gpusPerNode } = problem;
  const isOneNode = nodes === 1;
  const devices = isOneNode ? 1 : gpusPerNode;
  const shape = isOneNode ? { nodes, gpusPerNode: gpusPerNode + 1 } : { nodes: nodes + 1, gpusPerNode };
  // TorchRec's options are made anew for so many ranks.
  const isWider = instance.torchrec === null;
  const without = (reason: string): ChangedProblem => ({ devices, problem: null, reason, isWider });
  const changed = (more: PlacementProblem): ChangedProblem => ({
    devices,
    problem: firstGoal(more),
    reason: null,
    isWider,
  });
  const longer = (list: readonly number[]) => [...list, ...list.slice(-devices)];
  if (isWider) {
    if (problem.leftOut !== undefined) {
      return without("options are left out that have no place on its devices, and may have one on more");
    }
    const isCut = problem.tables.some(({ options }) => options.some((option) => isCutFor(option, problem)));
    if (isCut) return without("the options that the instance lists are cut for its number of devices");
    const { hbmBytes, hostBytes, ssdBytes } = problem;
    const hosts = hostBytes === null ? null : longer(hostBytes);
    return changed({
      ...{ ...problem, ...shape, hbmBytes: longer(hbmBytes), hostBytes: hosts },
      ...(ssdBytes === undefined ? {} : { ssdBytes: longer(ssdBytes) }),
    });
  }
  if (problem.stay !== undefined) return without("the plan that tables move from is for another number of devices");
  try {
    return changed(placementModel(withRanks(instance, shape, longer)).problem);
  } catch (error) {
    if (error instanceof InputError) return without("TorchRec's cost model does not take the larger cluster");
    throw error;
  }
}

/**
 * Whether an option's shards are as many as there are devices, in the cluster or in a node that would grow; or groups of them
 * share nodes only because there are no more.
 */
function isCutFor({ partitionBy, shardingType, shards, hot }: PlacementOption, problem: PlacementProblem): boolean {
  const { nodes, gpusPerNode } = problem;
  if (partitionBy === "uniform" || hot !== undefined) return true;
  if (partitionBy === "multi_host") return nodes === 1 || shards.length > nodes * gpusPerNode;
  return nodes === 1 && partitionBy === "host" && shardingType === "table_row_wise";
}

function withRanks(
  instance: TablePlacementInstance,
  shape: { readonly nodes: number; readonly gpusPerNode: number },
  longer: (list: readonly number[]) => number[],
): TablePlacementInstance {
  const { cluster } = instance;
  const document = instance.torchrec as PlacedDocument;
  const value = document.value as {
    readonly topology: { readonly pod_size?: number };
    readonly devices?: readonly unknown[];
  };
  const { pod_size: pod = 1 } = value.topology;
  const ranks = shape.nodes * shape.gpusPerNode;
  const { devices } = value;
  const added = ranks - cluster.nodes * cluster.gpusPerNode;
  return {
    ...instance,
    // What the larger cluster costs does not depend on where tables are now.
    from: null,
    cluster: {
      ...cluster,
      ...shape,
      hbmBytesPerGpu: cluster.hbmBytesPerGpu && longer(cluster.hbmBytesPerGpu),
      hostBytesPerGpu: cluster.hostBytesPerGpu && longer(cluster.hostBytesPerGpu),
      ssdBytesPerGpu: cluster.ssdBytesPerGpu && longer(cluster.ssdBytesPerGpu),
    },
    torchrec: {
      ...document,
      value: {
        ...value,
        topology: { ...value.topology, world_size: ranks, local_world_size: shape.gpusPerNode / pod },
        ...(devices && { devices: [...devices, ...devices.slice(-added)] }),
      },
    },
  };
}

function firstGoal({ thenMinimize: _second, stages: _stages, ...problem }: PlacementProblem): PlacementProblem {
  return withoutFreeMoves(problem);
}
