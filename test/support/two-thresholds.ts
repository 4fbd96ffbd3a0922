import type { RowClasses } from "../../src/access/row-classes.js";
import type { RowTiersInstance } from "../../src/instance/types/row-tiers.js";

/**
 * The least serial communication time of a memory-neutral plan for one table whose hottest rows are data-parallel, the
 * next flex and the rest row-wise: every number of data-parallel rows is tried, in doubles, with as many flex rows as fit
 * and pay. Written from FlexShard's tables 2 and 3 alone; shares no code with the cost model or the exact method. No plan
 * that is not so nested can be better, because moving a hotter row to an earlier tier in exchange for a colder one saves
 * both memory and time.
 */
export function bestTwoThresholds(instance: RowTiersInstance, access: RowClasses): number {
  const { cluster, training, tables } = instance;
  const [table] = tables;
  if (table === undefined || tables.length !== 1) throw new Error("one table was expected");
  if (instance.objective !== "serial" || instance.budget.kind !== "memory-neutral")
    throw new Error("serial, memory-neutral");
  const { allToAllGlobal = 0, allToAllIntra = 0, allReduceGlobal = 0, allReduceCross = 0 } = cluster.bandwidth;
  const gpus = cluster.nodes * cluster.gpusPerNode;
  const { batchPerGpu: batch, replicaMemoryFactor: replica } = training;
  const width = table.dim * table.elementBytes;
  const classes = access.rows.length;
  // Reads of the hottest rows, up to the start of each class.
  const starts = new Float64Array(classes + 1);
  const reads = new Float64Array(classes + 1);
  for (let k = 0; k < classes; k++) {
    starts[k + 1] = (starts[k] as number) + (access.rows[k] as number);
    reads[k + 1] = (reads[k] as number) + (access.rows[k] as number) * (access.appearances[k] as number);
  }
  const all = reads[classes] as number;
  const readsOf = (rows: number, from: number): { reads: number; at: number } => {
    let k = from;
    while (k < classes - 1 && (starts[k + 1] as number) < rows) k++;
    return { reads: (reads[k] as number) + (rows - (starts[k] as number)) * (access.appearances[k] as number), at: k };
  };
  // Flex beats row-wise in time for rows read more often than this.
  const flexPays = 1 / (cluster.gpusPerNode * allReduceCross) / (2 * batch * (1 / allToAllGlobal - 1 / allToAllIntra));
  let paying = 0;
  for (let k = 0; k < classes && (access.appearances[k] as number) > flexPays; k++) paying = starts[k + 1] as number;
  const flexExtra = replica / cluster.gpusPerNode - 1 / gpus;
  let best = Number.POSITIVE_INFINITY;
  let low = 0;
  let high = 0;
  for (let replicated = 0; replicated <= table.rows; replicated++) {
    const hot = readsOf(replicated, low);
    low = hot.at;
    const room = batch * hot.reads - replicated * (replica - 1 / gpus);
    if (room < -1e-9 * replicated * replica) {
      if ((access.appearances[hot.at] as number) * batch < replica - 1 / gpus) break;
      continue;
    }
    const flex = Math.max(0, Math.min(Math.floor(room / flexExtra), paying - replicated));
    const warm = readsOf(replicated + flex, Math.min(high, low) === low ? low : high);
    high = warm.at;
    const seconds =
      (2 * batch * width * (all - warm.reads)) / allToAllGlobal +
      (2 * batch * width * (warm.reads - hot.reads)) / allToAllIntra +
      (replicated * width) / allReduceGlobal +
      (flex * width) / cluster.gpusPerNode / allReduceCross;
    best = Math.min(best, seconds);
  }
  return best;
}
