import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../proof/kernel/fix.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { CountedDive, WHOLE } from "./counted-dive.js";
import type { CountedPoint } from "./counted-lp.js";
import { meanMultipliers, namedMultipliers } from "./counted-proof.js";
import { type CountedRelaxation, copyOf } from "./counted-relaxation.js";

export type CountedAnswer =
  | { readonly kind: "refuted"; readonly steps: readonly Step[] }
  /** What a placement below the limit may count. */
  | { readonly kind: "found"; readonly counts: Counts }
  /** At some node nothing is left to decide, or the relaxation ended: this limit is not refuted. */
  | { readonly kind: "open" }
  | { readonly kind: "stopped" };

/** Splits of which both halves are solved before one is taken. */
const CANDIDATES = 12;

/** Where a base is split, between the least that it can be and where the relaxation has it. */
const BASE_PARTS = [0.5, 0.9, 1];

/** A gain of both halves counts up to this, and at least this, as a part of the limit. */
const MOST_GAIN = 0.05;
const LEAST_GAIN = 1e-6;

/** Nodes where nothing is left to decide that are looked at for a placement. */
const MOST_LEAVES = 6;

/** A column and where its range is split: at most `at`, or more. */
interface Split {
  readonly column: number;
  readonly at: bigint;
}

/**
 * Decides by branching on counts of tables and of groups by node, and on bases of nodes, whether any placement costs less than a
 * limit, over a relaxation of device patterns (README.md, "Counted program").
 */
export class CountedTree {
  readonly #relaxation: CountedRelaxation;
  readonly #dive: CountedDive;
  readonly #root: Box;
  readonly #before: readonly Step[];
  #found: Counts | null = null;
  /** Nodes that were left open. */
  #leaves = 0;
  nodes = 0;

  constructor(relaxation: CountedRelaxation) {
    this.#relaxation = relaxation;
    this.#dive = new CountedDive(relaxation);
    const { program, view, claim } = relaxation;
    this.#root = relaxation.root();
    this.#before = [new Map(), meanMultipliers(program)].flatMap((multipliers): Step[] => {
      const bound = lagrangianBound(view, this.#root, multipliers);
      fixByReducedCost(view, this.#root, bound, claim, () => {});
      relaxation.keeps(this.#root);
      return [{ fix: namedMultipliers(program, multipliers) }, { propagate: {} }];
    });
  }

  run(): CountedAnswer {
    const steps = this.#close(copyOf(this.#root));
    if (this.#found !== null) return { kind: "found", counts: this.#found };
    if (this.#leaves > 0) return { kind: "open" };
    if (steps === null) return { kind: this.#relaxation.isStopped ? "stopped" : "open" };
    return { kind: "refuted", steps: [...this.#before, ...steps] };
  }

  /** The steps that close a node; `null` where it is not closed. */
  #close(box: Box): Step[] | null {
    this.nodes++;
    const relaxation = this.#relaxation;
    const before: Step = { propagate: {} };
    if (!relaxation.keeps(box)) return [before, { infeasible: {} }];
    const point = relaxation.isStopped ? null : relaxation.relax(box);
    if (point === null) return null;
    if ("closing" in point) return [before, point.closing];
    const split = this.#choose(box, point);
    if (split === null) return relaxation.isStopped ? null : this.#leave(box, point);
    const [low, high] = halves(box, split);
    // What is likely to stay open is looked at first.
    const first = this.#close(split.isLowFirst ? low : high);
    if (first === null) return null;
    const second = this.#close(split.isLowFirst ? high : low);
    if (second === null) return null;
    const [below, above] = split.isLowFirst ? [first, second] : [second, first];
    const { name } = relaxation.program.program.columns[split.column] as { name: string };
    return [before, { branch: name, at: `${split.at}` }, ...below, ...above];
  }

  /** Where nothing is left to decide the limit is not refuted any more; some such nodes are looked at for a placement. */
  #leave(box: Box, point: CountedPoint): Step[] | null {
    this.#leaves++;
    this.#found = this.#dive.settled(box, point);
    return this.#found === null && this.#leaves < MOST_LEAVES ? [] : null;
  }

  /** The split whose halves have the best relaxations; `null` where nothing is left to decide. */
  #choose(box: Box, point: CountedPoint): (Split & { readonly isLowFirst: boolean }) | null {
    const relaxation = this.#relaxation;
    let best: (Split & { readonly isLowFirst: boolean }) | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const split of this.#splits(box, point)) {
      const [low, high] = halves(box, split).map((half) => relaxation.valueOf(half)) as [number, number];
      const gain = (own: number) => Math.min(Math.max(own - point.value, LEAST_GAIN), MOST_GAIN);
      const score = gain(low) * gain(high);
      if (score > most) {
        most = score;
        best = { ...split, isLowFirst: low <= high };
      }
      if (relaxation.isStopped) return null;
    }
    return best;
  }

  #splits(box: Box, { chosen, filling, bases, broken }: CountedPoint): Split[] {
    const { program, model } = this.#relaxation;
    const { structure } = program;
    const { step } = model;
    const found: (Split & { readonly merit: number })[] = [];
    broken.forEach((share, v) => {
      if (share <= WHOLE) return;
      const column = structure.bases[v]?.column as number;
      const [low, high] = [wholeOf(box.lower[column]), wholeOf(box.upper[column])];
      const steps = (bases[v] as number) / step - Number(low);
      const ats = BASE_PARTS.map((part) => low + BigInt(Math.max(0, Math.floor(part * steps * (1 - 1e-9)))));
      // The half above has less room.
      for (const at of new Set(ats)) if (at < high) found.push({ column, at, merit: 1 + share });
    });
    const open = (column: number, value: number, size: number) => {
      const distance = Math.abs(value - Math.round(value));
      if (distance > WHOLE) found.push({ column, at: BigInt(Math.floor(value)), merit: distance * size });
    };
    chosen.forEach((own, c) => {
      own.forEach((value, o) => {
        open(structure.chosen[c]?.[o] as number, value, 1);
      });
    });
    filling.forEach((own, s) => {
      own.forEach((value, v) => {
        open(structure.filling[s]?.columns[v] as number, value, model.filling[s]?.cost ?? 0);
      });
    });
    return found.sort((a, b) => b.merit - a.merit || a.column - b.column || Number(a.at - b.at)).slice(0, CANDIDATES);
  }
}

function halves(box: Box, { column, at }: Split): [Box, Box] {
  const [low, high] = [copyOf(box), copyOf(box)];
  low.upper[column] = Rational.of(at);
  high.lower[column] = Rational.of(at + 1n);
  return [low, high];
}

function wholeOf(bound: Rational | null | undefined): bigint {
  return bound?.floor() ?? 0n;
}
