import type { Step } from "../../../../proof/certificate.js";
import type { ShouldStop } from "../../../../search/work.js";
import { solveUnits } from "../core/pattern-lp.js";
import { type BaseBound, baseBound, isRaised, rounded, withoutDear } from "./base-bound.js";
import type { BaseLp, BasePoint } from "./base-lp.js";
import type { BaseModel, Switch } from "./base-model.js";
import type { BaseProof } from "./base-proof.js";
import { type BaseNode, followed, halves, isSettled, leastSteps, narrowed, rootNode, type Split } from "./node.js";
import { PatternKnapsack } from "./pattern-knapsack.js";
import { boundCount, closedBy, copyOf, openLeaves, shownByBound, stepsOf, type TreeNode } from "./tree-node.js";

/** What a tree comes to at a limit. */
export type BaseAnswer =
  | { readonly kind: "refuted" }
  /** Nodes are open, to be gone on with. */
  | { readonly kind: "stopped" }
  /** The same, before something else is done: see {@link Aim.isPaused}. */
  | { readonly kind: "paused" }
  /** At this node all is decided but on which devices free shards are: to be closed by {@link BaseTree.closeLeaf}. */
  | { readonly kind: "leaf"; readonly leaf: TreeNode; readonly node: BaseNode }
  /** A relaxation was given up. */
  | { readonly kind: "stuck" };

/** A limit that a tree is to decide, and what it needs for it. */
export interface Aim {
  /** No placement below this is to be left, in shares of the model's scale. */
  readonly limit: number;
  readonly lp: BaseLp;
  readonly proof: BaseProof;
  /** By switch, what is known of placements below the limit; −1 where nothing is. */
  readonly decided: Int8Array;
  /** Whether all work ends, not only a slice of it: then a node is left in the middle, and begun again if ever. */
  readonly isOver: () => boolean;
  /** Told of the relaxation of each node that is open: by switch, how far it is taken. */
  readonly relaxed: (values: Float64Array) => void;
  /** Whether something else is due between two nodes. */
  readonly isPaused: () => boolean;
  /** Otherwise a node that is not closed ends it. */
  readonly mayBranch: boolean;
  /** Nodes looked at. */
  nodes: number;
  /** Bounds that close a node or narrow it. */
  bounds: number;
}

/** A node's best bound, and its relaxation's optimum where that is no more than the limit. */
interface Solved {
  readonly bound: BaseBound;
  readonly point: BasePoint | null;
}

/** The part of the limit that a bound must be above it, so that it is in exact arithmetic. */
const MARGIN = 1e-10;

/** The same of what a bound and reduced costs come to: proofs of devices are the shorter for it. */
const SPARE = 1e-4;

/** Rounds of column generation at a node. */
const MAX_ROUNDS = 400;

/** Switches that strong branching looks at. */
const CANDIDATES = 16;

/** Iterations of the simplex for each half of a split that strong branching looks at. */
const PROBE_ITERATIONS = 200;

/** Where the base of cost and of bytes is split: parts of the way from its least to its value. */
const LOAD_PARTS = [0.5, 0.9];
const HBM_PARTS = [0.5, 0.95];

/**
 * A pattern together with its host's base breaks the limit by so much, on all devices, where splitting the base is
 * worth it.
 */
const BROKEN = 0.002;
const BROKEN_BYTES = 1e-3;

/** Gains count to this much above the limit. */
const CAP = 1.02;

const UNITS_PER_FILLING = 0.5;

/**
 * Depth-first branch and bound on bases, options and hosts: is there a placement below a limit? What a tree has closed
 * at a limit is closed at every lower one, where a copy of it may go on.
 */
export class BaseTree {
  readonly #model: BaseModel;
  readonly #knapsack = new PatternKnapsack();
  readonly #root: TreeNode;
  #aim!: Aim;
  /** Looked at between nodes and in column generation, which goes on from where it was. */
  #shouldStop: ShouldStop = () => false;
  /** The node that {@link run} stopped at. */
  #stoppedAt: TreeNode | null = null;

  constructor(model: BaseModel, root = rootOf(model)) {
    this.#model = model;
    this.#root = root;
  }

