import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import type { CountedProgram } from "../../../../../models/table-placement/counted-program.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../proof/kernel/fix.js";
import { propagate } from "../../../../proof/kernel/propagate.js";
import { type Box, type View, viewOf } from "../../../../proof/kernel/view.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { bestFilling, type Filling } from "./best-filling.js";
import { CountedLp, type CountedModel, type CountedPoint, countedModel } from "./counted-lp.js";
import { closingStep, meanMultipliers, namedMultipliers } from "./counted-proof.js";

export type CountedAnswer =
  | { readonly kind: "refuted"; readonly steps: readonly Step[] }
  /** What a placement below the limit may count. */
  | { readonly kind: "found"; readonly counts: Counts }
  /** At some node nothing is left to decide, or the relaxation ended: this limit is not refuted. */
  | { readonly kind: "open" }
  | { readonly kind: "stopped" };

/** A bound has to be this much above the limit, and a relaxation below it, as a part of the limit. */
const MARGIN = 1e-9;

/** Patterns cost so much less than the limit, as a part of it. */
const BELOW = 1e-12;

/** What is not whole by more than this is branched on. */
const WHOLE = 1e-6;

/** Splits of which both halves are solved before one is taken. */
const CANDIDATES = 12;

/** Where a base is split, between the least that it can be and where the relaxation has it. */
const BASE_PARTS = [0.5, 0.9, 1];

/** A gain of both halves counts up to this, and at least this, as a part of the limit. */
const MOST_GAIN = 0.05;
const LEAST_GAIN = 1e-6;

const MOST_LOOKS = 300_000;
const MOST_ROUNDS = 300;

/** Nodes where nothing is left to decide that are looked at for a placement. */
const MOST_LEAVES = 6;

/** Roundings of patterns where all else is whole. */
const MOST_TRIES = 400;

/** Units of work for a solve of the relaxation and for an iteration of it; of an entry in a propagation. */
const UNITS_PER_SOLVE = 0.1;
const UNITS_PER_ITERATION = 0.01;
const PROPAGATION = 3e-4;

/** A column and where its range is split: at most `at`, or more. */
interface Split {
  readonly column: number;
  readonly at: number;
}

/**
 * Decides by branching on counts of tables and of groups by node, and on bases of nodes, whether any placement costs less than a
 * limit, over a relaxation of device patterns (README.md, "Counted program").
 */
export class CountedTree {
  readonly #program: CountedProgram;
  readonly #model: CountedModel;
  readonly #lp: CountedLp;
  readonly #view: View;
  readonly #root: Box;
  readonly #limit: number;
  readonly #unitsPerNode: number;
  #shouldStop: ShouldStop = () => false;
  #isStopped = false;
  #found: Counts | null = null;
  /** Nodes that were left open. */
  #leaves = 0;
  nodes = 0;

  static async open(program: CountedProgram, limit: number): Promise<CountedTree> {
    const model = countedModel(program, limit);
    return new CountedTree(program, model, await CountedLp.open(program, model), limit);
  }

