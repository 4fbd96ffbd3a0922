import type { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerPartitionInstance, TowerTable } from "../../src/instance/tower-partition-instance.js";
import { isAllowed, partitions, partitionValue } from "./brute-force-towers.js";

/** The least exposed seconds of one number of towers, with the best partition; `null` where its tables have no place. */
export interface BruteForceRow {
  readonly towers: number;
  readonly seconds: number | null;
}

/**
 * Tries every number of towers and, of its best partition, every place of every table. Written from the problem's words and the
 * formulas of the paper alone; it shares nothing with the models. Rows of all tables must be multiples of 12, so that shards by rows
 * are alike and GPUs can be told apart by what they hold alone.
 */
export function bruteForceJoint(
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  interaction: Float64Array,
): readonly BruteForceRow[] {
  const { nodes } = joint.cluster;
  const rows: BruteForceRow[] = [];
  for (let towers = 1; towers <= Math.min(nodes, instance.features.length); towers++) {
    if (nodes % towers !== 0 || (joint.towers !== null && joint.towers !== towers)) continue;
    const gpus = (nodes / towers) * joint.cluster.gpusPerNode;
    const members = bestMembers({ ...instance, towers }, joint, interaction, gpus);
    if (members === null) {
      rows.push({ towers, seconds: null });
      continue;
    }
    const busiest = members.map((tables) => leastElements(tables, gpus, joint.cluster.hbmBytesPerGpu));
    const isPlaced = busiest.every((elements) => elements !== null);
    rows.push({ towers, seconds: isPlaced ? secondsOf(joint, members, Math.max(...(busiest as number[]))) : null });
  }
  return rows;
}

/** The tables of each tower of the best partition of which every tower's tables have no more bytes than its GPUs together. */
function bestMembers(
  instance: TowerPartitionInstance,
  { tables, cluster }: TowerJoint,
  interaction: Float64Array,
  gpus: number,
): readonly (readonly TowerTable[])[] | null {
  const memory = cluster.hbmBytesPerGpu;
  let best: { readonly value: Rational; readonly members: readonly (readonly TowerTable[])[] } | null = null;
  for (const numbering of partitions(instance.features.length, instance.towers)) {
    const members = Array.from({ length: instance.towers }, (_, tower) =>
      tables.filter((_table, feature) => numbering[feature] === tower),
    );
    const bytes = members.map((here) => here.reduce((sum, one) => sum + one.rows * one.dim * one.elementBytes, 0));
    if (!isAllowed(instance, numbering) || (memory !== null && bytes.some((all) => all > gpus * memory))) continue;
    const value = partitionValue(instance, interaction, numbering);
    if (best === null || value.compare(best.value) < 0) best = { value, members };
  }
  return best?.members ?? null;
}

type Gpu = readonly [elements: number, bytes: number];

/** The least elements per sample on the busiest GPU of a tower. */
function leastElements(tables: readonly TowerTable[], gpus: number, memory: number | null): number | null {
  let states = new Map<string, readonly Gpu[]>([["", Array.from({ length: gpus }, (): Gpu => [0, 0])]]);
  for (const table of tables) {
    const next = new Map<string, readonly Gpu[]>();
    for (const state of states.values()) {
      for (const after of waysToPlace(table, state)) {
        if (memory !== null && after.some(([, bytes]) => bytes > memory)) continue;
        const sorted = after.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
        next.set(sorted.join(";"), sorted);
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
    const share = (rows / state.length) * dim * elementBytes;
    ways.push(state.map(([elements, bytes]): Gpu => [elements + dim, bytes + share]));
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

function seconds(link: TowerJoint["cluster"]["insideHost"], world: number, bytes: number): number {
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
