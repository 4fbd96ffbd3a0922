import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { ShouldStop } from "../../../../search/work.js";
import { optionsCost, rounded } from "../base-tree/base-bound.js";
import type { BaseModel, DeviceGroup, FreePart } from "../base-tree/base-model.js";
import { BaseProof } from "../base-tree/base-proof.js";
import type { Beside } from "../base-tree/base-search.js";
import { type BaseNode, decidedAt, leftOptions, narrowed, rootNode } from "../base-tree/node.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { beginningAt, type ReducedBox } from "../bounds/reduction-steps.js";
import { type Room, solveUnits } from "../core/pattern-lp.js";
import { LargeShardMaster, type ShardPrices } from "./large-shard-master.js";
import { likelyPatterns } from "./likely-patterns.js";
import { type Found, PatternTree, pricesAround } from "./pattern-tree.js";

/** What a limit comes to. */
export type LimitAnswer =
  | { readonly kind: "refuted"; readonly proof: BoundProof }
  /** The relaxation has a point below it, or nearly. */
  | { readonly kind: "open" }
  /** Searches for the best pattern had to be ended: it is not known whether. */
  | { readonly kind: "unknown" }
  /** To be gone on with. */
  | { readonly kind: "stopped" };

type NotRefuted = Exclude<LimitAnswer["kind"], "refuted">;

/** Patterns are to be better by this much for the likely ones alone to be taken; nearer to the end the best one is sought. */
const WORTH_TAKING = 0.003;

/** Cells for likely patterns, one after the other: where the better ones are not found in few, more are needed from there on. */
const CELLS = [32, 64];

/** So near to the devices that there are, in parts of them, no proof is short. */
const TOO_NEAR = 1e-4;

/** Partial patterns that one search looks at, and the last one, where nothing else is left to find. */
const MOST_VISITS = 20_000;
const LAST_VISITS = 1_000_000;

/** Of patterns on the way to the best one, so many are kept. */
const MOST_KEPT = 8;

/**
 * Patterns are asked for that are worth more by this part of what none can be worth more than, then by less: the fewer are that
 * good, the sooner they are found.
 */
const ASKED = [0.3, 0.05, 0];

/** In a proof a device is worth so many times the limit, beside which the cost of a pattern hardly counts. */
const DEVICE_WORTH = 4096;

/** The part of the limit that a proof is above it, so that it is in exact arithmetic. */
const MARGIN = 1e-9;

export interface LargeShardOptions {
  /** It has its turn between rounds of column generation, where it is due. */
  readonly beside: Beside | null;
  /** Of what a device has, the part of cost or of bytes from which a shard is large. */
  readonly size: number;
  /** The cost that this is a part of. */
  readonly limit: number;
  /** Patterns that are known. */
  readonly patterns: Patterns;
}

/** One relaxation of large shards for limits of any size: patterns that one limit had are there for the next. */
export class LargeShardRelaxation {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #model: BaseModel;
  readonly #options: LargeShardOptions;
  readonly #master: LargeShardMaster;

  static async open(
    problem: PlacementProblem,
    direct: DirectProgram,
    model: BaseModel,
    options: LargeShardOptions,
  ): Promise<LargeShardRelaxation> {
    const { size, limit, patterns } = options;
    const [group] = model.groups as [DeviceGroup];
    const isLarge = model.orbits.map(
      ({ cost, hbm }) => cost >= size * limit || hbm / model.byteScale >= size * group.hbm,
    );
    const master = await LargeShardMaster.open(model, isLarge);
    for (const parts of patterns) master.add(parts);
    return new LargeShardRelaxation(problem, direct, model, options, master);
  }

