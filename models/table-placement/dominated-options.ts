import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { coldPart, hotCopies } from "./hot-rows.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "./problem.js";
import { runsOfShards, type ShardRun } from "./shard-runs.js";

/** The option that the program has in place of a dominated one. */
export interface Dominating {
  readonly option: number;
  /** By shard of the dominated option, the shard that takes its device. */
  readonly shards: readonly number[];
}

/** By table, the options that the program leaves out, with what stands for them. */
export type DominatedOptions = readonly ReadonlyMap<number, Dominating>[];

/**
 * Options of a table for which another one may have as many shards on the same devices, each needing no more: less cost (in
 * every phase), less memory. Whatever a placement does with such an option it can do with the other; of equal ones the first
 * is left. README.md beside this file has the argument.
 *
 * With a limit on moves every option is for itself, because where a table stays is said by option. `isAlike`: only options that
 * are the same in all but the name are left out, as is needed where more than the largest loads is minimised, or where costs do
 * not add up. `checkTime` is called now and then, and may throw.
 */
export function dominatedOptions(
  problem: PlacementProblem,
  isAlike = problem.setCost !== undefined,
  checkTime: () => void = () => {},
): DominatedOptions {
  const { tables, nodes, gpusPerNode, stay } = problem;
  const known = KNOWN.get(tables) ?? [];
  const alike = known.find(
    (one) => one.isAlike === isAlike && one.nodes === nodes && one.gpusPerNode === gpusPerNode && one.stay === stay,
  );
  if (alike !== undefined) return alike.found;
  const found = dominatedIn(problem, isAlike, checkTime);
  KNOWN.set(tables, [...known, { isAlike, nodes, gpusPerNode, stay, found }]);
  return found;
}

/** What was found, by the tables, with all else that it depends on: memory is none of it. Of tables with many options it takes seconds. */
const KNOWN = new WeakMap<PlacementProblem["tables"], readonly Found[]>();

interface Found extends Pick<PlacementProblem, "nodes" | "gpusPerNode"> {
  readonly isAlike: boolean;
  readonly stay: PlacementProblem["stay"] | undefined;
  readonly found: DominatedOptions;
}

function dominatedIn(problem: PlacementProblem, isAlike: boolean, checkTime: () => void): DominatedOptions {
  return problem.tables.map(({ options }) => {
    if (problem.stay !== undefined) return new Map();
    const rivals = options.map((option) => rivalOf(problem, option));
    const isBeaten = (o: number, p: number) => {
      const [own, other] = [rivals[o] as Rival, rivals[p] as Rival];
      // Most pairs end at the first of the two.
      return p !== o && isNoDearer(other, own) && (isNoDearer(own, other) ? p < o : !isAlike);
    };
    const order = Array.from(rivals.keys());
    const unbeaten = (among: readonly number[]) => {
      const kept: number[] = [];
      for (const o of among) {
        checkTime();
        if (!kept.some((p) => isBeaten(o, p))) kept.push(o);
      }
      return kept;
    };
    // What beats another needs no more in all, but for rounding: cheap ones first, and then those that are left backwards.
    const byTotal = order.toSorted(
      (a, b) => compareNeeds((rivals[a] as Rival).total, (rivals[b] as Rival).total) || a - b,
    );
    const left = unbeaten(unbeaten(byTotal).reverse()).sort((a, b) => a - b);
    const stays = new Set(left);
    return new Map(
      order.flatMap((o) => {
        checkTime();
        const option = stays.has(o) ? undefined : left.find((p) => isBeaten(o, p));
        return option === undefined ? [] : [[o, { option, shards: matchOf(rivals, o, option) }] as const];
      }),
    );
  });
}

/** An option as others are compared with it. */
interface Rival {
  /** What places it may have: the same for options of the same freedom. */
  readonly freedom: string;
  /** Any device that it has a shard on may have any other of its shards. */
  readonly isFree: boolean;
  /** No device may have two of its shards. */
  readonly isDistinct: boolean;
  /** Shards in order, and the dearest first. */
  readonly runs: readonly ShardRunNeeds[];
  readonly dearest: readonly ShardRunNeeds[];
  /** Of the copies of hot rows, by device. */
  readonly copies: readonly ShardRunNeeds[];
  /** What all shards and copies need together. */
  readonly total: readonly number[];
}

interface ShardRunNeeds extends ShardRun {
  readonly needs: readonly number[];
}

