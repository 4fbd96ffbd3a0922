import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { ClustersStep, ListedClusters, Step } from "../../../proof/certificate.js";
import { type PricedList, splitList } from "../../../proof/kernel/grouping/column-pool.js";
import type { ElementPair, GroupingNode } from "../../../proof/kernel/grouping/node.js";
import {
  leftBySemidefinite,
  type SemidefiniteBound,
  type SemidefiniteStep,
  semidefiniteBound,
} from "../../../proof/kernel/grouping/semidefinite.js";
import type { Continuation } from "./semidefinite/semidefinite-proof.js";

/** What is proved of a node. */
export interface NodeProof {
  /** Nothing in the node is better; `null`: there is nothing in it. */
  readonly claim: Rational | null;
  readonly step: Step;
  /** Units of work that checking it takes, about. */
  readonly checking: number;
}

/** A semidefinite bound of a node, and what it leaves open. */
export interface Tightening {
  readonly step: SemidefiniteStep;
  readonly proved: SemidefiniteBound;
  /** The node that it is of. */
  readonly whole: GroupingNode;
  /** Nothing in the node is better. */
  readonly bound: Rational;
  /**
   * What is open of the node where `claim` is claimed, `null` where nothing is: nothing else in it is better than that.
   */
  readonly left: GroupingNode | null;
  readonly claim: Rational;
  /** Units of work that checking it takes, about. */
  readonly checking: number;
  readonly continuation: Continuation;
}

/** A node of the tree over pairs of elements. */
export interface TreeNode {
  /** What is open of it. */
  node: GroupingNode;
  /** What was taken from it first. */
  tightening: Tightening | null;
  readonly parent: TreeNode | null;
  /**
   * All clusters that something better than the best value can have there; `null` where they are not listed. Children
   * are then parts of the list.
   */
  list: PricedList | null;
  /** The best of what is open, without branching. */
  proof: NodeProof | null;
  /** What its children begin with where semidefinite bounds go on; `null` where they do not. */
  continuation: Continuation | null;
  pair: ElementPair | null;
  children: readonly [TreeNode, TreeNode] | null;
}

