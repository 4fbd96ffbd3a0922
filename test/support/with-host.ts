import type { RowClasses } from "../../src/access/row-classes.js";
import type { RowTiersInstance } from "../../src/instance/types/row-tiers.js";

/** Seconds between which the optimum must lie. */
export interface Bracket {
  readonly below: number;
  readonly above: number;
}

/**
 * Brackets the serial optimum of one table in data_parallel, flex, row_wise and host, where the host memory does not
 * bind, in doubles: from below by the Lagrangian dual over the price of GPU memory, from above by the plans whose tiers
 * follow one another by access and that change between classes, but for row_wise, which takes as many rows as fit.
 * Written from FlexShard's tables 2 and 3 and the host link alone; shares no code with the cost model or the exact method.
 */
export function bracketWithHost(instance: RowTiersInstance, access: RowClasses): Bracket {
  const { budget, tables, objective } = instance;
  const [table] = tables;
  if (table === undefined || tables.length !== 1 || objective !== "serial" || budget.kind !== "bytesPerGpu") {
    throw new Error("one table, serial, bytes per GPU were expected");
  }
  const { nodes, gpusPerNode, bandwidth } = instance.cluster;
  const {
    allToAllGlobal = 0,
    allToAllIntra = 0,
    allReduceGlobal = 0,
    allReduceCross = 0,
    hostToDevice = 0,
  } = bandwidth;
  const { batchPerGpu, replicaMemoryFactor: replica } = instance.training;
  const width = table.dim * table.elementBytes;
  /** Of one row in each tier. */
  const memory = (p: number): number[] => {
    const read = batchPerGpu * p * width;
    return [
      replica * width + read,
      (replica * width) / gpusPerNode + 2 * read,
      width / nodes / gpusPerNode + 2 * read,
      2 * read,
    ];
  };
  const seconds = (p: number): number[] => {
    const both = 2 * batchPerGpu * p * width;
    return [
      width / allReduceGlobal,
      both / allToAllIntra + width / gpusPerNode / allReduceCross,
      both / allToAllGlobal,
      both / allToAllGlobal + both / hostToDevice,
    ];
  };
  const classes = [...access.rows].map((rows, k) => {
    const p = access.appearances[k] as number;
    return { rows, memory: memory(p), seconds: seconds(p) };
  });
  return { below: dual(classes, budget.bytes), above: bestNested(classes, budget.bytes) };
}

interface CostedClass {
  readonly rows: number;
  readonly memory: readonly number[];
  readonly seconds: readonly number[];
}

/** The dual is concave in the price; where its slope, memory used less the budget, changes sign, it is largest. */
function dual(classes: readonly CostedClass[], budget: number): number {
  const at = (price: number): { value: number; slope: number } => {
    let value = -price * budget;
    let slope = -budget;
    for (const { rows, memory, seconds } of classes) {
      const priced = seconds.map((time, t) => time + price * (memory[t] as number));
      const least = Math.min(...priced);
      value += rows * least;
      slope += rows * (memory[priced.indexOf(least)] as number);
    }
    return { value, slope };
  };
  if (at(0).slope <= 0) return at(0).value;
  let low = 0;
  let high = 1;
  for (let round = 0; round < 2000 && high - low > Number.EPSILON * high; round++) {
    const middle = (low + high) / 2;
    if (at(middle).slope > 0) low = middle;
    else high = middle;
  }
  return Math.max(at(low).value, at(high).value);
}

function bestNested(classes: readonly CostedClass[], budget: number): number {
  /** Sums over the classes before each. */
  const before = (of: (each: CostedClass) => number): number[] => {
    const sums = [0];
    for (const each of classes) sums.push((sums.at(-1) as number) + each.rows * of(each));
    return sums;
  };
  const memory = [0, 1, 2, 3].map((tier) => before((each) => each.memory[tier] as number));
  const seconds = [0, 1, 2, 3].map((tier) => before((each) => each.seconds[tier] as number));
  const end = classes.length;
  const between = (sums: readonly number[] | undefined, from: number, to: number): number =>
    (sums?.[to] as number) - (sums?.[from] as number);
  let best = Number.POSITIVE_INFINITY;
  for (let replicated = 0; replicated <= end; replicated++) {
    for (let flex = replicated; flex <= end; flex++) {
      for (let rowWise = flex; rowWise <= end; rowWise++) {
        const cuts = [0, replicated, flex, rowWise, end] as const;
        const total = (sums: readonly (readonly number[])[]) =>
          [0, 1, 2, 3].reduce((sum, t) => sum + between(sums[t], cuts[t] as number, cuts[t + 1] as number), 0);
        const room = budget - total(memory);
        if (room < 0) break;
        const next = classes[rowWise];
        const step = next === undefined ? 0 : (next.memory[2] as number) - (next.memory[3] as number);
        const moved = next === undefined ? 0 : Math.min(next.rows, Math.floor(room / step));
        const saved = next === undefined ? 0 : moved * ((next.seconds[3] as number) - (next.seconds[2] as number));
        best = Math.min(best, total(seconds) - saved);
      }
    }
  }
  return best;
}
