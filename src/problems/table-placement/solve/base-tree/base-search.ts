import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../../models/table-placement/restriction.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { ShouldStop, Work } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { distinctOptions } from "../bounds/reduction.js";
import { type Beginning, beginningAt, reductionSteps, writtenStep } from "../bounds/reduction-steps.js";
import type { BranchAndCut } from "../branch-and-cut.js";
import { searchPlacement } from "../local-search/index.js";
import { BaseLp, type BasePattern } from "./base-lp.js";
import { type BaseModel, baseModel, type Switch } from "./base-model.js";
import { BaseProof } from "./base-proof.js";
import { type Aim, BaseTree } from "./base-tree.js";
import { packLeaf } from "./leaf-packing.js";
import type { BaseNode } from "./node.js";
import { decidedAt, isNarrower, leftOptions, type Narrowing } from "./node.js";

/** What a decision at a limit comes to. */
export type Decision =
  | { readonly kind: "refuted"; readonly proof: BoundProof }
  | { readonly kind: "found"; readonly placement: Placement }
  /** A better placement was found beside it. */
  | { readonly kind: "improved" }
  /** It may go on, or not. */
  | { readonly kind: "stopped" }
  | { readonly kind: "stuck" };

/** Units of work of all decisions, of those what rounding took, and roundings since one found a better placement. */
export interface Spent {
  all: number;
  rounding: number;
  inVain: number;
}

/** What is done beside a tree; an exchange says whether a better placement was found. */
export interface Beside {
  readonly isDue: boolean;
  exchange(): Promise<boolean>;
  /** Told how far a relaxation takes options and hosts. */
  heed(switches: readonly Pick<Switch, "table" | "option" | "group">[], values: Float64Array): void;
}

export interface DecisionOptions {
  readonly seed: number;
  readonly work: Work;
  /** Whether there is the time to check what so many milliseconds of checking are about. */
  readonly affordsChecking: (milliseconds: number) => boolean;
  /** What decisions have done so far; they count on. */
  readonly spent: Spent;
  /** Whether memory is scarce: the relaxation then says how near it is. */
  readonly memoryBinds: boolean;
  /** It has its turn between nodes, where it is due. */
  readonly beside: Beside | null;
  /** Otherwise one relaxation is to refute the limit. */
  readonly mayBranch?: boolean;
  /** Told of placements found on the way; says whether one is better than all before. */
  readonly offer: (placement: Placement) => boolean;
}

/**
 * Milliseconds that checking a bound of the tree takes, for each entry of the program: leaves share the proofs of devices. What comes
 * before the tree takes as long as so many bounds.
 */
const CHECKING = 6e-5;
const BOUNDS_BEFORE = 270;

/** Units of local search where all options are chosen. */
const SEARCH_UNITS = 200;

/** The same with the options that a relaxation takes, and then with all. */
const ROUNDING_UNITS = 100;

/** What rounding may take, as a share of the work of decisions; after so many in vain half of it. */
const ROUNDING_SHARE = 0.25;
const IN_VAIN = 2;

/** A tree that a decision begins with: what was closed at higher claims, and what was known there; and patterns of its relaxations. */
export interface Begun {
  readonly claim: number;
  readonly model: BaseModel;
  readonly tree: BaseTree;
  readonly narrowings: readonly Narrowing[];
  readonly patterns?: readonly BasePattern[];
  /** Units of work that went into the tree. */
  readonly units: number;
}

/** What a decision is made of. */
interface Given {
  readonly problem: PlacementProblem;
  readonly direct: DirectProgram;
  readonly claim: number;
  readonly options: DecisionOptions;
  readonly model: BaseModel;
  readonly beginning: Beginning;
  readonly tree: BaseTree;
  readonly narrowings: readonly Narrowing[];
  /** The claim of the tree that it began with, and the units that went into that. */
  readonly before: { readonly claim: number; readonly units: number };
}

/**
 * Is there a placement with a largest cost below a claim? A tree on bases and options that can be gone on with, and its
 * proof if there is none. To be disposed of.
 */
export class LimitDecision {
  readonly claim: number;
  readonly #given: Given;
  readonly #aim: Aim;
  /** Milliseconds that a bound of the tree takes to check. */
  readonly #checking: number;
  #found: Placement | null = null;
  #units = 0;
  #shouldStop: ShouldStop = () => false;
  /** Work in all that was not for decisions. */
  #started = 0;

