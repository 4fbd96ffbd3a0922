import type { WholeColumn, WholePoints } from "../../../../solvers/whole-points.js";
import { HAIR, type Room } from "../core/pattern-lp.js";
import type { CountedModel } from "./counted-lp.js";

/** Above so many patterns, or partial ones, there are too many ways to fill devices. */
const MOST_PATTERNS = 4000;
const MOST_VISITS = 400_000;

/** What a visit, and an iteration of HiGHS, is in units of work. */
const UNITS_PER_VISIT = 2e-5;
const UNITS_PER_ITERATION = 0.01;
const MOST_ITERATIONS = 20_000;

/** Shards that cost the same, whatever their bytes. */
interface Alike {
  readonly cost: number;
  /** The fewest bytes of one. */
  readonly hbm: number;
  readonly wanted: number;
  /** Those with most bytes first. */
  readonly kinds: readonly number[];
}

/**
 * By kind and device, where shards go that all have to have room: a program over all patterns that leave of a device no more cost than all of
 * them may together. Shards of the same cost are one in it, with the fewest bytes; then those with most bytes go where most is left.
 * `null` where none was found. `wanted`: by kind, how many; `room`: by node of devices.
 */
export function packedByFullPatterns(
  points: WholePoints,
  model: Pick<CountedModel, "free" | "gpusPerNode">,
  wanted: readonly number[],
  room: readonly Room[],
  spend: (units: number) => boolean,
): number[][] | null {
  const alike = alikeOf(model.free, wanted);
  const patterns = fullPatterns(alike, room, model.gpusPerNode, spend);
  if (patterns === null) return null;
  const rows = [
    ...alike.map((own): readonly [number, number] => [own.wanted, own.wanted]),
    ...room.map((): readonly [number, number] => [0, model.gpusPerNode]),
  ];
  const columns = patterns.map(({ v, counts }): WholeColumn => {
    const held = counts.flatMap((count, row) => (count === 0 ? [] : [[row, count] as const]));
    const entries = [...held, [alike.length + v, 1] as const];
    return {
      most: model.gpusPerNode,
      indices: entries.map(([row]) => row),
      values: entries.map(([, value]) => value),
    };
  });
  const { point, iterations } = points.find(rows, columns, MOST_ITERATIONS, () => !spend(0));
  spend(UNITS_PER_ITERATION * iterations);
  if (point === null) return null;
  const devices = room.flatMap(({ hbm }, v) => {
    const own = patterns.flatMap((pattern, k) =>
      pattern.v === v ? new Array<readonly number[]>(Math.round(point[k] as number)).fill(pattern.counts) : [],
    );
    return Array.from({ length: model.gpusPerNode }, (_, slot) => ({ hbm, counts: own[slot] ?? [] }));
  });
  return dealt(alike, model.free, wanted, devices);
}

/** The dearest first: how many there are of the last is known within what may be left. */
function alikeOf(free: readonly Room[], wanted: readonly number[]): Alike[] {
  const byCost = new Map<number, number[]>();
  free.forEach(({ cost }, s) => {
    if ((wanted[s] as number) > 0) byCost.set(cost, [...(byCost.get(cost) ?? []), s]);
  });
  return [...byCost]
    .map(([cost, kinds]) => ({
      cost,
      hbm: Math.min(...kinds.map((s) => (free[s] as Room).hbm)),
      wanted: kinds.reduce((sum, s) => sum + (wanted[s] as number), 0),
      kinds: kinds.toSorted((a, b) => (free[b] as Room).hbm - (free[a] as Room).hbm),
    }))
    .sort((a, b) => b.cost - a.cost);
}

/** By node, how many of each a device may have. `null` where there are too many patterns, or no time. */
function fullPatterns(
  alike: readonly Alike[],
  room: readonly Room[],
  gpusPerNode: number,
  spend: (units: number) => boolean,
): { readonly v: number; readonly counts: readonly number[] }[] | null {
  const needed = alike.reduce((sum, { wanted, cost }) => sum + wanted * cost, 0);
  const slack = room.reduce((sum, { cost }) => sum + cost * gpusPerNode, 0) - needed;
  if (slack < 0) return null;
  const patterns: { readonly v: number; readonly counts: readonly number[] }[] = [];
  let visits = 0;
  const isEnough = () => patterns.length > MOST_PATTERNS || visits > MOST_VISITS;
  const fill = (v: number, counts: readonly number[], left: Room): void => {
    visits++;
    const next = alike[counts.length];
    if (next === undefined) {
      if (left.cost <= slack + HAIR) patterns.push({ v, counts });
      return;
    }
    const { cost, hbm, wanted } = next;
    const most = Math.min(wanted, fits(left.cost, cost), fits(left.hbm, hbm));
    const isLast = counts.length === alike.length - 1 && cost > 0;
    const least = isLast ? Math.max(0, Math.ceil((left.cost - slack - HAIR) / cost)) : 0;
    for (let count = most; count >= least && !isEnough(); count--) {
      fill(v, [...counts, count], { cost: left.cost - count * cost, hbm: left.hbm - count * hbm });
    }
  };
  room.forEach((left, v) => {
    fill(v, [], left);
  });
  return spend(UNITS_PER_VISIT * visits) && !isEnough() ? patterns : null;
}

/** By kind and device; `null` where some device would have too many bytes. */
function dealt(
  alike: readonly Alike[],
  free: readonly Room[],
  wanted: readonly number[],
  devices: readonly { readonly hbm: number; readonly counts: readonly number[] }[],
): number[][] | null {
  const placed = free.map(() => new Array<number>(devices.length).fill(0));
  const left = devices.map(({ hbm }) => hbm);
  const places = devices.map(({ counts }) => [...counts]);
  const shards = alike.flatMap(({ kinds }, own) => kinds.map((s) => ({ s, own, hbm: (free[s] as Room).hbm })));
  for (const { s, own, hbm } of shards.sort((a, b) => b.hbm - a.hbm)) {
    for (let count = wanted[s] as number; count > 0; count--) {
      let best = -1;
      places.forEach((counts, device) => {
        if ((counts[own] ?? 0) > 0 && (best === -1 || (left[device] as number) > (left[best] as number))) best = device;
      });
      if (best === -1 || (left[best] as number) < hbm * (1 - HAIR)) return null;
      left[best] = (left[best] as number) - hbm;
      (places[best] as number[])[own] = ((places[best] as number[])[own] as number) - 1;
      (placed[s] as number[])[best] = ((placed[s] as number[])[best] as number) + 1;
    }
  }
  return placed;
}

function fits(left: number, need: number): number {
  return need === 0 ? Number.POSITIVE_INFINITY : Math.floor((left + HAIR) / need);
}