/** The nodes of a proof that branches on whether two elements are in one cluster (Ryan and Foster 1981). */
export class RyanFosterTree {
  readonly #grouping: Grouping;
  readonly #roots: readonly TreeNode[];

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#roots = grouping.windows.map((window) => treeNode({ window, together: [], apart: [] }, null));
  }

  get roots(): readonly TreeNode[] {
    return this.#roots;
  }

  /** Windows of which nothing is proved yet. */
  get openRoots(): number {
    return this.#roots.filter((root) => claimOf(root) === undefined).length;
  }

  /** The open leaf of which least is proved; `null` where every leaf reaches the cutoff or is empty. */
  leastLeaf(cutoff: Rational): TreeNode | null {
    let least: { readonly leaf: TreeNode; readonly bound: Claim } | null = null;
    const visit = (tree: TreeNode, above: Claim) => {
      const own = ownClaim(tree);
      const bound = isMore(own, above) ? own : above;
      if (bound === null || (bound !== undefined && bound.compare(cutoff) >= 0)) return;
      if (tree.children !== null) for (const child of tree.children) visit(child, bound);
      else if (least === null || isMore(least.bound, bound)) least = { leaf: tree, bound };
    };
    for (const root of this.#roots) visit(root, undefined);
    return (least as { readonly leaf: TreeNode } | null)?.leaf ?? null;
  }

  /** Notes what a semidefinite bound takes from a leaf. */
  tighten(leaf: TreeNode, tightening: Tightening): void {
    leaf.tightening = tightening;
    leaf.node = tightening.left ?? tightening.whole;
  }

  /** Splits a leaf at a pair: first both in one cluster, then in different ones. */
  split(leaf: TreeNode, pair: ElementPair): void {
    leaf.pair = pair;
    const [joined, split] = parted(leaf.node, pair);
    leaf.children = [treeNode(joined, leaf), treeNode(split, leaf)];
    if (leaf.list === null) return;
    const { together, apart } = splitList(leaf.list.blocks, pair);
    leaf.children[0].list = { ...leaf.list, blocks: together };
    leaf.children[1].list = { ...leaf.list, blocks: apart };
  }

  /**
   * The greatest claim proved of all nodes together, `null` where all are empty; and `undefined` where one proves
   * nothing.
   */
  get claim(): Rational | null | undefined {
    return leastOf(this.#roots.map(claimOf));
  }

  /** Units of work that checking the proofs takes, about. */
  get checking(): number {
    const timeOf = ({ proof, tightening, list, children }: TreeNode): number => {
      const below = (children ?? []).reduce((sum, child) => sum + timeOf(child), 0);
      const own = below === 0 || list !== null ? (proof?.checking ?? 0) : 0;
      return (tightening?.checking ?? 0) + own + below;
    };
    return this.#roots.reduce((sum, root) => sum + timeOf(root), 0);
  }

  /** The steps that prove a claim, which is no more than all nodes together prove. */
  stepsFor(claim: Rational | null): readonly Step[] {
    return this.#roots.flatMap((root) => this.#stepsOf(root, root.tightening?.whole ?? root.node, claim));
  }

  /**
   * `node`: what is open where the steps are taken. Of a lesser claim than was tried a semidefinite step leaves less
   * open.
   */
  #stepsOf(tree: TreeNode, node: GroupingNode, claim: Rational | null): readonly Step[] {
    const { tightening } = tree;
    if (tightening === null || claim === null) return this.#stepsOfRest(tree, node, claim);
    const { whole, step } = tightening;
    const isWhole = node.apart.length === whole.apart.length;
    const proved = isWhole ? tightening.proved : semidefiniteBound(this.#grouping, node, step);
    const left = leftBySemidefinite(this.#grouping, node, proved, claim);
    // Where nothing is left, no step may follow.
    if (left === null) return [step];
    const rest = this.#stepsOfRest(tree, left, claim);
    return left === node ? rest : [step, ...rest];
  }

  #stepsOfRest(tree: TreeNode, node: GroupingNode, claim: Rational | null): readonly Step[] {
    const { proof, list, children, pair } = tree;
    if (list !== null && proof !== null && children !== null) {
      const { groups } = proof.step as ClustersStep;
      return [{ groups: { ...groups, listed: this.#listed(tree, []) } }];
    }
    if (children !== null && isMore(claimOfChildren(children), proof?.claim)) {
      const nodes = parted(node, pair as ElementPair);
      return [
        { pair: this.#namesOf(pair as ElementPair) },
        ...children.flatMap((child, k) => this.#stepsOf(child, nodes[k] as GroupingNode, claim)),
      ];
    }
    return proof === null ? [] : [proof.step];
  }

  /** What proves most of the clusters of a listed node, beginning with these dual values. */
  #listed({ proof, children, pair }: TreeNode, narrow: ListedClusters["narrow"]): ListedClusters {
    if (children === null || !isMore(claimOfChildren(children), proof?.claim)) return { narrow };
    const below = ({ proof }: TreeNode) => (proof === null ? [] : [(proof.step as ClustersStep).groups]);
    const [together, apart] = children.map((child) => this.#listed(child, below(child)));
    return {
      narrow,
      split: {
        pair: this.#namesOf(pair as ElementPair),
        together: together as ListedClusters,
        apart: apart as ListedClusters,
      },
    };
  }

  #namesOf([i, j]: ElementPair): readonly [string, string] {
    const { elements } = this.#grouping;
    return [elements[i] as string, elements[j] as string];
  }
}

function treeNode(node: GroupingNode, parent: TreeNode | null): TreeNode {
  return { node, tightening: null, parent, list: null, proof: null, continuation: null, pair: null, children: null };
}

/** A node with two elements in one cluster, and with them in different ones. */
function parted({ window, together, apart }: GroupingNode, pair: ElementPair): readonly [GroupingNode, GroupingNode] {
  return [
    { window, together: [...together, pair], apart },
    { window, together, apart: [...apart, pair] },
  ];
}

/** `undefined`: nothing is proved; `null`: there is nothing in the node. */
export type Claim = Rational | null | undefined;

function claimOf(tree: TreeNode): Claim {
  const below = tree.children === null ? undefined : claimOfChildren(tree.children);
  const own = tree.proof?.claim;
  return withTightening(tree, isMore(below, own) ? below : own);
}

/** What is proved of a node without branching. */
function ownClaim(tree: TreeNode): Claim {
  return withTightening(tree, tree.proof?.claim);
}

/** What is proved of a whole node where something is of what its tightening left open. */
function withTightening({ tightening }: TreeNode, rest: Claim): Claim {
  if (tightening === null) return rest;
  const all = isMore(rest, tightening.claim) ? tightening.claim : rest;
  return isMore(all, tightening.bound) ? all : tightening.bound;
}

function claimOfChildren(children: readonly TreeNode[]): Claim {
  return leastOf(children.map(claimOf));
}

/** Whether one claim says more than another: `null` (nothing is there) says most, `undefined` nothing. */
export function isMore(one: Claim, other: Claim): boolean {
  if (one === undefined || other === null) return false;
  return other === undefined || one === null || one.compare(other) > 0;
}

function leastOf(claims: readonly Claim[]): Claim {
  return claims.reduce<Claim>((least, claim) => (isMore(least, claim) ? claim : least), null);
}
