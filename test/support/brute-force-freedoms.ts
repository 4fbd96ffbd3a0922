import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import { type LeastOfTower, seconds } from "./brute-force-joint.js";

/** One GPU of a tower: elements, seconds of misses, bytes of its memory, bytes of its host's. */
type Gpu = readonly [elements: number, fetch: number, hbm: number, host: number];

/** All GPUs of a tower, and the bytes of hot rows that each has a copy of. */
interface State {
  readonly gpus: readonly Gpu[];
  readonly copied: number;
}

/**
 * Tries every way to lay every table, with every split at the end of a histogram's bin and every cache of as many rows as some of its
 * first bins: the least of what the tower's exchange, misses and synchronisation take, in elements. Links have no latency.
 * Written from the words of the docs; it shares nothing with the models.
 */
export function bruteForceFreedoms(joint: TowerJoint): LeastOfTower {
  return (tables, count, towers) => {
    const { cluster, batchPerGpu, wireElementBytes } = joint;
    const toEach = towers * batchPerGpu * wireElementBytes;
    const inside = seconds(cluster.insideHost, count, (cluster.gpusPerNode - 1) * toEach);
    const across = seconds(cluster.acrossHosts, count, (count - cluster.gpusPerNode) * toEach);
    const perElement = 2 * Math.max(inside, across);
    const slowest = across > inside ? cluster.acrossHosts : cluster.insideHost;
    let states: readonly State[] = [{ gpus: Array.from({ length: count }, (): Gpu => [0, 0, 0, 0]), copied: 0 }];
    for (const table of tables) {
      const next = new Map<string, State>();
      for (const state of states) {
        for (const after of waysOf(joint, table, state)) {
          if (after.gpus.some(([, , hbm, host]) => isOver(joint, hbm, host))) continue;
          // Rows are dealt evenly here, so that GPUs differ by what they hold alone.
          const gpus = after.gpus.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]);
          next.set(`${gpus.join(";")} ${after.copied}`, { gpus, copied: after.copied });
        }
      }
      states = [...next.values()];
    }
    let least: number | null = null;
    for (const { gpus, copied } of states) {
      const elements = Math.max(...gpus.map(([each]) => each));
      const fetch = Math.max(...gpus.map(([, each]) => each));
      const sync = count === 1 || copied === 0 ? 0 : seconds(slowest, count, (2 * (count - 1) * copied) / count);
      const value = perElement === 0 ? elements : elements + (fetch + sync) / perElement;
      if (least === null || value < least) least = value;
    }
    return least;
  };
}

function isOver({ cluster: { hbmBytesPerGpu, host } }: TowerJoint, hbm: number, onHost: number): boolean {
  return (hbmBytesPerGpu !== null && hbm > hbmBytesPerGpu) || onHost > (host?.bytesPerGpu ?? Number.POSITIVE_INFINITY);
}

function* waysOf(joint: TowerJoint, table: TowerTable, { gpus, copied }: State): Generator<State> {
  const { rows, dim, elementBytes, poolingFactor, access } = table;
  const bins = access?.kind === "histogram" ? access.bins : [[rows, 1] as const];
  const total = bins.reduce((sum, [count, read]) => sum + count * read, 0);
  const cuts = joint.hotRows === undefined || gpus.length === 1 || access === undefined ? [0] : bins.map((_, k) => k);
  for (const cut of cuts) {
    const hot = bins.slice(0, cut).reduce((sum, [count]) => sum + count, 0);
    const share = bins.slice(0, cut).reduce((sum, [count, read]) => sum + count * read, 0) / total;
    const cold = bins.slice(cut);
    const vectors = cut === 0 ? 1 : Math.min(1, poolingFactor * (1 - share));
    const lookups = poolingFactor * joint.batchPerGpu * joint.cluster.nodes * joint.cluster.gpusPerNode * (1 - share);
    const coldTotal = cold.reduce((sum, [count, read]) => sum + count * read, 0);
    const sizes = joint.caches === undefined || access === undefined ? [0] : cold.map((_, k) => k);
    const withHot = gpus.map(([a, b, hbm, host]): Gpu => [a, b, hbm + hot * dim * elementBytes, host]);
    for (const size of sizes) {
      const cachedRows = cold.slice(0, size).reduce((sum, [count]) => sum + count, 0);
      const missed = cold
        .slice(size)
        .reduce((sum, [count, read]) => sum + count * (1 - (1 - read / coldTotal) ** lookups), 0);
      const speed = joint.cluster.host?.bytesPerSecond ?? 1;
      const add = ([a, b, hbm, host]: Gpu, ofRows: number, columns: number, cached: number): Gpu => {
        const bytes = columns * elementBytes;
        if (size === 0) return [a + columns * vectors, b, hbm + ofRows * bytes, host];
        const fetch = ((missed * ofRows) / (rows - hot)) * (bytes / speed);
        return [a + columns * vectors, b + fetch, hbm + cached * bytes, host + ofRows * bytes];
      };
      for (const after of waysToLay(withHot, rows - hot, dim, cachedRows, add)) {
        yield { gpus: after, copied: copied + hot * dim * elementBytes };
      }
    }
  }
}

type Add = (gpu: Gpu, rows: number, columns: number, cached: number) => Gpu;

function* waysToLay(gpus: readonly Gpu[], rows: number, dim: number, cached: number, add: Add) {
  for (let parts = 1; parts <= Math.min(gpus.length, dim); parts *= 2) {
    let partial: (readonly Gpu[])[] = [gpus];
    for (let k = 0; k < parts; k++) {
      const columns = Math.floor((dim + k) / parts);
      partial = partial.flatMap((here) =>
        here.map((_, at) => here.map((gpu, g) => (g === at ? add(gpu, rows, columns, cached) : gpu))),
      );
    }
    yield* partial;
  }
  if (gpus.length === 1 || rows < gpus.length) return;
  if (rows % gpus.length !== 0) throw new RangeError("rows are dealt evenly here");
  yield gpus.map((gpu) => add(gpu, rows / gpus.length, dim, Math.ceil(cached / gpus.length)));
}
