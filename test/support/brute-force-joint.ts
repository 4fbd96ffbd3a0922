import type { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerPartitionInstance, TowerTable } from "../../src/instance/types/tower-partition.js";
import { isAllowed, partitions, partitionValue } from "./brute-force-towers.js";

/** One number of towers. */
export interface BruteForceRow {
  readonly towers: number;
  /** Of each best partition (one, but for ties) among those with a place: the least exposed seconds. Empty where none has a place. */
  readonly seconds: readonly number[];
  /** The least of any partition with a place, however good it is; `null` where there is none. */
  readonly leastOfAny: number | null;
}

/** What is least of a tower's tables on so many GPUs, in elements; `null` where they have no place. */
export type LeastOfTower = (tables: readonly TowerTable[], gpus: number, towers: number) => number | null;

function leastElementsOf({ cluster }: TowerJoint): LeastOfTower {
  return (tables, gpus) => leastElements(tables, gpus, cluster.hbmBytesPerGpu);
}

/**
 * Tries every number of towers, every partition and every place of every table. Written from the problem's words and the
 * formulas of the paper alone; it shares nothing with the models.
 */
export function bruteForceJoint(
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  interaction: Float64Array,
  least: LeastOfTower = leastElementsOf(joint),
): readonly BruteForceRow[] {
  const { nodes } = joint.cluster;
  const rows: BruteForceRow[] = [];
  for (let towers = 1; towers <= Math.min(nodes, instance.features.length); towers++) {
    if (nodes % towers !== 0 || (joint.towers !== null && joint.towers !== towers)) continue;
    rows.push({ towers, ...rowOf({ ...instance, towers }, joint, interaction, least) });
  }
  return rows;
}

function rowOf(
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  interaction: Float64Array,
  least: LeastOfTower,
): Omit<BruteForceRow, "towers"> {
  const { tables, cluster } = joint;
  const gpus = (cluster.nodes / instance.towers) * cluster.gpusPerNode;
  const known = new Map<string, number | null>();
  const busiestOf = (members: readonly number[]): number | null => {
    const key = members.join();
    if (!known.has(key)) {
      const here = members.map((feature) => tables[feature] as TowerTable);
      known.set(key, least(here, gpus, instance.towers));
    }
    return known.get(key) as number | null;
  };
  let best: { value: Rational; seconds: number[] } | null = null;
  let leastOfAny: number | null = null;
  for (const numbering of partitions(instance.features.length, instance.towers)) {
    if (!isAllowed(instance, numbering)) continue;
    const members = Array.from({ length: instance.towers }, (_, tower) =>
      [...tables.keys()].filter((feature) => numbering[feature] === tower),
    );
    const busiest = members.map(busiestOf);
    if (busiest.includes(null)) continue;
    const towers = members.map((features) => features.map((feature) => tables[feature] as TowerTable));
    const seconds = secondsOf(joint, towers, Math.max(...(busiest as number[])));
    leastOfAny = Math.min(leastOfAny ?? seconds, seconds);
    const value = partitionValue(instance, interaction, numbering);
    const order = best === null ? -1 : value.compare(best.value);
    if (order < 0) best = { value, seconds: [seconds] };
    else if (order === 0) best?.seconds.push(seconds);
  }
  return { seconds: best?.seconds ?? [], leastOfAny };
}

type Gpu = readonly [elements: number, bytes: number];

/** The least elements per sample on the busiest GPU of a tower. */
export function leastElements(tables: readonly TowerTable[], gpus: number, memory: number | null): number | null {
  // Where shards by rows are alike GPUs can be told apart by what they hold alone.
  const areAlike = tables.every(({ rows }) => rows < gpus || rows % gpus === 0);
  let states = new Map<string, readonly Gpu[]>([["", Array.from({ length: gpus }, (): Gpu => [0, 0])]]);
  for (const table of tables) {
    const next = new Map<string, readonly Gpu[]>();
    for (const state of states.values()) {
      for (const after of waysToPlace(table, state)) {
        if (memory !== null && after.some(([, bytes]) => bytes > memory)) continue;
        const state = areAlike ? after.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]) : after;
        next.set(state.join(";"), state);
      }
    }
    states = next;
  }
  let least: number | null = null;
  for (const state of states.values()) {
    const largest = Math.max(...state.map(([elements]) => elements));
    least = least === null ? largest : Math.min(least, largest);
  }
  return least;
}

function waysToPlace({ rows, dim, elementBytes }: TowerTable, state: readonly Gpu[]): (readonly Gpu[])[] {
  const ways: (readonly Gpu[])[] = [];
  for (let parts = 1; parts <= Math.min(state.length, dim); parts *= 2) {
    const widths = Array.from({ length: parts }, (_, k) => Math.floor((dim + k) / parts));
    let partial: (readonly Gpu[])[] = [state];
    for (const width of widths) {
      partial = partial.flatMap((here) =>
        here.map((_, at) =>
          here.map(
            ([elements, bytes], k): Gpu =>
              k === at ? [elements + width, bytes + width * rows * elementBytes] : [elements, bytes],
          ),
        ),
      );
    }
    ways.push(...partial);
  }
  if (state.length > 1 && rows >= state.length) {
    ways.push(
      state.map(([elements, bytes], k): Gpu => {
        const here = Math.floor(rows / state.length) + (k < rows % state.length ? 1 : 0);
        return [elements + dim, bytes + here * dim * elementBytes];
      }),
    );
  }
  return ways;
}

/** Two passes of d and f; in each both kinds of links carry their bytes side by side. */
function secondsOf(joint: TowerJoint, members: readonly (readonly TowerTable[])[], elements: number): number {
  const { batchPerGpu: batch, wireElementBytes: size, cluster, modules } = joint;
  const towers = members.length;
  const inTower = (cluster.nodes / towers) * cluster.gpusPerNode;
  const toEach = towers * batch * size * elements;
  const d = Math.max(
    seconds(cluster.insideHost, inTower, (cluster.gpusPerNode - 1) * toEach),
    seconds(cluster.acrossHosts, inTower, (inTower - cluster.gpusPerNode) * toEach),
  );
  const outputs = members.map((tables) =>
    modules === null
      ? tables.reduce((sum, { dim }) => sum + dim, 0)
      : modules.width * (modules.perFeature * tables.length + modules.perTower),
  );
  const all = outputs.reduce((sum, output) => sum + output, 0);
  const most = Math.max(...outputs.map((output) => Math.max(output * (towers - 1), all - output)));
  return 2 * d + 2 * seconds(cluster.acrossHosts, towers, batch * size * most);
}

/** A link's seconds for so many bytes in a collective of so many ranks. */
export function seconds(link: TowerJoint["cluster"]["insideHost"], world: number, bytes: number): number {
  if (bytes === 0) return 0;
  const points = link.bandwidth ?? [];
  const above = points.findIndex((point) => point.world >= world);
  const upper = points[above] ?? points.at(-1);
  const lower = above > 0 ? points[above - 1] : undefined;
  if (upper === undefined) throw new RangeError("no bandwidth");
  const share = lower === undefined ? 1 : (world - lower.world) / (upper.world - lower.world);
  const start = lower?.bytesPerSecond ?? 0;
  return link.latencySeconds + bytes / (start + share * (upper.bytesPerSecond - start));
}