  /** `begun`: at a higher claim; `null` where the program says nothing of bases, or not enough. */
  static async open(
    problem: PlacementProblem,
    direct: DirectProgram,
    claim: number,
    options: DecisionOptions,
    begun: Begun | null = null,
  ): Promise<LimitDecision | BoundProof | null> {
    const beginning = beginningAt(problem, direct, claim);
    if (!("reduced" in beginning)) return beginning;
    const { reduction, reduced } = beginning;
    const left = leftOptions(direct, reduced, reduction.open);
    // A relaxation hands its patterns on to those of higher claims, where more options are left.
    const known = options.mayBranch === false ? distinctOptions(problem) : left;
    const model = begun?.model ?? baseModel(problem, direct, known, claim);
    if (model === null) return null;
    const lp = await BaseLp.open(model, options.memoryBinds ? claim / model.scale : null);
    for (const { group, parts } of begun?.patterns ?? []) lp.add(group, parts);
    const own = { claim, reduction, decided: decidedAt(model, reduced, left) };
    const tree = begun?.tree.copy() ?? new BaseTree(model);
    const narrowings = [...(begun?.narrowings ?? []), own];
    const before = { claim: begun?.claim ?? claim, units: begun?.units ?? 0 };
    const given = { problem, direct, claim, options, model, beginning, tree, narrowings, before };
    return new LimitDecision(given, lp, own.decided);
  }

