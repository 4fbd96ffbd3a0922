import type { DeviceBlocks, GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import type { DeviceRoot } from "./device-bound.js";
import { type BranchColumn, BranchColumns } from "./device-branching.js";
import { type Generated, generate } from "./device-generation.js";
import { deviceModel } from "./device-model.js";
import { closingStep, wholeWorths } from "./device-proof.js";
import { propagated, propagationUnits, withoutHeavyOptions } from "./heavy-options.js";

/** The claim is lowered by this part before it is proved: what shards are worth is rounded. */
const MARGIN = Rational.of(1n, 50_000n);

/** Claims that are tried, each what the leaves proved at the one before. */
const MAX_CLAIMS = 3;

/** For so many of them there is time in any case. */
const FORESEEN = 2;

/** Placements of more than so many times the bound are not looked for. */
const FURTHER = 3;

export interface DeviceTreeOptions {
  /** The best value known; `null` before there is one. */
  readonly cutoff: () => Rational | null;
  /** What is known of the patterns, and the bound that was proved of them. */
  readonly root: DeviceRoot & { readonly proof: BoundProof };
  /** Takes a point of the program that may be a placement. */
  readonly offer: (point: readonly Rational[]) => void;
  readonly shouldStop: ShouldStop;
  /** Units of work that it takes to check a leaf: as many milliseconds. */
  readonly checking: number;
  /** Whether there is time left to write and check so many leaves. */
  readonly affords: (leaves: number) => boolean;
}

/** What devices may hold under some branchings. */
interface Node {
  readonly space: SearchSpace;
  /** In doubles. */
  readonly bound: number;
  /** `null` where propagation leaves nothing. */
  readonly generated: Generated | null;
  children: { readonly on: BranchColumn; readonly below: Node; readonly above: Node } | null;
}

/**
 * Branch and price over the devices' patterns (Barnhart and others 1998), on the program's own columns: options that tables take,
 * and where shards are. Best bound first; what it ends with is proved leaf by leaf. `null` where nothing is gained.
 */
export async function deviceTree(
  problem: PlacementProblem,
  built: GoalProgram,
  options: DeviceTreeOptions,
): Promise<BoundProof | null> {
  const { blocks } = built;
  if (blocks === null) return null;
  return new DeviceTree(problem, blocks, SearchSpace.of(built.program), options).run();
}

class DeviceTree {
  readonly #problem: PlacementProblem;
  readonly #blocks: DeviceBlocks;
  readonly #whole: SearchSpace;
  readonly #options: DeviceTreeOptions;
  readonly #columns: BranchColumns;
  readonly #open: Node[] = [];
  #leaves = 1;
  /** Nothing above is looked for. */
  #most: number;

  constructor(problem: PlacementProblem, blocks: DeviceBlocks, whole: SearchSpace, options: DeviceTreeOptions) {
    this.#problem = problem;
    this.#blocks = blocks;
    this.#whole = whole;
    this.#options = options;
    this.#columns = new BranchColumns(blocks);
    this.#most = FURTHER * options.root.generated.value;
  }

  async run(): Promise<BoundProof | null> {
    let root = await this.#rootNode();
    if (root === null) {
      // Below a higher value there may be too many ways to hold a table.
      // In doubles, searched: how far is looked; what is claimed is checked.
      this.#most = this.#options.root.cutoff.toNumber();
      root = await this.#rootNode();
    }
    if (root === null) return null;
    this.#open.push(root);
    for (;;) {
      const node = this.#next();
      const children = await this.#split(node);
      if (children === null) return this.#proof(root, Math.min(node.bound, this.#target));
      node.children = children;
      this.#open.push(children.below, children.above);
    }
  }

  async #rootNode(): Promise<Node | null> {
    const narrowed = withoutHeavyOptions(this.#blocks, this.#whole, Rational.fromNumber(Math.ceil(this.#target)));
    return narrowed && (await this.#node(narrowed.space, this.#options.root.generated, 0));
  }

  /** The best value known, or so high that nothing good is above it: a node that reaches it needs no branching. */
  get #target(): number {
    // In doubles, searched: how far is looked; what is claimed is checked.
    return Math.min(this.#options.cutoff()?.toNumber() ?? Number.POSITIVE_INFINITY, this.#most);
  }

  /** The open node of least bound, which is taken out; there is one, as each that was taken out left two. */
  #next(): Node {
    let at = 0;
    this.#open.forEach(({ bound }, k) => {
      if (bound < (this.#open[at] as Node).bound) at = k;
    });
    return this.#open.splice(at, 1)[0] as Node;
  }

  /** `null` where a node needs no branching, where there is none, or where there is no more to be done. */
  async #split(node: Node): Promise<Node["children"]> {
    const { space, generated, bound } = node;
    const { shouldStop, affords, checking } = this.#options;
    if (generated === null || generated.usage === null || bound >= this.#target) return null;
    if (!affords(++this.#leaves) || shouldStop(checking)) return null;
    const model = deviceModel(this.#problem, this.#blocks, space);
    const on = model && this.#columns.choose(space, generated.usage, model);
    if (on === null) return null;
    const below = await this.#child(node, generated, on, true);
    const above = below && (await this.#child(node, generated, on, false));
    return below === null || above === null ? null : { on, below, above };
  }

  async #child(parent: Node, from: Generated, on: BranchColumn, isBelow: boolean): Promise<Node | null> {
    this.#options.shouldStop(propagationUnits(parent.space));
    const half = branched(parent.space, on, isBelow);
    const left = half === null ? null : propagated({ space: half, steps: [] });
    if (left === null) return { space: parent.space, bound: Number.POSITIVE_INFINITY, generated: null, children: null };
    return this.#node(left.space, from, parent.bound);
  }

  async #node(space: SearchSpace, from: Generated, least: number): Promise<Node | null> {
    const model = deviceModel(this.#problem, this.#blocks, space);
    if (model === null) return null;
    // In doubles, searched: how far is looked; what is claimed is checked.
    const constant = space.view.constant.toNumber();
    const { shouldStop, root, offer } = this.#options;
    const how = { scale: root.scale, constant, shouldStop, from, enough: this.#target };
    const generated = await generate(model, how);
    if (generated === null) return null;
    const point = generated.usage && this.#columns.point(space, generated.usage, model);
    if (point !== null) offer(point);
    return { space, bound: Math.max(least, generated.value), generated, children: null };
  }

  /** The tree's steps at a claim: what is left below it is less than was searched, and whole numbers prove a little less. */
  #proof(root: Node, least: number): BoundProof | null {
    // In doubles, searched: whether a proof is worth writing.
    if (!(Math.floor(least) > (this.#options.root.proof.claim?.toNumber() ?? 0))) return null;
    let claim = lowered(Rational.fromNumber(Math.floor(least)));
    for (let round = 0; round < MAX_CLAIMS && (round < FORESEEN || this.#options.affords(this.#leaves)); round++) {
      const narrowed = withoutHeavyOptions(this.#blocks, this.#whole, claim);
      if (narrowed === null) return null;
      const steps: Step[] = [...narrowed.steps];
      const reached = this.#write(root, narrowed.space, steps);
      if (reached === null) return null;
      if (reached === "all" || reached.compare(claim) >= 0) return { claim, steps };
      claim = lowered(reached);
    }
    return null;
  }

  /** Writes the steps of a node and all below it; the least bound that they prove, `null` where they prove none. */
  #write({ children, generated }: Node, space: SearchSpace, steps: Step[]): Rational | "all" | null {
    if (children === null) return generated && this.#close(generated, space, steps);
    const { on, below, above } = children;
    steps.push({ branch: this.#whole.program.columns[on.column]?.name as string, at: `${on.at}` });
    let least: Rational | "all" = "all";
    for (const child of [below, above]) {
      const half = branched(space, on, child === below);
      const left = half && propagated({ space: half, steps: [] });
      if (left === null) {
        if (half !== null) steps.push({ propagate: {} });
        steps.push({ infeasible: {} });
        continue;
      }
      steps.push(...left.steps);
      const reached = this.#write(child, left.space, steps);
      if (reached === null) return null;
      if (reached !== "all" && (least === "all" || reached.compare(least) < 0)) least = reached;
    }
    return least;
  }

  #close({ worths, weights }: Generated, space: SearchSpace, steps: Step[]): Rational | null {
    const argument = { problem: this.#problem, blocks: this.#blocks, scale: this.#options.root.scale };
    const closed = closingStep({ ...argument, worths: wholeWorths(worths), weights }, space);
    if (closed === null) return null;
    steps.push(closed.step);
    return closed.total;
  }
}

function lowered(value: Rational): Rational {
  return Rational.of(value.multiply(Rational.one.subtract(MARGIN)).floor());
}

/** Half of a space; `null` where the column is decided otherwise. */
function branched(space: SearchSpace, { column, at }: BranchColumn, isBelow: boolean): SearchSpace | null {
  const j = space.view.columns.indexOf(column);
  if (j === -1) {
    const { lower } = space.programBounds();
    // In doubles, searched: where a column is, by a relaxation.
    const value = lower[column]?.toNumber() ?? 0;
    return value <= at === isBelow ? space : null;
  }
  const box = { lower: space.box.lower.slice(), upper: space.box.upper.slice() };
  if (isBelow) box.upper[j] = Rational.of(BigInt(at));
  else box.lower[j] = Rational.of(BigInt(at + 1));
  return space.within(box).reduced();
}
