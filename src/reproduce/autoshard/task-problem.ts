import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import { halvings } from "../../cost/neural/halvings.js";
import type { SetCost, SetPolicy } from "../../cost/neural/set-cost.js";
import { shardCosts } from "../../cost/neural/shard-costs.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import type { PlacementContext } from "../../problems/table-placement/methods/heuristic.js";

/** Ways to cut one table. */
const MAX_OPTIONS = 100;

/** Tables to place on equal devices. */
export interface Task {
  readonly tables: readonly NetworkTable[];
  readonly devices: number;
  /** Bytes of memory of a device; `null` where it does not limit. */
  readonly hbmBytes: number | null;
}

/** What predicts the costs that methods go by. */
export interface Guide {
  readonly network: TrainedNetwork;
  /** What the network sees of a table; the table itself where absent. */
  readonly seen?: (table: NetworkTable) => NetworkTable;
  /** A policy that learned under this network. */
  readonly policy?: Pick<SetPolicy, "file" | "text">;
}

export interface TaskProblem {
  readonly problem: PlacementProblem;
  /** The problem's own. */
  readonly setCost: SetCost;
  readonly instance: NonNullable<PlacementContext["instance"]>;
}

/**
 * A task as placement methods take it: every table on any device, sets costed by the guide. Tables are whole, or may be halved
 * by columns again and again into at most `mostShards`.
 */
export function taskProblem({ tables, devices, hbmBytes }: Task, guide: Guide, mostShards = 1): TaskProblem {
  const { network, seen, policy } = guide;
  const widths = tables.map(({ dim }) => halvings(dim, mostShards, MAX_OPTIONS));
  const { options, shapes, ...costs } = shardCosts(network, tables, widths, seen);
  const setCost: SetCost = {
    ...costs.setCost,
    ...(policy === undefined ? {} : { policy: { ...policy, network, tables: shapes } }),
  };
  const names = tables.map((_, t) => `t${t}`);
  const problem: PlacementProblem = {
    name: "task",
    nodes: 1,
    gpusPerNode: devices,
    hbmBytes: new Array<number>(devices).fill(hbmBytes ?? Number.MAX_SAFE_INTEGER),
    hostBytes: null,
    hostIsPooled: false,
    tables: names.map((name, t) => ({
      name,
      devices: null,
      options: (options[t] ?? []).map(({ shardingType, kernel, partitionBy, shards }) => ({
        ...{ shardingType, kernel, partitionBy },
        shards: shards.map(([, { cost, hbmBytes: bytes, hostBytes }]) => ({ cost, hbmBytes: bytes, hostBytes })),
      })),
    })),
    together: [],
    apart: [],
    setCost,
  };
  const listed = tables.map((features, t) => ({ name: names[t] as string, features }));
  return { problem, setCost, instance: { tables: listed } };
}