  private constructor(program: CountedProgram, model: CountedModel, lp: CountedLp, limit: number) {
    [this.#program, this.#model, this.#lp, this.#limit] = [program, model, lp, limit];
    const { view, box } = viewOf(program.program);
    this.#view = view;
    this.#root = box;
    this.#unitsPerNode = PROPAGATION * entriesOf(program.program);
  }

  /** The patterns that are known, to begin another tree with. */
  get patterns(): readonly (readonly number[])[] {
    return this.#lp.patterns.map(({ counts }) => counts);
  }

  begin(patterns: readonly (readonly number[])[]): void {
    for (const counts of patterns) this.#lp.add(counts);
  }

  run(shouldStop: ShouldStop): CountedAnswer {
    this.#shouldStop = shouldStop;
    const box = copyOf(this.#root);
    const before = [new Map(), meanMultipliers(this.#program)].flatMap((multipliers): Step[] => {
      const bound = lagrangianBound(this.#view, box, multipliers);
      fixByReducedCost(this.#view, box, bound, Rational.fromNumber(this.#limit), () => {});
      propagate(this.#view, box, () => {});
      return [{ fix: namedMultipliers(this.#program, multipliers) }, { propagate: {} }];
    });
    const steps = this.#close(box);
    if (this.#found !== null) return { kind: "found", counts: this.#found };
    if (steps === null || this.#leaves > 0) return { kind: this.#isStopped && this.#leaves === 0 ? "stopped" : "open" };
    return { kind: "refuted", steps: [...before, ...steps] };
  }

  dispose(): void {
    this.#lp.dispose();
  }

  /** The steps that close a node; `null` where it is not closed. */
  #close(box: Box): Step[] | null {
    this.nodes++;
    if (this.#isStopped || this.#shouldStop(this.#unitsPerNode)) {
      this.#isStopped = true;
      return null;
    }
    const before: Step = { propagate: {} };
    if (!propagate(this.#view, box, () => {})) return [before, { infeasible: {} }];
    const point = this.#relax(box);
    if (point === null) return null;
    if ("closing" in point) return [before, point.closing];
    const split = this.#choose(box, point);
    if (split === null) return this.#isStopped ? null : this.#leave(box, point);
    const [low, high] = halves(box, split);
    // What is likely to stay open is looked at first.
    const first = split.isLowFirst ? this.#close(low) : this.#close(high);
    if (first === null) return null;
    const second = split.isLowFirst ? this.#close(high) : this.#close(low);
    if (second === null) return null;
    const [below, above] = split.isLowFirst ? [first, second] : [second, first];
    const { name } = this.#program.program.columns[split.column] as { name: string };
    return [before, { branch: name, at: `${split.at}` }, ...below, ...above];
  }

  /** Where nothing is left to decide the limit is not refuted any more; some such nodes are looked at for a placement. */
  #leave(box: Box, point: CountedPoint): Step[] | null {
    this.#leaves++;
    this.#found = this.#dive(box, point);
    return this.#found === null && this.#leaves < MOST_LEAVES ? [] : null;
  }

  /** Column generation at a node. */
  #relax(box: Box): CountedPoint | { readonly closing: Step } | null {
    const room = this.#roomIn(box);
    this.#lp.goTo(box, room);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const value = this.#lp.solve();
      if (value === null || this.#shouldStop(UNITS_PER_SOLVE + UNITS_PER_ITERATION * this.#lp.iterations)) {
        this.#isStopped = value !== null;
        return null;
      }
      if (value < 1 - MARGIN) return this.#lp.point();
      const duals = this.#lp.duals();
      const fillings: Filling[] = [];
      let bound = value;
      let hasAdded = false;
      for (const [v, capacity] of room.entries()) {
        const filling = this.#filled(box, v, capacity, duals);
        if (filling === null) return null;
        fillings.push(filling);
        bound -= this.#model.gpusPerNode * Math.max(0, filling.worth - (duals.devices[v] as number));
        if (this.#lp.add(filling.counts)) hasAdded = true;
      }
      if (bound > 1 + MARGIN) {
        const slack = (0.5 * (bound - 1)) / this.#model.devices;
        return { closing: closingStep(this.#program, this.#limit, { box, duals, fillings, slack }) };
      }
      if (!hasAdded) return this.#lp.point();
    }
    return this.#lp.point();
  }

  /**
   * Whole numbers of patterns where all else is whole: one after the other is held at what it is rounded up to, and where that leaves
   * nothing, below it.
   */
  #dive(open: Box, { chosen, filling }: CountedPoint): Counts | null {
    const { structure } = this.#program;
    const box = copyOf(open);
    const settle = (column: number, value: number) => {
      box.lower[column] = box.upper[column] = Rational.of(BigInt(Math.round(value)));
    };
    const counts = {
      chosen: chosen.map((own) => own.map(Math.round)),
      filling: filling.map((own) => own.map(Math.round)),
    };
    counts.chosen.forEach((own, c) => {
      own.forEach((value, o) => {
        settle(structure.chosen[c]?.[o] as number, value);
      });
    });
    counts.filling.forEach((own, s) => {
      own.forEach((value, v) => {
        settle(structure.filling[s]?.columns[v] as number, value);
      });
    });
    if (!propagate(this.#view, box, () => {})) return null;
    const room = this.#roomBeside(counts);
    this.#lp.goTo(box, room);
    const held = new Map<string, { readonly pattern: number; readonly v: number; range: [number, number] }>();
    const hold = (pattern: number, v: number, range: [number, number]) => {
      held.set(`${pattern} ${v}`, { pattern, v, range });
      this.#lp.hold(pattern, v, range);
    };
    let free: number[][] | null = null;
    let last: { readonly pattern: number; readonly v: number; readonly below: number } | null = null;
    for (let tries = 0; tries < MOST_TRIES && !this.#isStopped; tries++) {
      if (!this.#fits(box, room)) {
        if (last === null) break;
        hold(last.pattern, last.v, [0, last.below]);
        last = null;
        continue;
      }
      const uses = this.#lp.uses();
      let most = 0;
      let next: { pattern: number; v: number; below: number } | null = null;
      uses.forEach((own, pattern) => {
        own.forEach((value, v) => {
          const below = Math.floor(value + WHOLE);
          const part = value - below;
          if (part > Math.max(most, WHOLE)) [most, next] = [part, { pattern, v, below }];
          if (below > (held.get(`${pattern} ${v}`)?.range[0] ?? 0)) hold(pattern, v, [below, Number.POSITIVE_INFINITY]);
        });
      });
      if (next === null) {
        free = this.#freeOf(uses);
        break;
      }
      const { pattern, v, below } = next as { pattern: number; v: number; below: number };
      last = { pattern, v, below };
      hold(pattern, v, [below + 1, Number.POSITIVE_INFINITY]);
    }
    for (const { pattern, v } of held.values()) this.#lp.hold(pattern, v, null);
    return free === null ? null : { ...counts, free };
  }

  /** Whether the relaxation is below the limit, with all patterns that there are. */
  #fits(box: Box, room: readonly number[]): boolean {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const value = this.#lp.solve();
      if (value === null || this.#isStopped) return false;
      if (value <= 1 + MARGIN) return true;
      const duals = this.#lp.duals();
      let hasAdded = false;
      for (const [v, capacity] of room.entries()) {
        const filling = this.#filled(box, v, capacity, duals);
        if (filling !== null && this.#lp.add(filling.counts)) hasAdded = true;
      }
      if (!hasAdded) return false;
    }
    return false;
  }

  /** By kind and device, the shards of whole patterns. */
  #freeOf(uses: readonly (readonly number[])[]): number[][] {
    const { free, devices, gpusPerNode } = this.#model;
    const counts = free.map(() => new Array<number>(devices).fill(0));
    const next = this.#program.structure.bases.map((_, v) => v * gpusPerNode);
    uses.forEach((own, pattern) => {
      own.forEach((value, v) => {
        for (let k = 0; k < Math.round(value); k++) {
          const device = next[v] as number;
          next[v] = device + 1;
          this.#lp.patterns[pattern]?.counts.forEach((count, s) => {
            (counts[s] as number[])[device] = count;
          });
        }
      });
    });
    return counts;
  }

  #filled(box: Box, v: number, capacity: number, duals: ReturnType<CountedLp["duals"]>): Filling | null {
    const { free, gpusPerNode } = this.#model;
    const { structure } = this.#program;
    const charged = (duals.loads[v] as number) / gpusPerNode;
    const offers = free.map((cost, s) => ({
      worth: (duals.free[s] as number) - charged * cost,
      cost,
      most: box.upper[structure.free[s]?.columns[v * gpusPerNode] as number]?.toNumber() ?? 0,
    }));
    const filling = bestFilling(offers, capacity, MOST_LOOKS);
    if (this.#shouldStop((filling?.looks ?? MOST_LOOKS) * UNITS.label)) this.#isStopped = true;
    return this.#isStopped ? null : filling;
  }

  /** What a pattern may cost, by node: strictly less than the limit leaves beside the least base. */
  #roomIn(box: Box): number[] {
    const { structure } = this.#program;
    return structure.bases.map(({ column }) => 1 - BELOW - (box.lower[column]?.toNumber() ?? 0) * this.#model.step);
  }

  /** The same beside the bases that are decided. */
  #roomBeside({ chosen, filling }: Pick<Counts, "chosen" | "filling">): number[] {
    const { options, filling: costs } = this.#model;
    let everywhere = 0;
    chosen.forEach((own, c) => {
      own.forEach((tables, o) => {
        everywhere += tables * (options[c]?.[o]?.base ?? 0);
      });
    });
    return this.#program.structure.bases.map((_, v) =>
      filling.reduce((room, groups, s) => room - (groups[v] as number) * (costs[s] as number), 1 - BELOW - everywhere),
    );
  }

  /** The split whose halves have the best relaxations; `null` where nothing is left to decide. */
  #choose(box: Box, point: CountedPoint): (Split & { readonly isLowFirst: boolean }) | null {
    let best: (Split & { readonly isLowFirst: boolean }) | null = null;
    let most = Number.NEGATIVE_INFINITY;
    this.#lp.goTo(box, this.#roomIn(box));
    const value = this.#lp.solve() ?? 0;
    for (const split of this.#splits(box, point)) {
      const [low, high] = halves(box, split).map((half) => this.#valueOf(half)) as [number, number];
      const gain = (own: number) => Math.min(Math.max(own - value, LEAST_GAIN), MOST_GAIN);
      const score = gain(low) * gain(high);
      if (score > most) {
        most = score;
        best = { ...split, isLowFirst: low <= high };
      }
      if (this.#isStopped) return null;
    }
    return best;
  }

  /** The relaxation of a half over the patterns that are known. */
  #valueOf(box: Box): number {
    if (!propagate(this.#view, box, () => {})) return Number.POSITIVE_INFINITY;
    this.#lp.goTo(box, this.#roomIn(box));
    const value = this.#lp.solve() ?? 0;
    const units = this.#unitsPerNode + UNITS_PER_SOLVE + UNITS_PER_ITERATION * this.#lp.iterations;
    if (this.#shouldStop(units)) this.#isStopped = true;
    return value;
  }

  #splits(box: Box, { chosen, filling, bases, broken }: CountedPoint): Split[] {
    const { structure } = this.#program;
    const { step } = this.#model;
    const found: (Split & { readonly merit: number })[] = [];
    broken.forEach((share, v) => {
      if (share <= WHOLE) return;
      const column = structure.bases[v]?.column as number;
      const low = box.lower[column]?.toNumber() ?? 0;
      const steps = (bases[v] as number) / step - low;
      for (const at of new Set(BASE_PARTS.map((part) => Math.floor(low + part * steps * (1 - 1e-9))))) {
        // The half above has less room.
        if (at >= low && at < (box.upper[column]?.toNumber() ?? 0)) found.push({ column, at, merit: 1 + share });
      }
    });
    const open = (column: number, value: number, size: number) => {
      const distance = Math.abs(value - Math.round(value));
      if (distance > WHOLE) found.push({ column, at: Math.floor(value), merit: distance * size });
    };
    chosen.forEach((own, c) => {
      own.forEach((value, o) => {
        open(structure.chosen[c]?.[o] as number, value, 1);
      });
    });
    filling.forEach((own, s) => {
      own.forEach((value, v) => {
        open(structure.filling[s]?.columns[v] as number, value, this.#model.filling[s] as number);
      });
    });
    return found.sort((a, b) => b.merit - a.merit || a.column - b.column || a.at - b.at).slice(0, CANDIDATES);
  }
}

function halves(box: Box, { column, at }: Split): [Box, Box] {
  const [low, high] = [copyOf(box), copyOf(box)];
  low.upper[column] = Rational.of(BigInt(at));
  high.lower[column] = Rational.of(BigInt(at + 1));
  return [low, high];
}

function copyOf({ lower, upper }: Box): Box {
  return { lower: lower.slice(), upper: upper.slice() };
}
