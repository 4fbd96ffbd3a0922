import { effectivePartition, hasFixedSlots } from "../../../../../models/table-placement/constraints.js";
import { hostShards } from "../../../../../models/table-placement/hosts-problem.js";
import { coldPart } from "../../../../../models/table-placement/hot-rows.js";
import type { Placement, PlacementOption, PlacementProblem } from "../../../../../models/table-placement/problem.js";

/**
 * A placement on devices from one on hosts: shards that fill a host in their slots, the others longest first on the host's
 * device that costs least so far and has room; `null` where one has none.
 */
export function fromHosts(problem: PlacementProblem, { choices }: Placement): Placement | null {
  const { gpusPerNode, hbmBytes } = problem;
  const costs = hbmBytes.map(() => 0);
  const bytes = hbmBytes.map(() => 0);
  const placed = choices.map((): number[] => []);
  const optionOf = (t: number) => problem.tables[t]?.options[choices[t]?.option as number] as PlacementOption;
  const put = (t: number, shard: number, device: number) => {
    const need = optionOf(t).shards[shard] as PlacementOption["shards"][number];
    costs[device] = (costs[device] as number) + need.cost;
    bytes[device] = (bytes[device] as number) + need.hbmBytes;
    (placed[t] as number[])[shard] = device;
  };
  const free: { readonly table: number; readonly shard: number; readonly host: number; readonly cost: number }[] = [];
  choices.forEach(({ devices: hosts }, table) => {
    const option = optionOf(table);
    const { shards } = coldPart(option);
    const partition = effectivePartition(problem, option);
    const isFree = partition === "device" || (partition === "host" && !hasFixedSlots(problem, coldPart(option)));
    hostShards(problem, option).forEach((own, k) => {
      const host = hosts[k] as number;
      own.forEach((shard, slot) => {
        const isOfRun = !isFree || shard >= shards.length;
        const cost = option.shards[shard]?.cost as number;
        if (isOfRun) put(table, shard, host * gpusPerNode + (slot % gpusPerNode));
        else free.push({ table, shard, host, cost });
      });
    });
  });
  free.sort((a, b) => b.cost - a.cost);
  for (const { table, shard, host } of free) {
    const need = optionOf(table).shards[shard]?.hbmBytes as number;
    const own = Array.from({ length: gpusPerNode }, (_, slot) => host * gpusPerNode + slot);
    const roomy = own.filter((d) => (bytes[d] as number) + need <= (hbmBytes[d] as number));
    if (roomy.length === 0) return null;
    put(
      table,
      shard,
      roomy.reduce((best, d) => ((costs[d] as number) < (costs[best] as number) ? d : best)),
    );
  }
  return { choices: choices.map(({ option }, t) => ({ option, devices: placed[t] as number[] })) };
}
