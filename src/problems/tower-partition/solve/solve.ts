import { performance } from "node:perf_hooks";
import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { type Certificate, CertificateError, type Step } from "../../../proof/certificate.js";
import { hashOf } from "../../../proof/check.js";
import { halvesBelow } from "../../../proof/kernel/grouping/halves.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import { Verdict } from "../../../proof/verdict.js";
import { type Anytime, runInTurn, type Strategy, type Without } from "../../../search/strategies.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Cluster, clustersOf, isLimited, numbersOf } from "./clusters.js";
import { findAny } from "./find-any.js";
import { GroupingIncumbent } from "./incumbent.js";
import { limitedDescent } from "./limited-descent.js";
import { priceNode } from "./price-node.js";
import { isMore, RyanFosterTree, type TreeNode } from "./ryan-foster-tree.js";
import { BRANCHED, type Continuation, semidefiniteProof } from "./semidefinite/semidefinite-proof.js";
import { descents } from "./starts.js";

/** What to solve a grouping with. */
export interface GroupingRequest {
  /** Feasible labelings to start from: the cluster 0 … clusters−1 of each element. */
  readonly starts: readonly (readonly number[])[];
  /** Relative gap to prove. */
  readonly gap: Rational;
  readonly timeLimitSeconds: number;
  /** What work is shared out by; default the time limit. */
  readonly workSeconds?: number;
  /** Units of work after which it ends; none by default. */
  readonly mostUnits?: number;
  readonly seed: number;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: GroupingProgress) => void;
  /** Names of {@link TOWER_STRATEGIES} to leave out. */
  readonly without?: Without;
}

export interface GroupingProgress {
  /** Least value so far; `null` before there is one. */
  readonly incumbent: number | null;
  readonly bound: number | null;
  readonly seconds: number;
}

/** What is known of a grouping when the search ends. */
export interface GroupingSolution {
  /** `null` where no time was left for any bound. */
  readonly verdict: Verdict | null;
  readonly certificate: Certificate | null;
  /**
   * The cluster of each element, clusters numbered in the order of their first elements; `null` where none was found.
   */
  readonly labels: readonly number[] | null;
  /** Units of work that the search took. */
  readonly units: number;
  /** Seconds of checking. */
  readonly proveSeconds: number;
}

/**
 * Descents in each window from random labelings; their children, by the square of the elements; the share of the time.
 */
const RESTARTS = 30;
const CHILDREN = 1 / 16;
const DESCENT_SHARE = 0.1;

/** Ends of descents, of each window, that a search within all limits begins with. */
const LIMITED_STARTS = 8;

/**
 * The share of the time left that a node may take which is part of a branched one. Whole windows share what is left.
 */
const NODE_SHARE = 0.5;

/** Halves looked at before a node of two clusters is priced instead. */
const MAX_HALVES = 3_000_000;

/**
 * Elements by cluster from which on the semidefinite relaxation is asked too, and from which on dual values of the whole
 * are only tried before; and the share of the time left for those of what it leaves.
 */
const LARGE = 6;
const LARGEST = 10;
const DUALS_SHARE = 0.3;

/** The share of a node's time that its semidefinite bound may take. */
const SEMIDEFINITE_SHARE = 0.8;

/** Of all work, what is left to share out at least; and units before which they say nothing of the machine's pace. */
const MIN_LEFT = 0.1;
const SLOW = 1000;

/**
 * Divides the elements of a grouping at the least cost and proves it: a memetic search, then for each window of sizes
 * column generation for dual values, and what the dual values leave is gone through. Two clusters are gone through half
 * by half first, and large clusters get a semidefinite bound; where all that is too little, the node is branched on a
 * pair of elements. Where all clusters that matter are listed, its children are parts of the list; others get bounds of
 * the kind that was better. The certificate is checked in exact
 * arithmetic before anything is said of it. The same request gives the same answer where the time limit does not bite.
 */
