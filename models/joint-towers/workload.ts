import type { Sharding, Tower } from "../../src/access/traffic/exchange.js";
import type { Workload } from "../../src/cost/dmt/workload.js";
import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import { withoutCopies } from "../table-placement/hot-rows.js";
import type {
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
} from "../table-placement/problem.js";
import { moduleOutput, type TowerShape, worldOf } from "./setting.js";
import { vectorsBeside } from "./table-options.js";

/** Bytes of an id, and of the length of a bag, as DMT's dataflow has them. */
const ID_BYTES = 8;
const LENGTH_BYTES = 4;

/** A tower as it was decided: its features (indices into the instance's), and where their tables lie. */
export interface PlacedTower {
  readonly features: readonly number[];
  readonly problem: PlacementProblem;
  readonly placement: Placement;
}

/** What the exchange of one iteration has to move: the cost model's words for a plan. */
export function workloadOf(joint: TowerJoint, shape: TowerShape, placed: readonly PlacedTower[]): Workload {
  const towers = placed.map(({ features, problem, placement }): Tower => {
    const outputDim = moduleOutput(joint, features.length);
    return {
      features: features.map((feature, k) => {
        const table = joint.tables[feature] as TowerTable;
        const { dim, poolingFactor: hotness } = table;
        const { hot } = chosenOption(problem, placement, k);
        return {
          ...{ dim, hotness, sharding: shardingOf(problem, placement, k, table) },
          ...(hot === undefined ? {} : { hot: { idShare: hot.share, vectors: vectorsBeside(table, hot.share) } }),
        };
      }),
      ...(outputDim === undefined ? {} : { outputDim }),
    };
  });
  return {
    world: worldOf(joint, shape),
    towers,
    localBatch: joint.batchPerGpu,
    elementBytes: joint.wireElementBytes,
    idBytes: ID_BYTES,
    lengthBytes: LENGTH_BYTES,
  };
}

/** The option that a placement has of a table. */
export function chosenOption(problem: PlacementProblem, { choices }: Placement, table: number): PlacementOption {
  const { option } = choices[table] as PlacementChoice;
  return (problem.tables[table] as PlacementTable).options[option] as PlacementOption;
}

/** Where a table of a placement lies, its hot rows apart: GPUs of the tower are its slots. */
export function shardingOf(
  problem: PlacementProblem,
  placement: Placement,
  table: number,
  { rows: allRows, dim, elementBytes }: TowerTable,
): Sharding {
  const option = chosenOption(problem, placement, table);
  const { shardingType, shards, hot, cache } = option;
  const rows = allRows - (hot?.rows ?? 0);
  const devices = withoutCopies(option, placement.choices[table]?.devices ?? []);
  // Of a table with a cache all rows are in the host's memory.
  const memory = cache === undefined ? "hbmBytes" : "hostBytes";
  const parts = devices.map((slot, k) => ({ slot, bytes: shards[k]?.[memory] as number }));
  if (shardingType === "row_wise") {
    return { kind: "rows", shards: parts.map(({ slot, bytes }) => ({ slot, rows: bytes / (dim * elementBytes) })) };
  }
  if (shardingType === "column_wise") {
    return {
      kind: "columns",
      shards: parts.map(({ slot, bytes }) => ({ slot, columns: bytes / (rows * elementBytes) })),
    };
  }
  return { kind: "table", slot: devices[0] as number };
}