  copy(): BaseTree {
    return new BaseTree(this.#model, copyOf(this.#root));
  }

  /** Goes on until all is closed at a limit or it is told to stop. */
  run(aim: Aim, shouldStop: ShouldStop): BaseAnswer {
    this.#aim = aim;
    this.#shouldStop = shouldStop;
    const { limit, proof } = aim;
    aim.bounds = boundCount(this.#root, limit);
    const shown = (how: "close" | "narrow", node: BaseNode, bound: BaseBound, part: number) =>
      shownByBound(how, this.#model, limit, node, bound, (g) => aim.lp.capacity(g), part);
    const stack = openLeaves(this.#root, limit);
    for (let next = stack.at(-1); next !== undefined; next = stack.at(-1)) {
      if (shouldStop()) return { kind: "stopped" };
      if (aim.isPaused()) return { kind: "paused" };
      if (next !== this.#stoppedAt) aim.nodes++;
      this.#stoppedAt = next;
      let node = narrowed(this.#model, next.node, aim.decided);
      const steps = proof.contradiction(node);
      if (steps !== null) {
        next.closing = closedBy(limit, steps);
        stack.pop();
        continue;
      }
      const answer = this.#solve(node);
      if (answer === "stopped") return { kind: shouldStop() ? "stopped" : "paused" };
      if (answer === null) return { kind: "stuck" };
      const { bound, point } = answer;
      if (point === null) {
        aim.bounds++;
        next.closing = shown("close", node, bound, MARGIN);
        stack.pop();
        continue;
      }
      const left = isSettled(this.#model, node) ? null : withoutDear(this.#model, node, bound, limit * (1 + SPARE));
      if (left !== null) {
        aim.bounds++;
        next.narrowings = [...next.narrowings, shown("narrow", node, bound, SPARE)];
        next.node = left;
        // Devices have less room: the bound may rise.
        if (isRaised(left, node, this.#model)) continue;
        node = left;
      }
      aim.relaxed(point.switches);
      if (!aim.mayBranch) return { kind: "stuck" };
      const split = this.#choose(node, point);
      if (split === "stopped") return { kind: "stopped" };
      if (split === null) return { kind: "leaf", leaf: next, node };
      stack.pop();
      const [low, high] = halves(this.#model, next.node, split.split).map((half) => this.#opened(half));
      const isLowFirst = split.low > split.high;
      next.split = { step: this.#branchStep(split.split), ...{ low, high, isLowFirst } } as TreeNode["split"];
      stack.push(...((isLowFirst ? [high, low] : [low, high]) as TreeNode[]));
    }
    return { kind: "refuted" };
  }

  /** A node with what follows from its split. */
  #opened(node: BaseNode): TreeNode {
    const { proof } = this.#aim;
    const { node: own, implied } = followed(this.#model, node);
    const known = implied.map((one) => proof.implied(one));
    return {
      node: own,
      before: known.flatMap(({ before }) => before),
      narrowings: [],
      after: known.reverse().flatMap(({ after }) => after),
      closing: null,
      split: null,
    };
  }

  /** Closes the leaf that {@link run} came to. */
  closeLeaf(leaf: TreeNode, { limit }: Aim, steps: readonly Step[]): void {
    leaf.closing = closedBy(limit, steps);
  }

  /** The proof of a limit at which all is closed. */
  steps({ limit }: Aim, proof: BaseProof): Step[] {
    return stepsOf(this.#root, proof, limit);
  }

  #branchStep(split: Split): Step {
    if (split.kind === "switch") {
      const { column } = this.#model.switches[split.switch] as Switch;
      return { branch: this.#aim.proof.column(column as number), at: "0" };
    }
    const scale = this.#model.hosts[split.host]?.[split.kind];
    return { branch: this.#aim.proof.column(scale?.rows.counted?.column as number), at: `${split.at}` };
  }

  /** Column generation at a node; `null` where that gave up. */
  #solve(node: BaseNode): Solved | "stopped" | null {
    const { limit, lp } = this.#aim;
    if (this.#aim.mayBranch) lp.trim();
    lp.goTo(node, limit);
    const groups = this.#model.groups;
    this.#knapsack.isThorough = false;
    for (let round = 1; ; round++) {
      this.#knapsack.isLeft = false;
      const value = lp.solve();
      if (value === null) return null;
      const solving = solveUnits(lp.iterations);
      const duals = rounded(lp.duals());
      const filled = this.#knapsack.units;
      const bound = baseBound(this.#model, node, duals, this.#knapsack, limit, (g) => lp.capacity(g));
      const filling = UNITS_PER_FILLING * groups.length + this.#knapsack.units - filled;
      const isStopped = this.#shouldStop(solving + filling);
      if (bound.value > limit * (1 + MARGIN)) return { bound, point: null };
      if (round === MAX_ROUNDS) return { bound, point: lp.point() };
      let added = 0;
      for (const { parts, others = [] } of bound.fillings) {
        for (const pattern of [parts, ...others]) {
          if (pattern.length === 0) continue;
          groups.forEach((_, g) => {
            if (lp.add(g, pattern)) added++;
          });
        }
      }
      // A relaxation of so little is not closed by better bounds: those are sought where they may.
      const isOpen = value <= limit;
      const isOver = added === 0 && (this.#knapsack.isThorough || !this.#knapsack.isLeft || isOpen);
      if (isOver) return { bound, point: lp.point() };
      this.#knapsack.isThorough = added === 0;
      // Only now: the next solve is the same after a stop.
      if (isStopped || this.#aim.isPaused()) return "stopped";
    }
  }

  /**
   * Where to split: strong branching on the patterns known, over bases and the switches that matter most. A host for the shards
   * of an option may be decided before the option: what it adds to which base matters more.
   */
  #choose(
    node: BaseNode,
    point: BasePoint,
  ): { readonly split: Split; readonly low: number; readonly high: number } | "stopped" | null {
    const bases = this.#baseSplits(node, point);
    const switches = this.#switchSplits(node, point);
    if (bases.length + switches.length === 0) {
      const open = this.#model.switches.flatMap(({ column, size }, at) =>
        column !== null && (point.switches[at] as number) > 0.5 && node.decided[at] === -1 ? [{ at, size }] : [],
      );
      open.sort((a, b) => b.size - a.size);
      if (open[0] !== undefined) return { split: { kind: "switch", switch: open[0].at }, low: 0, high: 0 };
      return null;
    }
    const only = bases.length + switches.length === 1 ? (bases[0] ?? switches[0]) : undefined;
    if (only !== undefined) return { split: only, low: 0, high: 0 };
    let best: { split: Split; low: number; high: number } | null = null;
    let most = -1;
    const consider = (split: Split, low: number, high: number) => {
      const merit = gainOf(low - point.value, this.#aim.limit) * gainOf(high - point.value, this.#aim.limit);
      if (merit <= most) return;
      most = merit;
      best = { split, low, high };
    };
    const { isOver } = this.#aim;
    this.#aim.lp.keepBasis();
    for (const split of [...bases, ...switches]) {
      if (isOver()) return "stopped";
      consider(split, ...this.#probe(node, point, split));
    }
    this.#aim.lp.restoreBasis();
    return best;
  }

  /** The relaxation's values at the halves of a split, as far as some iterations show. */
  #probe(node: BaseNode, point: BasePoint, split: Split): readonly [low: number, high: number] {
    const { limit, lp } = this.#aim;
    let iterations = 0;
    const [low, high] = halves(this.#model, node, split).map((each) => {
      const { node: half } = followed(this.#model, each);
      if (this.#aim.proof.contradiction(half) !== null) return CAP * limit;
      lp.goTo(half, limit);
      const value = lp.probe(PROBE_ITERATIONS, CAP * limit);
      iterations += lp.iterations;
      return Math.min(value ?? point.value, CAP * limit);
    }) as [number, number];
    this.#shouldStop(solveUnits(iterations, 2));
    return [low, high];
  }

  #baseSplits(node: BaseNode, { loadBases, hbmBases, uses }: BasePoint): Split[] {
    const { hosts, groups } = this.#model;
    const { limit } = this.#aim;
    const splits: Split[] = [];
    hosts.forEach((host, v) => {
      const own = uses.filter(({ pattern }) => groups[pattern.group]?.host === v);
      for (const kind of ["load", "hbm"] as const) {
        const scale = host[kind];
        if (scale === null) continue;
        const base = (kind === "load" ? loadBases : hbmBases)[v] as number;
        const broken = own.reduce((sum, { pattern, times }) => {
          const room = kind === "load" ? limit : (groups[pattern.group]?.hbm as number);
          return sum + times * Math.max(0, (kind === "load" ? pattern.cost : pattern.hbm) + base - room);
        }, 0);
        const whole = kind === "load" ? limit : Math.max(...groups.map(({ hbm }) => hbm));
        if (broken <= (kind === "load" ? BROKEN : BROKEN_BYTES) * whole) continue;
        const low = leastSteps(this.#model, node, kind, v);
        const steps = Math.floor(base / scale.step);
        if (steps - low <= (0.0005 * whole) / scale.step) continue;
        const ats = (kind === "load" ? LOAD_PARTS : HBM_PARTS).map((part) => Math.floor(low + part * (steps - low)));
        for (const at of new Set(ats)) {
          if (at < (node[kind][v]?.high as number)) splits.push({ kind, host: v, at });
        }
      }
    });
    return splits;
  }

  /** Undecided switches, those first that matter most. */
  #switchSplits(node: BaseNode, { switches: values }: BasePoint): Split[] {
    const found: { readonly at: number; readonly merit: number }[] = [];
    this.#model.switches.forEach(({ column, size }, at) => {
      if (column === null || node.decided[at] !== -1) return;
      const value = values[at] as number;
      const distance = Math.min(value, 1 - value);
      if (distance <= 1e-5) return;
      found.push({ at, merit: distance * size });
    });
    found.sort((a, b) => b.merit - a.merit || a.at - b.at);
    return found.slice(0, CANDIDATES).map(({ at }) => ({ kind: "switch", switch: at }));
  }
}

function rootOf(model: BaseModel): TreeNode {
  return { node: rootNode(model), before: [], narrowings: [], after: [], closing: null, split: null };
}

/** What a half gains counts at least this part of the limit. */
function gainOf(gain: number, limit: number): number {
  return Math.max(gain, 1e-6 * limit);
}
