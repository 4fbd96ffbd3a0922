import { seededRandom } from "../../../../exact/random.js";
import { Rational } from "../../../../exact/rational.js";
import type { ShouldStop } from "../../../../search/work.js";
import { copyOf } from "../bounds/reduction-steps.js";
import { BranchColumns, localOf, WHOLE } from "./device-branching.js";
import { type DeviceNode, type DeviceRoot, generate } from "./device-generation.js";
import { type DeviceProblem, deviceModel } from "./device-model.js";
import { propagated, propagationUnits, withoutHeavyOptions } from "./heavy-options.js";

/** Parts of columns that are as good as all. */
const NEARLY_WHOLE = 0.9;

/** Shares of what is whole in the optimum of all that one dive after the other begins with. */
const KEPT = [1, 0.75, 0.5] as const;

/** What is left to try where that leaves nothing. */
const FEWER = 0.5;

/** So many dives one after the other without a better placement end them. */
const MOST_IN_VAIN = 12;

/** Times that a dive may refuse a column and go on. */
const MOST_REFUSED = 20;

export interface DiveOptions {
  readonly root: DeviceRoot;
  /** Placements are to be better than this. */
  readonly target: () => number;
  /** Takes a point of the program that may be a placement. */
  readonly offer: (point: readonly Rational[]) => void;
  readonly seed: number;
  readonly shouldStop: ShouldStop;
}

/** At least so many of a column of the space; `part`: of the last one. */
interface Fraction {
  readonly column: number;
  readonly atLeast: number;
  readonly part: number;
}

/**
 * Placements near an optimum of the devices' patterns, by diving (Sadykov and others 2019, Primal heuristics for branch and
 * price): columns that are whole there, or nearly, are fixed, patterns are generated anew for what is left, and again, until all
 * is whole. Where that leaves nothing better than is known, fewer are fixed, and then the nearest to whole is refused. One dive
 * after the other begins with other columns.
 */
export async function dive(devices: DeviceProblem, options: DiveOptions): Promise<void> {
  const { root, target, offer, shouldStop } = options;
  const narrowed = withoutHeavyOptions(devices, root.cutoff);
  const model = narrowed && deviceModel(devices, narrowed.space);
  if (narrowed === null || model === null) return;
  const random = seededRandom(options.seed);
  const columns = new BranchColumns(devices.blocks);
  const from = { space: narrowed.space, model, generated: root.generated };
  let vain = 0;
  for (let k = 0; vain < MOST_IN_VAIN && !shouldStop(propagationUnits(from.space)); k++) {
    const before = target();
    await diveFrom(KEPT[k % KEPT.length] as number);
    vain = target() < before ? 0 : vain + 1;
  }

  async function diveFrom(first: number): Promise<void> {
    let share = first;
    let refused = 0;
    for (let node: DeviceNode | null = from; node !== null && !shouldStop(); share = 1) {
      if (node.generated.usage === null) return;
      const point = columns.point(node);
      if (point !== null) return offer(point);
      const { whole, parts } = split(node);
      if (whole.length + parts.length === 0) return;
      const kept = drawn(whole, share);
      const fewer = drawn(kept, FEWER);
      const up = parts.filter(({ part }, k) => k === 0 || part > NEARLY_WHOLE);
      const nearest = up.slice(0, 1);
      node =
        (await below(node, [...kept, ...up])) ??
        (up.length > 1 ? await below(node, [...kept, ...nearest]) : null) ??
        (await below(node, [...fewer, ...nearest])) ??
        (++refused > MOST_REFUSED ? null : await below(node, fewer, nearest[0]));
    }
  }

  /** What is left below some columns that are fixed, and one that is refused; `null` where that is nothing better than is known. */
  async function below(
    { space, generated }: DeviceNode,
    fixed: readonly Fraction[],
    refused?: Fraction,
  ): Promise<DeviceNode | null> {
    if (shouldStop(propagationUnits(space))) return null;
    const box = copyOf(space.box);
    for (const { column, atLeast } of fixed) box.lower[column] = Rational.of(BigInt(atLeast));
    if (refused !== undefined) box.upper[refused.column] = Rational.of(BigInt(refused.atLeast - 1));
    const left = propagated({ space: space.within(box).reduced(), steps: [] });
    const how = { scale: root.scale, shouldStop, from: generated, enough: target() };
    const found = left && (await generate(devices, left.space, how));
    return found === null || found.generated.value >= target() ? null : found;
  }

  /** The columns of a node's usage that are not fixed: whole ones, and parts, nearest to whole first. */
  function split(node: DeviceNode) {
    const { space } = node;
    const local = localOf(space);
    const whole: Fraction[] = [];
    const parts: Fraction[] = [];
    for (const [name, share] of columns.shares(node)) {
      const column = local.get(name);
      if (column === undefined) continue;
      const count = Math.floor(share + WHOLE);
      const part = share - count;
      const low = (space.box.lower[column] as Rational).toNumber();
      if (part > WHOLE && count >= low) parts.push({ column, atLeast: count + 1, part });
      if (count > low) whole.push({ column, atLeast: count, part: 0 });
    }
    return { whole, parts: parts.sort((a, b) => b.part - a.part) };
  }

  function drawn(items: readonly Fraction[], share: number): readonly Fraction[] {
    return share === 1 ? items : items.filter(() => random.next() < share);
  }
}