function rivalOf(problem: PlacementProblem, whole: PlacementOption): Rival {
  const option = coldPart(whole);
  const partition = effectivePartition(problem, option);
  const hasSlots = partition === "host" && hasFixedSlots(problem, option);
  const freedom = hasSlots ? "slots" : partition;
  const runs = needRuns(option.shards);
  const copies = needRuns(hotCopies(whole));
  return {
    ...{ freedom, isFree: freedom === "device" || freedom === "host", runs, copies },
    // Shard i on device i are on different ones in any case, and so is one shard.
    isDistinct: option.distinctDevices === true && freedom !== "uniform" && freedom !== "slots" && !isSingle(runs),
    dearest: runs.toSorted((a, b) => compareNeeds(b.needs, a.needs) || a.from - b.from),
    total: totalOf([...runs, ...copies]),
  };
}

function isSingle([first, ...others]: readonly ShardRun[]): boolean {
  return others.length === 0 && first?.count === 1;
}

function needRuns(shards: readonly ShardNeed[]): ShardRunNeeds[] {
  return runsOfShards(shards).map((run) => ({ ...run, needs: needsOf(run.need) }));
}

function needsOf({ cost, hbmBytes, hostBytes, ssdBytes = 0, phases = [], within }: ShardNeed): number[] {
  return [cost, hbmBytes, hostBytes, ssdBytes, ...phases, ...(within === undefined ? [] : [within.least, within.most])];
}

function totalOf(runs: readonly ShardRunNeeds[]): number[] {
  const total = (runs[0]?.needs ?? []).map(() => 0);
  for (const { needs, count } of runs)
    for (const [i, need] of needs.entries()) total[i] = (total[i] as number) + count * need;
  return total;
}

/** More than the sums of doubles are off. */
const ROUNDING = 1e-9;

function compareNeeds(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((need, i) => need !== b[i]);
  return k === -1 ? 0 : (a[k] as number) - (b[k] as number);
}

/** Whether one option may be wherever the other is, and needs no more there on any device. */
function isNoDearer(one: Rival, other: Rival): boolean {
  // No more shard by shard is no more in all: most pairs end here.
  for (let i = 0; i < one.total.length; i++) {
    if ((one.total[i] as number) > (other.total[i] as number) * (1 + ROUNDING)) return false;
  }
  // Both have copies, or none: a shard of the one stands for a shard of the other.
  if (!isAsFree(one, other) || !areNoMore(one.copies, other.copies)) return false;
  return one.isFree ? areNoMore(one.dearest, other.dearest) : areNoMore(one.runs, other.runs);
}

/** Whether there are as many shards, each needing no more than the one in its place. */
function areNoMore(one: readonly ShardRunNeeds[], other: readonly ShardRunNeeds[]): boolean {
  let [a, b, mine, theirs] = [0, 0, 0, 0];
  for (;;) {
    if (mine === 0) mine = one[a]?.count ?? 0;
    if (theirs === 0) theirs = other[b]?.count ?? 0;
    if (mine === 0 || theirs === 0) return mine === theirs;
    if (!isNoMore((one[a] as ShardRunNeeds).needs, (other[b] as ShardRunNeeds).needs)) return false;
    const count = Math.min(mine, theirs);
    mine -= count;
    theirs -= count;
    if (mine === 0) a++;
    if (theirs === 0) b++;
  }
}

function isNoMore(needs: readonly number[], others: readonly number[]): boolean {
  return needs.every((need, i) => need <= (others[i] as number));
}

/** Shards in slots of a node are inside that node; those of any option are on some device. */
function isAsFree(one: Rival, other: Rival): boolean {
  if (one.isDistinct && !other.isDistinct) return false;
  if (one.freedom === "device" || one.freedom === other.freedom) return true;
  return one.freedom === "host" && other.freedom === "slots";
}

function matchOf(rivals: readonly Rival[], dominated: number, by: number): number[] {
  const [own, other] = [rivals[dominated] as Rival, rivals[by] as Rival];
  const shards = Array.from({ length: sizeOf(own.runs) + sizeOf(own.copies) }, (_, shard) => shard);
  if (!other.isFree) return shards;
  const [mine, theirs] = [inOrder(own.dearest), inOrder(other.dearest)];
  mine.forEach((shard, k) => {
    shards[shard] = theirs[k] as number;
  });
  return shards;
}

function sizeOf(runs: readonly ShardRunNeeds[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

function inOrder(runs: readonly ShardRunNeeds[]): number[] {
  return runs.flatMap(({ from, count }) => Array.from({ length: count }, (_, k) => from + k));
}