export async function solveGrouping(grouping: Grouping, request: GroupingRequest): Promise<GroupingSolution> {
  return new GroupingSearch(grouping, request).run();
}

const STRATEGIES: readonly Strategy<GroupingSearch>[] = [
  { name: "descents", applies: () => true, run: (search) => search.descend() },
  {
    name: "descents within limits",
    applies: ({ grouping }) => isLimited(grouping),
    run: (search) => search.descendWithinLimits(),
  },
  {
    name: "any partition",
    applies: ({ incumbent }) => incumbent.labels === null,
    run: (search) => search.findAny(),
  },
  { name: "proof", applies: ({ incumbent }) => incumbent.labels !== null, run: (search) => search.prove() },
];

/** What the exact method can do without, by name. */
export const TOWER_STRATEGIES: readonly string[] = [
  ...STRATEGIES.map(({ name }) => name),
  ...["bipartition enumeration", "subset-row cuts", "listed clusters", "semidefinite bound", "branching"],
];

class GroupingSearch implements Anytime {
  readonly grouping: Grouping;
  readonly incumbent: GroupingIncumbent;
  readonly #request: GroupingRequest;
  readonly #without: Without;
  readonly #started = performance.now();
  readonly #budget: TimeBudget;
  /** On the clock of `performance.now()`. */
  readonly #deadline: number;
  readonly #work: Work;
  /** What the checker takes for what is proved so far, in units of work. */
  #checking = 0;
  /** Units of work that shares are of: those of the time limit that was asked for. */
  readonly #all: number;
  readonly #numbers: DescentProblem;
  readonly #tree: RyanFosterTree;
  readonly #pool: Cluster[] = [];
  /** By window: where the descents have ended, the best first. */
  readonly #starts: (readonly (readonly number[])[])[] = [];
  /** They prove that there is no labeling. */
  #infeasible: readonly Step[] | null = null;

  constructor(grouping: Grouping, request: GroupingRequest) {
    this.grouping = grouping;
    this.#request = request;
    this.#without = request.without ?? new Set();
    this.#budget = new TimeBudget(request.timeLimitSeconds);
    this.#deadline = this.#started + request.timeLimitSeconds * 1000;
    this.#work = new Work(() => this.#isStopped());
    this.#all = UNITS_PER_SECOND * (request.workSeconds ?? request.timeLimitSeconds);
    this.#numbers = numbersOf(grouping);
    this.incumbent = new GroupingIncumbent(grouping);
    this.#tree = new RyanFosterTree(grouping);
  }

