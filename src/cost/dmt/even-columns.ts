import type { Sharding } from "./workload.js";

/**
 * Column-wise shards that spread the given tables over `slots` slots as evenly as whole columns allow (within one): the
 * columns are dealt in order, slot k getting those from ⌈k·n/slots⌉ on. It is what TorchRec's column-wise factor is for where
 * there are more GPUs than tables.
 */
export function evenColumns(dims: readonly number[], slots: number): readonly Sharding[] {
  const all = dims.reduce((sum, dim) => sum + dim, 0);
  const startOf = (slot: number) => Math.ceil((slot * all) / slots);
  let first = 0;
  return dims.map((dim) => {
    const end = first + dim;
    const shards: { slot: number; columns: number }[] = [];
    for (let slot = Math.floor((first * slots) / all); slot < slots && startOf(slot) < end; slot++) {
      const columns = Math.min(end, startOf(slot + 1)) - Math.max(first, startOf(slot));
      if (columns > 0) shards.push({ slot, columns });
    }
    first = end;
    return { kind: "columns", shards };
  });
}
