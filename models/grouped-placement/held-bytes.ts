import { withReplicas } from "../../src/cost/placement/group-replicas.js";
import { tableShapes } from "../../src/cost/placement/table-shapes.js";
import type { TorchrecReplicas, TorchrecTable } from "../../src/cost/torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../../src/cost/torchrec/read-problem.js";
import { scatteredBytes, synchronisedBytes } from "../../src/cost/torchrec/replicas.js";
import type { PlacedDocument } from "../../src/instance/document.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { withoutCopies } from "../table-placement/hot-rows.js";
import type { Placement, PlacementOption, PlacementProblem } from "../table-placement/problem.js";

/** What the devices of a group hold of a copy, beside what the placement's evaluation says: entry by entry a device. */
export interface HeldBytes {
  /** Milliseconds of each iteration that its synchronisation takes; they are part of its cost. */
  readonly syncMilliseconds: readonly number[];
  /** Bytes that come on top of its memory during the look-ups; 0 where nothing is fully sharded. */
  readonly lookupBytes: readonly number[];
}

/** Of a group's placement: the synchronised bytes and those gathered for the look-ups, device by device. */
export function heldBytes(
  instance: TablePlacementInstance,
  { tables, nodes, gpusPerNode }: PlacementProblem,
  { choices }: Placement,
): HeldBytes {
  const torchrec = withReplicas(readPlacedTorchrecProblem(instance.torchrec as PlacedDocument), instance.group);
  const shapes = tableShapes(instance);
  const synchronised = new Array<number>(nodes * gpusPerNode).fill(0);
  const gathered = [...synchronised];
  for (const [t, { options }] of tables.entries()) {
    const { option, devices } = choices[t] as Placement["choices"][number];
    const own = options[option] as PlacementOption;
    const table = torchrec.tables[t] as TorchrecTable;
    const { shardingType, kernel } = own;
    // Copies of hot rows are data-parallel: nothing of them is synchronised.
    const ranks = withoutCopies(own, devices);
    const rows = table.rows - (own.hot?.rows ?? 0);
    const blocks = shapes.of(t, { shardingType, shardCount: ranks.length, rows }) ?? [];
    for (const [k, device] of ranks.entries()) {
      const shape = blocks[k] as (typeof blocks)[number];
      synchronised[device] = (synchronised[device] as number) + synchronisedBytes(torchrec, table, shardingType, shape);
      gathered[device] = (gathered[device] as number) + scatteredBytes(torchrec, table, kernel, shape);
    }
  }
  const { millisecondsPerByte } = torchrec.replicas as TorchrecReplicas;
  return { syncMilliseconds: synchronised.map((bytes) => bytes * millisecondsPerByte), lookupBytes: gathered };
}
