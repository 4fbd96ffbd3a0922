import type { Rational } from "../../exact/rational.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Step } from "../../proof/certificate.js";
import type { GroupingNode, ItemPair } from "../../proof/grouping/node.js";
import type { NodeProof } from "./solve-node.js";

/** A node of the tree over pairs of items. */
export interface TreeNode {
  readonly node: GroupingNode;
  readonly parent: TreeNode | null;
  /** The best of its own, without branching. */
  proof: NodeProof | null;
  /** What its children begin with; see `SolvedNode`. */
  prices: Float64Array | null;
  pair: ItemPair | null;
  children: readonly [TreeNode, TreeNode] | null;
}

/** The nodes of a proof that branches on whether two items are in one group (Ryan and Foster 1981). */
export class PairTree {
  readonly #grouping: Grouping;
  readonly #roots: readonly TreeNode[];

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#roots = grouping.windows.map((window) => treeNode({ window, together: [], apart: [] }, null));
  }

  get roots(): readonly TreeNode[] {
    return this.#roots;
  }

  /** The open leaf of which least is proved; `null` where every leaf reaches the cutoff or is empty. */
  leastLeaf(cutoff: Rational): TreeNode | null {
    let least: { readonly leaf: TreeNode; readonly bound: Claim } | null = null;
    const visit = (tree: TreeNode, above: Claim) => {
      const own = tree.proof?.claim;
      const bound = isMore(own, above) ? own : above;
      if (bound === null || (bound !== undefined && bound.compare(cutoff) >= 0)) return;
      if (tree.children !== null) for (const child of tree.children) visit(child, bound);
      else if (least === null || isMore(least.bound, bound)) least = { leaf: tree, bound };
    };
    for (const root of this.#roots) visit(root, undefined);
    return (least as { readonly leaf: TreeNode } | null)?.leaf ?? null;
  }

  /** Splits a leaf at a pair: first both in one group, then in different ones. */
  split(leaf: TreeNode, pair: ItemPair): void {
    const { window, together, apart } = leaf.node;
    leaf.pair = pair;
    leaf.children = [
      treeNode({ window, together: [...together, pair], apart }, leaf),
      treeNode({ window, together, apart: [...apart, pair] }, leaf),
    ];
  }

  /** The greatest claim proved of all nodes together, `null` where all are empty; and `undefined` where one proves nothing. */
  get claim(): Rational | null | undefined {
    return leastOf(this.#roots.map(claimOf));
  }

  /** The steps that prove it. */
  get steps(): readonly Step[] {
    return this.#roots.flatMap((root) => this.#stepsOf(root));
  }

  #stepsOf(tree: TreeNode): readonly Step[] {
    const { proof, children, pair } = tree;
    if (children !== null && isMore(claimOfChildren(children), proof?.claim)) {
      const [i, j] = pair as ItemPair;
      const names: readonly [string, string] = [this.#grouping.items[i] as string, this.#grouping.items[j] as string];
      return [{ pair: names }, ...children.flatMap((child) => this.#stepsOf(child))];
    }
    return proof === null ? [] : [proof.step];
  }
}

function treeNode(node: GroupingNode, parent: TreeNode | null): TreeNode {
  return { node, parent, proof: null, prices: null, pair: null, children: null };
}

type Claim = Rational | null | undefined;

function claimOf({ proof, children }: TreeNode): Claim {
  const below = children === null ? undefined : claimOfChildren(children);
  const own = proof === null ? undefined : proof.claim;
  return isMore(below, own) ? below : own;
}

function claimOfChildren(children: readonly TreeNode[]): Claim {
  return leastOf(children.map(claimOf));
}

/** Whether one claim says more than another: `null` (nothing is there) says most, `undefined` nothing. */
function isMore(one: Claim, other: Claim): boolean {
  if (one === undefined || other === null) return false;
  return other === undefined || one === null || one.compare(other) > 0;
}

function leastOf(claims: readonly Claim[]): Claim {
  return claims.reduce<Claim>((least, claim) => (isMore(least, claim) ? claim : least), null);
}