  private constructor(given: Given, lp: BaseLp, decided: Int8Array) {
    const { direct, claim, options, model, beginning } = given;
    this.#given = given;
    this.claim = claim;
    this.#checking = entriesOf(direct.program) * CHECKING;
    this.#aim = {
      limit: claim / model.scale,
      ...{ lp, decided, nodes: 0, nextRounding: 1, bounds: 0 },
      proof: new BaseProof(direct, model, beginning.reduced),
      search: (isTaken) => this.#search(isTaken),
      round: (values) => this.#round(values),
      isOver: () => options.work.ask(),
      relaxed: (values) => options.beside?.heed(model.switches, values),
      isPaused: () => options.beside?.isDue === true,
      mayBranch: options.mayBranch !== false,
    };
  }

  /** What a decision at a lower claim may begin with. */
  begun(): Begun {
    const { model, tree, narrowings, before } = this.#given;
    return { claim: this.claim, model, tree, narrowings, units: before.units + this.#units };
  }

  /** What one at any claim may begin with where no tree is to be gone on with: patterns of its relaxation. */
  relaxed(): Begun {
    const { model } = this.#given;
    const { patterns } = this.#aim.lp;
    const tree = new BaseTree(model);
    return { claim: Number.POSITIVE_INFINITY, model, tree, narrowings: [], patterns, units: 0 };
  }

  /** Nodes looked at for this claim. */
  get nodes(): number {
    return this.#aim.nodes;
  }

  /** Units of work for this claim. */
  get units(): number {
    return this.#units;
  }

  /** The same with those that went into the tree before, but for one that a limit of this much may begin with. */
  unitsFor(claim: number): number {
    return this.#units + (this.#given.before.claim >= claim ? 0 : this.#given.before.units);
  }

  /** Milliseconds that checking what is closed takes, about. */
  get checking(): number {
    return this.#checking * (BOUNDS_BEFORE + this.#aim.bounds);
  }

  async run(shouldStop: ShouldStop): Promise<Decision> {
    this.#shouldStop = (units) => shouldStop(units) || !this.#given.options.affordsChecking(this.checking);
    const { work, spent } = this.#given.options;
    this.#started = work.done - spent.all;
    const before = work.done;
    let answer = this.#given.tree.run(this.#aim, this.#shouldStop);
    let isImproved = false;
    while (answer.kind === "leaf" || answer.kind === "paused") {
      if (answer.kind === "paused") {
        isImproved = (await this.#given.options.beside?.exchange()) === true;
        if (isImproved) break;
        answer = this.#given.tree.run(this.#aim, this.#shouldStop);
        continue;
      }
      const { found, steps } = await this.#pack(answer.node);
      this.#found = found;
      if (steps === null) break;
      this.#given.tree.closeLeaf(answer.leaf, this.#aim, steps);
      answer = this.#given.tree.run(this.#aim, this.#shouldStop);
    }
    spent.all = work.done - this.#started;
    this.#units += work.done - before;
    if (isImproved) return { kind: "improved" };
    if (answer.kind === "refuted") return { kind: "refuted", proof: this.#refutation() };
    if (this.#found !== null) return { kind: "found", placement: this.#found };
    // A leaf that was not closed, though there was time for it, will not be closed later.
    const isStuck = answer.kind === "stuck" || (answer.kind === "leaf" && !this.#shouldStop());
    return { kind: isStuck ? "stuck" : "stopped" };
  }

  /** The proof of the claim; nodes that were closed at higher ones need what was known there. */
  #refutation(): BoundProof {
    const { problem, direct, model, tree, narrowings, beginning: begun } = this.#given;
    const { reduced, steps } = begun;
    const beginning = [...steps];
    for (const { claim, reduction, decided } of narrowings) {
      if (claim <= this.claim || isNarrower(decidedAt(model, reduced), decided)) continue;
      for (const step of reductionSteps(problem, direct, reduction)) {
        reduced.apply(step);
        beginning.push(writtenStep(direct, step));
      }
    }
    const proof = new BaseProof(direct, model, reduced);
    return { claim: Rational.fromNumber(this.claim), steps: [...beginning, ...tree.steps(this.#aim, proof)] };
  }

  #pack(node: BaseNode): Promise<BranchAndCut> {
    const { direct, model, beginning } = this.#given;
    return packLeaf(direct, model, beginning.reduced, node, Rational.fromNumber(this.claim), this.#shouldStop);
  }

  dispose(): void {
    this.#aim.lp.dispose();
  }

  /** Looks for a placement of the options that a relaxation takes most of, and goes on from there with all options. */
  #round(values: Float64Array): boolean {
    const { work, spent, memoryBinds } = this.#given.options;
    // With ample memory the search beside does this.
    if (!memoryBinds) return false;
    const share = ROUNDING_SHARE / (1 + spent.inVain / IN_VAIN);
    if (spent.rounding > share * (work.done - this.#started)) return false;
    const before = work.done;
    const placement = this.#rounded(values);
    spent.rounding += work.done - before;
    const isBetter = placement !== null && this.#given.options.offer(placement.whole);
    spent.inVain = isBetter ? 0 : spent.inVain + 1;
    if (placement === null || placement.largest >= this.claim) return false;
    this.#found = placement.whole;
    return true;
  }

  #rounded(values: Float64Array): { readonly whole: Placement; readonly largest: number } | null {
    const { tables, switches } = this.#given.model;
    const taken = this.#given.problem.tables.map(({ options }) => options.map(() => false));
    tables.forEach(({ options }, t) => {
      const most = options.reduce((best, at) => ((values[at] as number) > (values[best] as number) ? at : best));
      (taken[t] as boolean[])[switches[most]?.option as number] = true;
    });
    const { problem: fewer, whole } = withFewerOptions(this.#given.problem, taken);
    const rounded = this.#searchFor(ROUNDING_UNITS, fewer, []);
    if (rounded.placement === null) return null;
    const { placement, largest } = this.#searchFor(ROUNDING_UNITS, this.#given.problem, [whole(rounded.placement)]);
    return placement === null ? null : { whole: placement, largest: this.#largestOf(placement, largest) };
  }

  #searchFor(units: number, problem: PlacementProblem, starts: readonly Placement[]) {
    const slice = this.#given.options.work.slice(units);
    return searchPlacement(problem, {
      seed: this.#given.options.seed,
      target: this.claim * (1 - 1e-12),
      shouldStop: (more) => slice(more) || this.#shouldStop(),
      starts,
    });
  }

  /** Looks for a placement of the options taken, in the hosts taken. */
  #search(isTaken: (at: number) => boolean): boolean {
    const taken = this.#given.problem.tables.map(({ options }) => options.map(() => false));
    this.#given.model.switches.forEach(({ table, option, column, group }, at) => {
      const own = taken[table] as boolean[];
      if (group === -1 && (column === null || isTaken(at))) own[option] = true;
    });
    const { problem: fewer, whole } = withFewerOptions(this.#given.problem, taken);
    const part = {
      ...fewer,
      tables: fewer.tables.map((table, t) => ({
        ...table,
        devices: homeDevices(this.#given.model, this.#given.direct, t, isTaken) ?? table.devices,
      })),
    };
    const { placement, largest } = this.#searchFor(SEARCH_UNITS, part, []);
    const found = placement === null ? null : whole(placement);
    if (found === null || this.#largestOf(found, largest) >= this.claim) return false;
    this.#found = found;
    return true;
  }

  /** What a placement costs by the program, which may know more of it than sums over its devices. */
  #largestOf(placement: Placement, sum: number): number {
    const { structure, pointOf } = this.#given.direct;
    if (structure.bases.every(({ peakRows }) => peakRows.length === 0)) return sum;
    return (pointOf(placement)[structure.largest] as Rational).multiply(structure.unit).toNumber();
  }
}

/** The devices of the one host that an option taken has chosen for its shards; `null` where it chooses none. */
function homeDevices(
  { tables, switches }: BaseModel,
  { structure }: DirectProgram,
  table: number,
  isTaken: (at: number) => boolean,
): readonly number[] | null {
  for (const { option, count, homes } of tables[table]?.groups ?? []) {
    if (count !== 1 || !(switches[option]?.column === null || isTaken(option))) continue;
    const home = homes.find(isTaken);
    const host = home === undefined ? undefined : switches[home]?.bases[0]?.host;
    if (host !== undefined) return structure.bases[host]?.devices ?? null;
  }
  return null;
}
