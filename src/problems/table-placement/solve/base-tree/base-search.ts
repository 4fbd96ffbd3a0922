import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { ShouldStop, Work } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { distinctOptions } from "../bounds/reduction.js";
import { type Beginning, beginningAt, reductionSteps, writtenStep } from "../bounds/reduction-steps.js";
import { BaseLp, type BasePattern } from "./base-lp.js";
import { type BaseModel, baseModel, type Switch } from "./base-model.js";
import { BaseProof } from "./base-proof.js";
import { type Aim, BaseTree } from "./base-tree.js";
import { type PackedLeaf, packLeaf } from "./leaf-packing.js";
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

/** What is done beside a tree; an exchange says whether a better placement was found. */
export interface Beside {
  readonly isDue: boolean;
  exchange(): Promise<boolean>;
  /** Told how far a relaxation takes options and hosts. */
  heed(switches: readonly Pick<Switch, "table" | "option" | "group">[], values: Float64Array): void;
}

export interface DecisionOptions {
  readonly work: Work;
  /** Whether there is the time to check what so many milliseconds of checking are about. */
  readonly affordsChecking: (milliseconds: number) => boolean;
  /** Whether memory is scarce: the relaxation then says how near it is. */
  readonly memoryBinds: boolean;
  /** It has its turn between nodes, where it is due. */
  readonly beside: Beside | null;
  /** Otherwise one relaxation is to refute the limit. */
  readonly mayBranch?: boolean;
}

/**
 * Milliseconds that checking a bound of the tree takes, for each entry of the program: leaves share the proofs of devices. What comes
 * before the tree takes as long as so many bounds.
 */
const CHECKING = 6e-5;
const BOUNDS_BEFORE = 270;

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
      ...{ lp, decided, nodes: 0, bounds: 0 },
      proof: new BaseProof(direct, model, beginning.reduced),
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
    const { work } = this.#given.options;
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

  #pack(node: BaseNode): Promise<PackedLeaf> {
    const { direct, model, beginning } = this.#given;
    return packLeaf(direct, model, beginning.reduced, node, Rational.fromNumber(this.claim), this.#shouldStop);
  }

  dispose(): void {
    this.#aim.lp.dispose();
  }
}