  private constructor(
    problem: PlacementProblem,
    direct: DirectProgram,
    model: BaseModel,
    options: LargeShardOptions,
    master: LargeShardMaster,
  ) {
    [this.#problem, this.#direct, this.#model] = [problem, direct, model];
    [this.#options, this.#master] = [options, master];
  }

  get #group(): DeviceGroup {
    return this.#model.groups[0] as DeviceGroup;
  }

  get patterns(): Patterns {
    return this.#master.patterns.map(({ parts }) => parts);
  }

  /** Whether there may be a placement with a largest cost below a claim. */
  async decide(claim: number, shouldStop: ShouldStop): Promise<LimitAnswer> {
    const begun = beginningAt(this.#problem, this.#direct, claim);
    if (!("reduced" in begun)) return { kind: "refuted", proof: begun };
    const { reduction, reduced, steps } = begun;
    const left = leftOptions(this.#direct, reduced, reduction.open);
    const node = narrowed(this.#model, rootNode(this.#model), decidedAt(this.#model, reduced, left));
    const room = { cost: claim / this.#model.scale, hbm: this.#group.hbm };
    const prices = await this.#generate(node, room, shouldStop);
    if (typeof prices === "string") return { kind: prices };
    const closing = this.#closing(reduced, node, room, prices);
    return { kind: "refuted", proof: { claim: Rational.fromNumber(claim), steps: [...steps, ...closing] } };
  }

  /** Column generation; prices at which tables are worth more devices than there are, once no pattern is worth more than one. */
  async #generate(node: BaseNode, room: Room, shouldStop: ShouldStop): Promise<ShardPrices | NotRefuted> {
    const master = this.#master;
    master.goTo(room, node.decided);
    let fine = 0;
    for (;;) {
      const devices = master.solve();
      if (devices === null) return "unknown";
      if (devices <= this.#group.devices.length * (1 + TOO_NEAR)) {
        this.#options.beside?.heed(this.#model.switches, master.taken());
        return "open";
      }
      const prices = master.prices();
      const tables = master.offersAt(prices);
      let units = solveUnits(master.iterations);
      let likely = likelyPatterns(tables, room, prices, CELLS[fine] as number);
      for (units += likely.units; likely.value <= 1 + WORTH_TAKING && fine < CELLS.length - 1; units += likely.units) {
        likely = likelyPatterns(tables, room, prices, CELLS[++fine] as number);
      }
      let added = likely.patterns.filter((pattern) => master.add(pattern)).length;
      if (added === 0 || likely.value <= 1 + WORTH_TAKING) {
        const tree = new PatternTree(tables, room, prices);
        const most = this.#mostWorth(devices);
        let found = betterPatterns(tree, most);
        if (!found.isComplete && found.patterns.length + added === 0) found = tree.above(most, LAST_VISITS);
        if (found.isComplete && found.patterns.length === 0) return prices;
        added += found.patterns.slice(-MOST_KEPT).filter((pattern) => master.add(pattern)).length;
        units += tree.units;
        if (added === 0) return "unknown";
      }
      if (shouldStop(units)) return "stopped";
      if (this.#options.beside?.isDue === true) await this.#options.beside.exchange();
    }
  }

  /** What a pattern may be worth in devices where the tables are worth so many, for them to be too many. */
  #mostWorth(devices: number): number {
    return (devices * (1 - MARGIN) - 1 / DEVICE_WORTH) / this.#group.devices.length;
  }

  /** The steps that close the node by prices; that no pattern is worth more is for the checker to go through. */
  #closing(reduced: ReducedBox, node: BaseNode, room: Room, prices: ShardPrices) {
    const unit = DEVICE_WORTH * room.cost;
    const none = Float64Array.of(0);
    const duals = rounded({
      orbits: prices.orbits.map((value) => unit * value),
      ...{ loads: Float64Array.of(1), bytes: none, loadBases: none, hbmBases: none },
    });
    const devices = this.#group.devices.length;
    const most = (optionsCost(this.#model, node, duals) - room.cost * (1 + MARGIN)) / devices;
    // A pattern's cost is paid.
    const weights = pricesAround(prices).map(({ cost, hbm }) => ({
      ...{ cost: unit * cost - 1 / devices, hbm: unit * hbm, host: 0 },
    }));
    const bound = { value: room.cost, duals, fillings: [{ most, parts: [] }], weights: [weights] };
    return new BaseProof(this.#direct, this.#model, reduced).close(node, bound, () => room, 0);
  }

  dispose(): void {
    this.#master.dispose();
  }
}

type Patterns = readonly (readonly FreePart[])[];

/** Patterns worth more than so much; none of a complete search: there are none. */
function betterPatterns(tree: PatternTree, most: number): Found {
  const above = Math.max(0, tree.bound - most);
  for (const part of ASKED) {
    const found = tree.above(most + part * above, MOST_VISITS);
    if (found.patterns.length > 0 || !found.isComplete) return found;
  }
  return { patterns: [], isComplete: true };
}