  async run(): Promise<GroupingSolution> {
    for (const start of this.#request.starts) this.incumbent.offer(start);
    await runInTurn(STRATEGIES, this, this.#without);
    if (this.#infeasible !== null) return this.#conclude(null, this.#infeasible);
    const { value } = this.incumbent;
    if (value === null) return this.#conclude(undefined, []);
    const { claim: proved } = this.#tree;
    const claim = proved === null || (proved !== undefined && proved.compare(value) > 0) ? value : proved;
    return this.#conclude(claim, claim === undefined ? [] : this.#tree.stepsFor(claim));
  }

  isSettled(): boolean {
    return this.#infeasible !== null || this.#isStopped();
  }

  descend(): void {
    const shouldStop = this.#work.slice(DESCENT_SHARE * this.#left);
    this.grouping.windows.forEach((window, w) => {
      const children = CHILDREN * this.#numbers.elements ** 2;
      const options = { restarts: RESTARTS, children, seed: this.#request.seed + w, shouldStop };
      const ends = descents(this.#numbers, window, options).map(({ labels }) => labels);
      for (const labels of ends) {
        this.incumbent.offer(labels);
        this.#pool.push(...clustersOf(this.#numbers, labels));
      }
      this.#starts.push(ends);
    });
    this.#report();
  }

  /** From the best of what the descents have found, which know one load alone. */
  descendWithinLimits(): void {
    const shouldStop = this.#work.slice(DESCENT_SHARE * this.#left);
    for (const [w, window] of this.grouping.windows.entries()) {
      for (const start of this.#starts[w]?.slice(0, LIMITED_STARTS) ?? []) {
        const labels = limitedDescent(this.grouping, this.#numbers, window, start, shouldStop);
        if (labels === null) continue;
        this.incumbent.offer(labels);
        this.#pool.push(...clustersOf(this.#numbers, labels));
      }
    }
    this.#report();
  }

  findAny(): void {
    const answer = findAny(this.grouping, () => this.#isStopped());
    if (answer?.kind === "none") this.#infeasible = answer.steps;
    else if (answer !== null) this.incumbent.offerClusters(answer.clusters);
  }

  /** Closes the leaf of which least is proved, or branches it, until all reach the best value known. */
  async prove(): Promise<void> {
    while (!this.#isStopped()) {
      const leaf = this.#tree.leastLeaf(this.incumbent.cutoff(this.#request.gap) as Rational);
      if (leaf === null) return;
      if (leaf.pair !== null && !this.#without.has("branching")) this.#tree.split(leaf, leaf.pair);
      else if (leaf.proof !== null || leaf.tightening !== null) return;
      else await this.#close(leaf);
      this.#report();
    }
  }

  /** Proves what it can of a leaf, and says what it is to be branched on where that is of use. */
  async #close(leaf: TreeNode): Promise<void> {
    if (leaf.parent?.list) return this.#price(leaf, NODE_SHARE);
    if (this.#goThroughHalves(leaf)) return;
    const share = leaf.parent === null ? 1 / this.#tree.openRoots : NODE_SHARE;
    const from = leaf.parent?.continuation ?? null;
    const size = this.#numbers.elements / this.#numbers.clusters;
    const isLarge = leaf.parent === null && size >= LARGE && !this.#without.has("semidefinite bound");
    if (from === null) {
      // Where dual values find all clusters that matter soon, these are the shorter proof.
      const isTrial = isLarge && size >= LARGEST;
      await this.#price(leaf, share, isTrial);
      if (!isLarge || this.incumbent.isReached(leaf.proof?.claim, this.#request.gap)) return;
      if (leaf.list !== null && !isTrial) return;
    }
    this.#relax(leaf, from, share);
    const { tightening } = leaf;
    if (tightening === null) await this.#price(leaf, share);
    if (tightening === null || tightening.left === null) return;
    if (from === null && leaf.node !== tightening.whole) await this.#price(leaf, DUALS_SHARE * share);
    if (isMore(leaf.proof?.claim, tightening.bound)) return;
    // The relaxation bounds the leaf best: it goes on in the children, where it is close to what is wanted.
    const { bound, claim, continuation } = tightening;
    const isClose = claim.subtract(bound).toNumber() <= BRANCHED * Math.abs(claim.toNumber());
    leaf.pair = isClose ? continuation.pair : null;
    leaf.continuation = isClose ? continuation : null;
    leaf.list = null;
  }

  /** Goes through all of a leaf of two clusters; `false` where there are others, or that is too much. */
  #goThroughHalves(leaf: TreeNode): boolean {
    if (this.#numbers.clusters !== 2 || this.#without.has("bipartition enumeration")) return false;
    const work = this.#work;
    const started = work.done;
    const shouldStop = (nodes: number) => {
      work.spend(nodes * UNITS.set);
      return this.#isStopped();
    };
    for (;;) {
      const claim = this.incumbent.value as Rational;
      const found = halvesBelow(this.grouping, leaf.node, claim, { maxNodes: MAX_HALVES, shouldStop });
      if (found instanceof TooMany) return false;
      if (found === null) {
        leaf.proof = { claim, step: { halves: {} }, checking: work.done - started };
        this.#checking = this.#tree.checking;
        return true;
      }
      this.incumbent.offer(found);
    }
  }

  /** By dual values. */
  async #price(leaf: TreeNode, share: number, isTrial = false): Promise<void> {
    const work = this.#work;
    const deadline = work.done + share * this.#left;
    const { proof, pair, list } = await priceNode(this.grouping, this.#numbers, leaf.node, {
      list: leaf.parent?.list ? leaf.list : null,
      ...{ incumbent: this.incumbent, pool: this.#pool, gap: this.#request.gap, work, deadline, isTrial },
      without: this.#without,
      shouldStop: (checking = 0) => work.done > deadline || this.#isStopped(checking),
    });
    // What was proved of the whole node holds of what is left of it.
    if (leaf.proof !== null && (proof === null || isMore(leaf.proof.claim, proof.claim))) return;
    Object.assign(leaf, { proof, pair, list });
    this.#checking = this.#tree.checking;
  }

  /**
   * Units of work that are left to share out, less what the checker takes; some always are: the clock alone ends it.
   */
  get #left(): number {
    return Math.max(MIN_LEFT * this.#all, this.#all - this.#work.done - this.#checking);
  }

  /** By the semidefinite relaxation, beginning where that of the parent has ended. */
  #relax(leaf: TreeNode, parent: Continuation | null, share: number): void {
    const { incumbent } = this;
    const work = this.#work;
    const until = work.done + SEMIDEFINITE_SHARE * share * this.#left;
    const relaxed = semidefiniteProof(this.grouping, leaf.node, {
      ...{ work, seed: this.#request.seed, incumbent: () => incumbent.value },
      target: incumbent.cutoff(this.#request.gap) as Rational,
      ...(parent === null ? {} : { parent }),
      shouldStop: (checking) => work.done + checking > until || this.#isStopped(checking),
    });
    if (relaxed === null) return;
    this.#tree.tighten(leaf, { ...relaxed, whole: leaf.node, claim: incumbent.value as Rational });
    this.#checking = this.#tree.checking;
  }

  #report(): void {
    const seconds = (performance.now() - this.#started) / 1000;
    const bound = this.#tree.claim?.toNumberDown() ?? null;
    this.#request.onProgress?.({ incumbent: this.incumbent.value?.toNumber() ?? null, bound, seconds });
  }

  /** Whether the time is needed for the checker: for what is proved, and for units of work that are in hand. */
  readonly #isStopped = (checking = 0): boolean => {
    if (this.#work.done + this.#checking >= (this.#request.mostUnits ?? Number.POSITIVE_INFINITY)) return true;
    const now = performance.now();
    const pace = Math.max(1, (now - this.#started) / (this.#work.done + 1));
    const reserve = this.#work.done < SLOW ? 1 : pace;
    return now + reserve * (this.#checking + checking) > this.#deadline || this.#request.shouldStop?.() === true;
  };

  /** `claim`: `null` that there is no labeling; `undefined` where nothing was proved. */
  #conclude(claim: Rational | null | undefined, steps: readonly Step[]): GroupingSolution {
    const started = performance.now();
    const { labels } = this.incumbent;
    const units = this.#work.done;
    const seconds = () => (performance.now() - started) / 1000;
    if (claim === undefined) return { verdict: null, certificate: null, labels, units, proveSeconds: seconds() };
    const certificate: Certificate = {
      format: "shardproof-certificate 1",
      program: hashOf(this.grouping),
      claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
      steps,
    };
    try {
      const { gap } = this.#request;
      const verdict = this.#budget.checked((checkTime) =>
        Verdict.of(this.grouping, certificate, labels, gap, checkTime),
      );
      return { verdict, certificate: verdict && certificate, labels, units, proveSeconds: seconds() };
    } catch (error) {
      // A proof that does not hold is no proof.
      if (!(error instanceof CertificateError)) throw error;
      return { verdict: null, certificate: null, labels, units, proveSeconds: seconds() };
    }
  }
}
