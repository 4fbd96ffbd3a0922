import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import { Rational } from "../../../../exact/rational.js";
import type { Program } from "../../../../program/program.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { DeviceRoot } from "./device-bound.js";
import { BranchColumns } from "./device-branching.js";
import { type Generated, generate } from "./device-generation.js";
import { type DeviceModel, deviceModel } from "./device-model.js";
import { propagated, propagationUnits, withoutHeavyOptions } from "./heavy-options.js";

/** What is no farther from an integer is one. */
const WHOLE = 1e-5;

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

/** What is left of the program, and patterns there. */
interface Node {
  readonly space: SearchSpace;
  readonly model: DeviceModel;
  readonly generated: Generated;
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
export async function dive(
  problem: PlacementProblem,
  blocks: DeviceBlocks,
  program: Program,
  options: DiveOptions,
): Promise<void> {
  const { root, seed, target, shouldStop } = options;
  const narrowed = withoutHeavyOptions(blocks, SearchSpace.of(program), root.cutoff);
  const model = narrowed && deviceModel(problem, blocks, narrowed.space);
  if (narrowed === null || model === null) return;
  const { generated } = root;
  const dives = new Dives(problem, blocks, options, seededRandom(seed));
  const from = { space: narrowed.space, model, generated };
  let vain = 0;
  for (let k = 0; vain < MOST_IN_VAIN && !shouldStop(propagationUnits(from.space)); k++) {
    const before = target();
    await dives.from(from, KEPT[k % KEPT.length] as number);
    vain = target() < before ? 0 : vain + 1;
  }
}

class Dives {
  readonly #problem: PlacementProblem;
  readonly #blocks: DeviceBlocks;
  readonly #options: DiveOptions;
  readonly #random: Random;
  readonly #columns: BranchColumns;

  constructor(problem: PlacementProblem, blocks: DeviceBlocks, options: DiveOptions, random: Random) {
    this.#problem = problem;
    this.#blocks = blocks;
    this.#options = options;
    this.#random = random;
    this.#columns = new BranchColumns(blocks);
  }

  async from(root: Node, kept: number): Promise<void> {
    const { offer, shouldStop } = this.#options;
    let share = kept;
    let refused = 0;
    for (let node: Node | null = root; node !== null && !shouldStop(); share = 1) {
      const { space, model, generated } = node;
      if (generated.usage === null) return;
      const point = this.#columns.point(space, generated.usage, model);
      if (point !== null) return offer(point);
      const { whole, parts } = this.#split(node);
      if (whole.length + parts.length === 0) return;
      const kept = this.#drawn(whole, share);
      const fewer = this.#drawn(kept, FEWER);
      const up = parts.filter(({ part }, k) => k === 0 || part > NEARLY_WHOLE);
      const nearest = up.slice(0, 1);
      node =
        (await this.#below(node, [...kept, ...up])) ??
        (up.length > 1 ? await this.#below(node, [...kept, ...nearest]) : null) ??
        (await this.#below(node, [...fewer, ...nearest])) ??
        (++refused > MOST_REFUSED ? null : await this.#below(node, fewer, nearest[0]));
    }
  }

  /** What is left below some columns that are fixed, and one that is refused; `null` where that is nothing better than is known. */
  async #below({ space, generated }: Node, fixed: readonly Fraction[], refused?: Fraction): Promise<Node | null> {
    const { root, target, shouldStop } = this.#options;
    if (shouldStop(propagationUnits(space))) return null;
    const lower = space.box.lower.slice();
    const upper = space.box.upper.slice();
    for (const { column, atLeast } of fixed) lower[column] = Rational.of(BigInt(atLeast));
    if (refused !== undefined) upper[refused.column] = Rational.of(BigInt(refused.atLeast - 1));
    const left = propagated({ space: space.within({ lower, upper }).reduced(), steps: [] })?.space ?? null;
    const model = left && deviceModel(this.#problem, this.#blocks, left);
    if (left === null || model === null) return null;
    const constant = left.view.constant.toNumber();
    const how = { scale: root.scale, constant, shouldStop, from: generated, enough: target() };
    const found = await generate(model, how);
    return found === null || found.value >= target() ? null : { space: left, model, generated: found };
  }

  /** The columns of a node's usage that are not fixed: whole ones, and parts, nearest to whole first. */
  #split({ space: { view, box }, model, generated: { usage } }: Node) {
    const local = new Map(view.columns.map((column, j) => [column, j]));
    const whole: Fraction[] = [];
    const parts: Fraction[] = [];
    if (usage === null) return { whole, parts };
    for (const [name, share] of this.#columns.shares(usage, model)) {
      const column = local.get(name);
      if (column === undefined) continue;
      const count = Math.floor(share + WHOLE);
      const part = share - count;
      const low = (box.lower[column] as Rational).toNumber();
      if (part > WHOLE && count >= low) parts.push({ column, atLeast: count + 1, part });
      if (count > low) whole.push({ column, atLeast: count, part: 0 });
    }
    return { whole, parts: parts.sort((a, b) => b.part - a.part) };
  }

  #drawn(items: readonly Fraction[], share: number): readonly Fraction[] {
    return share === 1 ? items : items.filter(() => this.#random.next() < share);
  }
}
