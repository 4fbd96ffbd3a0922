import { effectivePartition, hasFixedSlots } from "./constraints.js";
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
  /** Shards, the dearest first. */
  readonly dearest: readonly number[];
}

function rivalOf(problem: PlacementProblem, option: PlacementOption): Rival {
  const partition = effectivePartition(problem, option);
  const hasSlots = partition === "host" && hasFixedSlots(problem, option);
  const needs = option.shards.map(needsOf);
  const dearest = Array.from(needs.keys());
  dearest.sort((a, b) => compareNeeds(needs[b] as number[], needs[a] as number[]) || a - b);
  const freedom = hasSlots ? "slots" : partition;
  return { freedom, isFree: freedom === "device" || freedom === "host", needs, dearest };
}

function needsOf({ cost, hbmBytes, hostBytes, ssdBytes = 0, phases = [] }: ShardNeed): number[] {
  return [cost, hbmBytes, hostBytes, ssdBytes, ...phases];
}

function compareNeeds(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((need, i) => need !== b[i]);
  return k === -1 ? 0 : (a[k] as number) - (b[k] as number);
}

/** Whether one option may be wherever the other is, and needs no more there on any device. */
function isNoDearer(one: Rival, other: Rival): boolean {
  if (one.needs.length !== other.needs.length || !isAsFree(one, other)) return false;
  return one.dearest.every((mine, k) => {
    const [a, b] = one.isFree ? [mine, other.dearest[k] as number] : [k, k];
    return one.needs[a]?.every((need, i) => need <= (other.needs[b]?.[i] as number));
  });
}

/** Shards in slots of a node are inside that node; those of any option are on some device. */
function isAsFree(one: Rival, other: Rival): boolean {
  if (one.freedom === "device" || one.freedom === other.freedom) return true;
  return one.freedom === "host" && other.freedom === "slots";
}

function matchOf(rivals: readonly Rival[], dominated: number, by: number): number[] {
  const [own, other] = [rivals[dominated] as Rival, rivals[by] as Rival];
  const shards = Array.from(own.needs.keys());
  if (!other.isFree) return shards;
  own.dearest.forEach((shard, k) => {
    shards[shard] = other.dearest[k] as number;
  });
  return shards;
}
