import type { RowClasses } from "../../access/row-classes.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import { flexshard2tier } from "../../problems/row-tiers/methods/flexshard.js";
import { hottestReplicated, mergedUnits } from "../../problems/row-tiers/methods/merged-units.js";
import { evaluateRuns } from "../../problems/row-tiers/plan-file/evaluate-runs.js";

/** Figure 5: more and more of the hottest rows data_parallel, the others row_wise, against all of them row_wise. */
export interface Figure5 {
  /** In steps of 0.1 % of the rows, as the paper marks them, until no memory is saved any more. */
  readonly curve: readonly ReplicatedRows[];
  /** A saves the most memory, B as much memory as none replicated, C communicates the least. */
  readonly points: Readonly<Record<"a" | "b" | "c", ReplicatedRows>>;
}

export interface ReplicatedRows {
  readonly rows: number;
  /** Memory per GPU over the all-row_wise plan's; below 0: saved. */
  readonly extraBytesPerGpu: number;
  /** Seconds of allToAllGlobal and allReduceGlobal over its. */
  readonly extraSeconds: number;
}

export function figure5(instance: RowTiersInstance, access: readonly RowClasses[]): Figure5 {
  const result = flexshard2tier(instance, access);
  if (result.kind !== "plan" || result.points === undefined) throw new RangeError(`${instance.name}: no such points`);
  const units = mergedUnits(instance, access);
  const at = (rows: number) => {
    const { memoryBytes, collectives } = evaluateRuns(instance, access, hottestReplicated(instance, units, rows));
    const seconds = (collectives.allToAllGlobal?.toNumber() ?? 0) + (collectives.allReduceGlobal?.toNumber() ?? 0);
    return { rows, bytes: memoryBytes, seconds };
  };
  const none = at(0);
  const over = (rows: number): ReplicatedRows => {
    const { bytes, seconds } = at(rows);
    const extraBytesPerGpu = bytes.subtract(none.bytes).toNumber();
    return { rows, extraBytesPerGpu, extraSeconds: seconds - none.seconds };
  };
  const all = instance.tables.reduce((sum, { rows }) => sum + rows, 0);
  const { a, b, c } = result.points;
  const steps = Math.ceil((1000 * b) / all);
  return {
    curve: Array.from({ length: steps + 1 }, (_, k) => over(Math.round((k * all) / 1000))),
    points: { a: over(a), b: over(b), c: over(c) },
  };
}
