import type { HostBase, PeakRow } from "./host-base.js";
import { coldPart } from "./hot-rows.js";
import type { ShardColumn } from "./option-site.js";
import type { PlacementDraft } from "./placement-draft.js";
import { deviceCount, type Placement, type PlacementOption, type PlacementProblem, type ShardNeed } from "./problem.js";

/** What counts costs in the program's units, and its column of the largest cost. */
interface Load {
  readonly unitsOf: (cost: number) => bigint;
  readonly largest: number;
}

/** Whether a table's option is one shard, copies of hot rows apart: then one device of its host has the most of it. */
export function isOneShard(problem: PlacementProblem, table: number, option: number): boolean {
  return coldPart(problem.tables[table]?.options[option] as PlacementOption).shards.length === 1;
}

/**
 * Where hosts stand for their devices: by host d and table t, the device that has most of t's one shard,
 *
 *   peak_{t,d}   Σ_o most_o·n[t,o,d] + Σ_{free shards of other tables on d} least·n + k·b ≤ z
 *
 * beside what every device of the host has of the others. By host; none where the base is not the same on all devices of a host.
 */
export function addPeakRows(
  { draft, perDevice }: PlacementDraft,
  problem: PlacementProblem,
  bases: readonly HostBase[],
  { unitsOf, largest }: Load,
): readonly (readonly PeakRow[])[] {
  const [base] = bases;
  const isLevel = ({ need: { cost, within } }: ShardColumn) => within?.least === cost;
  const isBase = ({ column }: ShardColumn) => base?.shards.has(column) === true;
  if (base === undefined || bases.length > 1) return [];
  if (!perDevice.every((here) => here.filter(isBase).every(isLevel))) return [];
  return perDevice.map((here, d) => {
    const free = here.filter((shard) => !isBase(shard));
    const peaks = free.filter(({ table, option, need }) => {
      return need.within !== undefined && need.within.most > need.cost && isOneShard(problem, table, option);
    });
    return [...new Set(peaks.map(({ table }) => table))].map((t) => {
      const terms = free.flatMap(({ column, table, option, need: { within } }) => {
        const isPeak = table === t && isOneShard(problem, table, option);
        const cost = (isPeak ? within?.most : within?.least) ?? 0;
        return cost === 0 ? [] : [[column, unitsOf(cost)] as const];
      });
      const { counted, step } = base.load;
      const ofBase = counted === null ? [] : [[counted.column, step] as const];
      const sum = [...terms, ...ofBase, [largest, -1n] as const];
      return { table: t, row: draft.addLimit(`peak_${t}_${d}`, sum) };
    });
  });
}

/** Where hosts stand for their devices, the largest cost of any of their devices that a placement is known to have. */
export function largestPeak(problem: PlacementProblem, { choices }: Placement, unitsOf: Load["unitsOf"]): bigint {
  const least: bigint[] = new Array(deviceCount(problem)).fill(0n);
  const over: bigint[] = new Array(least.length).fill(0n);
  choices.forEach(({ option, devices }, t) => {
    problem.tables[t]?.options[option]?.shards.forEach(({ within }: ShardNeed, shard) => {
      const [device, own] = [devices[shard] as number, within ?? { least: 0, most: 0 }];
      least[device] = (least[device] as bigint) + unitsOf(own.least);
      const above = unitsOf(own.most) - unitsOf(own.least);
      if (isOneShard(problem, t, option) && above > (over[device] as bigint)) over[device] = above;
    });
  });
  return least.reduce((most, sum, d) => (sum + (over[d] as bigint) > most ? sum + (over[d] as bigint) : most), 0n);
}
