import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { halvesAt } from "../bounds/reduction-steps.js";
import { type BranchColumn, BranchColumns } from "./device-branching.js";
import { type DeviceRoot, type Generated, generate } from "./device-generation.js";
import { type DeviceProblem, deviceModel } from "./device-model.js";
import { closingStep, lowered } from "./device-proof.js";
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
export async function deviceTree(devices: DeviceProblem, options: DeviceTreeOptions): Promise<BoundProof | null> {
  const { root, cutoff, offer, shouldStop, checking, affords } = options;
  const columns = new BranchColumns(devices.blocks);
  const open: Node[] = [];
  let leaves = 1;
  // Nothing above is looked for.
  let most = FURTHER * root.generated.value;
  let top = await topNode();
  if (top === null) {
    // Below a higher value there may be too many ways to hold a table.
    // In doubles, searched: how far is looked; what is claimed is checked.
    most = root.cutoff.toNumber();
    top = await topNode();
  }
  if (top === null) return null;
  open.push(top);
  for (;;) {
    const node = nextNode();
    const children = await split(node);
    if (children === null) return proof(top, Math.min(node.bound, target()));
    node.children = children;
    open.push(children.below, children.above);
  }

  async function topNode(): Promise<Node | null> {
    const narrowed = withoutHeavyOptions(devices, Rational.fromNumber(Math.ceil(target())));
    return narrowed && (await nodeIn(narrowed.space, root.generated, 0));
  }

  /** The best value known, or so high that nothing good is above it: a node that reaches it needs no branching. */
  function target(): number {
    // In doubles, searched: how far is looked; what is claimed is checked.
    return Math.min(cutoff()?.toNumber() ?? Number.POSITIVE_INFINITY, most);
  }

  /** The open node of least bound, which is taken out; there is one, as each that was taken out left two. */
  function nextNode(): Node {
    let at = 0;
    open.forEach(({ bound }, k) => {
      if (bound < (open[at] as Node).bound) at = k;
    });
    return open.splice(at, 1)[0] as Node;
  }

  /** `null` where a node needs no branching, where there is none, or where there is no more to be done. */
  async function split(node: Node): Promise<Node["children"]> {
    const { space, generated, bound } = node;
    if (generated === null || generated.usage === null || bound >= target()) return null;
    if (!affords(++leaves) || shouldStop(checking)) return null;
    // Not kept with the node: models are large.
    const model = deviceModel(devices, space);
    const on = model && columns.choose({ space, model, generated });
    if (on === null) return null;
    const below = await child(node, generated, on, true);
    const above = below && (await child(node, generated, on, false));
    return below === null || above === null ? null : { on, below, above };
  }

  async function child(parent: Node, from: Generated, on: BranchColumn, isBelow: boolean): Promise<Node | null> {
    shouldStop(propagationUnits(parent.space));
    const half = branched(parent.space, on, isBelow);
    const left = half === null ? null : propagated({ space: half, steps: [] });
    if (left === null) return { space: parent.space, bound: Number.POSITIVE_INFINITY, generated: null, children: null };
    return nodeIn(left.space, from, parent.bound);
  }

  async function nodeIn(space: SearchSpace, from: Generated, least: number): Promise<Node | null> {
    const found = await generate(devices, space, { scale: root.scale, shouldStop, from, enough: target() });
    if (found === null) return null;
    const { generated } = found;
    const point = columns.point(found);
    if (point !== null) offer(point);
    return { space, bound: Math.max(least, generated.value), generated, children: null };
  }

  /** The tree's steps at a claim: what is left below it is less than was searched, and whole numbers prove a little less. */
  function proof(from: Node, least: number): BoundProof | null {
    // In doubles, searched: whether a proof is worth writing.
    if (!(Math.floor(least) > (root.proof.claim?.toNumber() ?? 0))) return null;
    let claim = lowered(Rational.fromNumber(Math.floor(least)), MARGIN);
    for (let round = 0; round < MAX_CLAIMS && (round < FORESEEN || affords(leaves)); round++) {
      const narrowed = withoutHeavyOptions(devices, claim);
      if (narrowed === null) return null;
      const steps: Step[] = [...narrowed.steps];
      const reached = write(from, narrowed.space, steps);
      if (reached === null) return null;
      if (reached === "all" || reached.compare(claim) >= 0) return { claim, steps };
      claim = lowered(reached, MARGIN);
    }
    return null;
  }

  /** Writes the steps of a node and all below it; the least bound that they prove, `null` where they prove none. */
  function write({ children, generated }: Node, space: SearchSpace, steps: Step[]): Rational | "all" | null {
    if (children === null) {
      const closed = generated && closingStep(devices, space, generated, root.scale);
      if (closed === null) return null;
      steps.push(closed.step);
      return closed.total;
    }
    const { on, below, above } = children;
    steps.push({ branch: space.program.columns[on.column]?.name as string, at: `${on.at}` });
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
      const reached = write(child, left.space, steps);
      if (reached === null) return null;
      if (reached !== "all" && (least === "all" || reached.compare(least) < 0)) least = reached;
    }
    return least;
  }
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
  const [below, above] = halvesAt(space.box, j, BigInt(at));
  return space.within(isBelow ? below : above).reduced();
}
