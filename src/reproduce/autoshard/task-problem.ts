import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import { Predictor } from "../../cost/neural/predict.js";
import type { SetPart, SetPolicy } from "../../cost/neural/set-cost.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import { shardBytes } from "../../cost/placement/formula.js";
import type { PlacementContext } from "../../heuristics/table-placement/heuristic.js";

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
  readonly instance: NonNullable<PlacementContext["instance"]>;
}

/** A task as placement methods take it: every table whole, on any device, sets costed by the guide. */
export function taskProblem({ tables, devices, hbmBytes }: Task, guide: Guide): TaskProblem {
  const { network, seen, policy } = guide;
  const shown = seen === undefined ? tables : tables.map(seen);
  const predictor = new Predictor(network, shown);
  const parts = tables.map(({ dim }, table): SetPart => ({ table, dim, cost: predictor.cost([table]) }));
  const names = tables.map((_, t) => `t${t}`);
  const problem: PlacementProblem = {
    name: "task",
    nodes: 1,
    gpusPerNode: devices,
    hbmBytes: new Array<number>(devices).fill(hbmBytes ?? Number.MAX_SAFE_INTEGER),
    hostBytes: null,
    hostIsPooled: false,
    tables: tables.map((table, t) => ({
      name: names[t] as string,
      devices: null,
      options: [
        {
          shardingType: "table_wise",
          kernel: "fused",
          partitionBy: "device",
          shards: [{ cost: (parts[t] as SetPart).cost, hbmBytes: shardBytes(table), hostBytes: 0 }],
        },
      ],
    })),
    together: [],
    apart: [],
    setCost: {
      parts,
      partOf: (table) => table,
      costOfSet: (set) => predictor.cost(set),
      ...(policy === undefined ? {} : { policy: { ...policy, network, tables: shown } }),
    },
  };
  return { problem, instance: { tables: tables.map((features, t) => ({ name: names[t] as string, features })) } };
}
