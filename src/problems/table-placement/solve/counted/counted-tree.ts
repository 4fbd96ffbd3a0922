import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../proof/kernel/fix.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { namedMultipliers } from "../bounds/choice-prices.js";
import { copyOf, halvesAt } from "../bounds/reduction-steps.js";
import { WHOLE } from "../core/pattern-lp.js";
import type { CountedPoint } from "./counted-lp.js";
import type { CountedRelaxation } from "./counted-relaxation.js";
import { meanMultipliers } from "./counted-relaxation.js";
import { packedByFullPatterns } from "./full-patterns.js";

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
const BASE_PARTS = [0.5, 0.9];

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

interface Candidate extends Split {
  readonly merit: number;
}

/**
 * Decides by branching on counts of tables and of groups by node, and on bases of nodes, whether any placement costs less than a
 * limit, over a relaxation of device patterns (README.md, "Counted program").
 */
export class CountedTree {
  readonly #relaxation: CountedRelaxation;
  readonly #root: Box;
  readonly #before: readonly Step[];
  #found: Counts | null = null;
  /** Nodes that were left open. */
  #leaves = 0;
  nodes = 0;

  constructor(relaxation: CountedRelaxation) {
    this.#relaxation = relaxation;
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
    const [low, high] = halvesAt(box, split.column, split.at);
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
    this.#found = settledCounts(this.#relaxation, box, point);
    return this.#found === null && this.#leaves < MOST_LEAVES ? [] : null;
  }

  /** The split whose halves have the best relaxations; `null` where nothing is left to decide. */
  #choose(box: Box, point: CountedPoint): (Split & { readonly isLowFirst: boolean }) | null {
    const relaxation = this.#relaxation;
    let best: (Split & { readonly isLowFirst: boolean }) | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const split of this.#splits(box, point)) {
      const [low, high] = halvesAt(box, split.column, split.at).map((half) => relaxation.valueOf(half)) as [
        number,
        number,
      ];
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

  #splits(box: Box, point: CountedPoint): Split[] {
    const counts = this.#countSplits(point);
    const bases = this.#baseSplits(box, point, counts.length === 0);
    return (
      [...counts, ...bases]
        // In doubles, searched: which branching comes first.
        .sort((a, b) => b.merit - a.merit || a.column - b.column || Number(a.at - b.at))
        .slice(0, CANDIDATES)
    );
  }

  /** Counts of tables and groups that are not whole. */
  #countSplits({ chosen, filling }: CountedPoint): Candidate[] {
    const { structure } = this.#relaxation.program;
    const { filling: needs } = this.#relaxation.model;
    const found: Candidate[] = [];
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
        open(structure.filling[s]?.columns[v] as number, value, needs[s]?.cost ?? 0);
      });
    });
    return found;
  }

  /**
   * Bases beside which patterns have no room: the half above has less. Where all counts are whole a base is split just below what they
   * come to; where that is more than it may be, which only doubles hide, the counts are split.
   */
  #baseSplits(box: Box, point: CountedPoint, isWhole: boolean): Candidate[] {
    const { program, model } = this.#relaxation;
    const { bases } = program.structure;
    const exact = isWhole ? this.#exactBases(point) : null;
    return point.broken.flatMap((share, v): Candidate[] => {
      if (share <= WHOLE) return [];
      const column = bases[v]?.column as number;
      const [low, high] = [wholeOf(box.lower[column]), wholeOf(box.upper[column])];
      // In doubles, searched: which branching comes first.
      const steps = (point.bases[v] as number) / model.step - Number(low);
      const ats = BASE_PARTS.map((part) => low + BigInt(Math.max(0, Math.floor(part * steps * (1 - 1e-9)))));
      const own = exact?.[v];
      if (own !== undefined && own > high) return this.#countsAround(box, point, v);
      if (own !== undefined) ats[ats.length - 1] = own - 1n;
      return [...new Set(ats)].filter((at) => at >= low && at < high).map((at) => ({ column, at, merit: 1 + share }));
    });
  }

  /** Splits of whole counts of tables, and of groups on a node, on either side of what they are. */
  #countsAround(box: Box, { chosen, filling }: CountedPoint, v: number): Candidate[] {
    const { structure } = this.#relaxation.program;
    const around = (column: number, value: number): Candidate[] => {
      const at = BigInt(Math.round(value));
      const [low, high] = [wholeOf(box.lower[column]), wholeOf(box.upper[column])];
      return [at - 1n, at].filter((own) => own >= low && own < high).map((own) => ({ column, at: own, merit: 1 }));
    };
    return [
      ...chosen.flatMap((own, c) => own.flatMap((value, o) => around(structure.chosen[c]?.[o] as number, value))),
      ...filling.flatMap((own, s) => around(structure.filling[s]?.columns[v] as number, own[v] as number)),
    ];
  }

  /** By node, the steps of the base that whole counts come to. */
  #exactBases({ chosen, filling }: CountedPoint): bigint[] {
    const { classes, filling: kinds, bases, step } = this.#relaxation.program.structure;
    const times = (units: bigint, value: number) => units * BigInt(Math.round(value));
    let everywhere = 0n;
    chosen.forEach((own, c) => {
      own.forEach((value, o) => {
        everywhere += times(classes[c]?.options[o]?.base.units ?? 0n, value);
      });
    });
    return bases.map((_, v) => {
      const own = filling.reduce(
        (sum, groups, s) => sum + times(kinds[s]?.need.units ?? 0n, groups[v] as number),
        everywhere,
      );
      return own / step;
    });
  }
}

function wholeOf(bound: Rational | null | undefined): bigint {
  return bound?.floor() ?? 0n;
}

/**
 * What a placement below the limit may count in a box where all but patterns is whole at a point; `null` where shards have no room beside
 * that, or none was found.
 */
function settledCounts(
  relaxation: CountedRelaxation,
  open: Box,
  { chosen, filling }: Pick<CountedPoint, "chosen" | "filling">,
): Counts | null {
  const { model, points, program } = relaxation;
  const box = copyOf(open);
  const counts = {
    chosen: chosen.map((own) => own.map(Math.round)),
    filling: filling.map((own) => own.map(Math.round)),
  };
  const wanted = model.free.map(() => 0);
  counts.chosen.forEach((own, c) => {
    own.forEach((tables, o) => {
      settle(box, program.structure.chosen[c]?.[o] as number, tables);
      for (const [kind, count] of model.options[c]?.[o]?.free ?? []) {
        wanted[kind] = (wanted[kind] as number) + tables * count;
      }
    });
  });
  counts.filling.forEach((own, s) => {
    own.forEach((groups, v) => {
      settle(box, program.structure.filling[s]?.columns[v] as number, groups);
    });
  });
  if (!relaxation.keeps(box)) return null;
  const spend = (units: number) => relaxation.spend(units);
  const free = packedByFullPatterns(points, model, wanted, relaxation.roomBeside(counts), spend);
  return free === null ? null : { ...counts, free };
}

function settle(box: Box, column: number, value: number): void {
  box.lower[column] = box.upper[column] = Rational.of(BigInt(value));
}
