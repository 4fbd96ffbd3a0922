import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { coldPart, hotCopies } from "./hot-rows.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "./problem.js";

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
 * not add up.
 */
export function dominatedOptions(problem: PlacementProblem, isAlike = problem.setCost !== undefined): DominatedOptions {
  const of = isAlike ? ALIKE : DEARER;
  const known = of.get(problem);
  if (known !== undefined) return known;
  const found = dominatedIn(problem, isAlike);
  of.set(problem, found);
  return found;
}

/** Of tables with many options it takes seconds. */
const ALIKE = new WeakMap<PlacementProblem, DominatedOptions>();
const DEARER = new WeakMap<PlacementProblem, DominatedOptions>();

function dominatedIn(problem: PlacementProblem, isAlike: boolean): DominatedOptions {
  return problem.tables.map(({ options }) => {
    if (problem.stay !== undefined) return new Map();
    const rivals = options.map((option) => rivalOf(problem, option));
    const isBeaten = (o: number, p: number) => {
      const [own, other] = [rivals[o] as Rival, rivals[p] as Rival];
      const isEqual = isNoDearer(own, other);
      return p !== o && (isEqual ? p < o : !isAlike) && isNoDearer(other, own);
    };
    const order = Array.from(rivals.keys());
    const left = order.filter((o) => !order.some((p) => isBeaten(o, p)));
    return new Map(
      order.flatMap((o) => {
        const option = left.find((p) => isBeaten(o, p));
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
  readonly needs: readonly (readonly number[])[];
  /** Of the copies of hot rows, by device. */
  readonly copies: readonly (readonly number[])[];
  /** Shards, the dearest first. */
  readonly dearest: readonly number[];
  /** What all shards and copies need together. */
  readonly total: readonly number[];
}

function rivalOf(problem: PlacementProblem, whole: PlacementOption): Rival {
  const option = coldPart(whole);
  const partition = effectivePartition(problem, option);
  const hasSlots = partition === "host" && hasFixedSlots(problem, option);
  const needs = option.shards.map(needsOf);
  const dearest = Array.from(needs.keys());
  dearest.sort((a, b) => compareNeeds(needs[b] as number[], needs[a] as number[]) || a - b);
  const freedom = hasSlots ? "slots" : partition;
  const copies = hotCopies(whole).map(needsOf);
  return {
    freedom,
    isFree: freedom === "device" || freedom === "host",
    needs,
    copies,
    dearest,
    total: totalOf([...needs, ...copies]),
  };
}

function needsOf({ cost, hbmBytes, hostBytes, ssdBytes = 0, phases = [], within }: ShardNeed): number[] {
  return [cost, hbmBytes, hostBytes, ssdBytes, ...phases, ...(within === undefined ? [] : [within.least, within.most])];
}

function totalOf(needs: readonly (readonly number[])[]): number[] {
  const total = (needs[0] ?? []).map(() => 0);
  for (const own of needs) for (const [i, need] of own.entries()) total[i] = (total[i] as number) + need;
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
  if (one.needs.length !== other.needs.length || !isAsFree(one, other)) return false;
  // No more shard by shard is no more in all: most pairs end here.
  if (!one.total.every((need, i) => need <= (other.total[i] as number) * (1 + ROUNDING))) return false;
  // Both have copies, or none: a shard of the one stands for a shard of the other.
  if (one.copies.length !== other.copies.length) return false;
  if (!one.copies.every((own, d) => isNoMore(own, other.copies[d] as readonly number[]))) return false;
  return one.dearest.every((mine, k) => {
    const [a, b] = one.isFree ? [mine, other.dearest[k] as number] : [k, k];
    return isNoMore(one.needs[a] as readonly number[], other.needs[b] as readonly number[]);
  });
}

function isNoMore(needs: readonly number[], others: readonly number[]): boolean {
  return needs.every((need, i) => need <= (others[i] as number));
}

/** Shards in slots of a node are inside that node; those of any option are on some device. */
function isAsFree(one: Rival, other: Rival): boolean {
  if (one.freedom === "device" || one.freedom === other.freedom) return true;
  return one.freedom === "host" && other.freedom === "slots";
}

function matchOf(rivals: readonly Rival[], dominated: number, by: number): number[] {
  const [own, other] = [rivals[dominated] as Rival, rivals[by] as Rival];
  const shards = Array.from({ length: own.needs.length + own.copies.length }, (_, shard) => shard);
  if (!other.isFree) return shards;
  own.dearest.forEach((shard, k) => {
    shards[shard] = other.dearest[k] as number;
  });
  return shards;
}
