import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import { type PatternModel, patternModel, restricted } from "../../../../models/table-placement/pattern-model.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../models/table-placement/restriction.js";
import { Rational } from "../../../exact/rational.js";
import { entriesOf } from "../../../program/program.js";
import type { Step } from "../../../proof/certificate.js";
import type { Without } from "../../../search/strategies.js";
import { type ShouldStop, UNITS, type Work } from "../../../search/work.js";
import { decomposeStep } from "./bounds/pattern-proof.js";
import { distinctOptions, type Reduction, reduceOptions } from "./bounds/reduction.js";
import { closingStep, ReducedBox, type ReductionStep, reductionSteps, writtenStep } from "./bounds/reduction-steps.js";
import type { Granule } from "./cost-granularity.js";
import { searchPlacement } from "./local-search/index.js";
import { unplacedWeights } from "./pattern-bound.js";
import { coverWithin, type PatternPool } from "./patterns/feasibility-master.js";
import type { Usage } from "./patterns/master.js";

/** What a tree over options comes to. */
export type TreeAnswer =
  /** No placement has a largest cost below the claim. */
  | { readonly kind: "refuted"; readonly steps: readonly Step[] }
  /** A placement of a largest cost at most the limit. */
  | { readonly kind: "found"; readonly placement: Placement }
  | { readonly kind: "unknown" };

export interface TreeOptions {
  /** To refute, exactly: largest costs below `claim`; in doubles, those up to `limit`. */
  readonly claim: Rational;
  readonly limit: number;
  readonly seed: number;
  readonly shouldStop: ShouldStop;
  readonly work: Work;
  readonly without: Without;
}

/** Partial patterns that a search for the best pattern keeps at each table. */
const WIDTH = 100_000;

/** Units of local search where all options are chosen and patterns do not rule them out. */
const SEARCH_UNITS = 200;

/** What leaving out options takes at a node, in passes over the program in exact arithmetic. */
const NODE = 2;

type Open = readonly (readonly boolean[])[];

/**
 * Branch and price over the choice of options: at every node the options that are out of question fall, then column
 * generation asks whether patterns can place what is left within the limit. Where they can, fractionally, the tree
 * branches on the option that they use most of the table they are least sure of. Depth first; each closed node leaves
 * its steps.
 */
export class OptionTree {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #granule: Granule | null;
  readonly #options: TreeOptions;
  readonly #model: PatternModel | null;
  readonly #pool: PatternPool;
  readonly #reduced: ReducedBox;
  readonly #steps: Step[] = [];
  #found: Placement | null = null;
  nodes = 0;

  constructor(problem: PlacementProblem, direct: DirectProgram, granule: Granule | null, options: TreeOptions) {
    this.#problem = problem;
    this.#direct = direct;
    this.#granule = granule;
    this.#options = options;
    // In doubles, searched: what is left open is proved step by step.
    this.#model = patternModel(problem, direct, reduceOptions(problem, options.claim.toNumber()).open);
    this.#pool = this.#model?.classes.map(() => []) ?? [];
    this.#reduced = new ReducedBox(direct, options.claim);
  }

  /** Throws `SolverError` where HiGHS dies. */
  async run(): Promise<TreeAnswer> {
    if (this.#model !== null && (await this.#close(distinctOptions(this.#problem), true))) {
      return { kind: "refuted", steps: this.#steps };
    }
    return this.#found === null ? { kind: "unknown" } : { kind: "found", placement: this.#found };
  }

  /** Closes the node of these options and all below it; `false` where that fails, or a placement was found. */
  async #close(from: Open, isRoot = false): Promise<boolean> {
    const { claim, shouldStop } = this.#options;
    if (shouldStop(NODE * entriesOf(this.#direct.program) * UNITS.node)) return false;
    this.nodes++;
    // In doubles, searched: what is left open is proved step by step.
    const reduction = reduceOptions(this.#problem, claim.toNumber(), from);
    const isClosed = reduction.bound >= claim.toNumber();
    // Where nothing falls the steps would change nothing.
    if (isRoot || isClosed || countOf(reduction.open) < countOf(from)) this.#apply(this.#stepsOf(reduction));
    else this.#apply([{ kind: "propagate" }]);
    if (isClosed) {
      this.#steps.push(closingStep(this.#problem, this.#direct, reduction));
      return true;
    }
    const { open } = reduction;
    const model = restricted(this.#model as PatternModel, open);
    const usage = await this.#cover(model, open);
    if (usage === null) return false;
    if (usage === "refused") return true;
    const choice = branchingChoice(model, usage);
    if (choice === null) {
      this.#search(open);
      return false;
    }
    return this.#branch(open, choice);
  }

  #stepsOf(reduction: Reduction): readonly ReductionStep[] {
    return reductionSteps(this.#problem, this.#direct, reduction);
  }

  #apply(steps: readonly ReductionStep[]): void {
    for (const step of steps) {
      this.#reduced.apply(step);
      this.#steps.push(writtenStep(this.#direct, step));
    }
  }

  /** Whether patterns of these options can place everything; how, where they can; `null` where that is not known. */
  async #cover(model: PatternModel, open: Open): Promise<readonly Usage[] | "refused" | null> {
    const { limit, shouldStop } = this.#options;
    const own: PatternPool = this.#pool.map((patterns) =>
      patterns.filter(({ parts }) =>
        parts.every(({ option, orbits }) => open[model.orbits[orbits[0] as number]?.table as number]?.[option]),
      ),
    );
    const known = own.map(({ length }) => length);
    const weights = unplacedWeights(this.#problem, model, limit);
    const answer = await coverWithin(model, own, weights, limit, { shouldStop, width: WIDTH });
    own.forEach((patterns, k) => {
      this.#pool[k]?.push(...patterns.slice(known[k]));
    });
    if (answer.kind === "unknown") return null;
    if (answer.kind === "possible") return answer.usage;
    this.#steps.push(decomposeStep(this.#direct, model, answer.farkas, this.#reduced.box, this.#granule));
    return "refused";
  }

  /** First without the option, then with it alone. */
  async #branch(open: Open, { table, option }: Choice): Promise<boolean> {
    const { tables } = this.#direct.structure;
    const columns = tables[table] as (typeof tables)[number];
    const column = columns.chosen[columns.options.findIndex((own) => own.option === option)] as number;
    this.#steps.push({ branch: this.#direct.program.columns[column]?.name as string, at: "0" });
    const { box } = this.#reduced;
    const saved = this.#reduced.save();
    box.upper[column] = Rational.zero;
    if (!(await this.#close(withOnly(open, table, (o) => o !== option)))) return false;
    this.#reduced.restore(saved);
    box.lower[column] = Rational.one;
    return this.#close(withOnly(open, table, (o) => o === option));
  }

  /** Looks for a placement of the options that are left. */
  #search(open: Open): void {
    const { limit, seed, shouldStop, work, without } = this.#options;
    const { problem, whole } = withFewerOptions(this.#problem, open);
    const slice = work.slice(SEARCH_UNITS);
    const own = (units?: number) => slice(units) || shouldStop();
    const { placement, largest } = searchPlacement(problem, { seed, shouldStop: own, target: limit, without });
    if (placement !== null && largest <= limit) this.#found = whole(placement);
  }
}

interface Choice {
  readonly table: number;
  readonly option: number;
}

function countOf(open: Open): number {
  return open.reduce((sum, own) => sum + own.filter(Boolean).length, 0);
}

function withOnly(open: Open, table: number, isKept: (option: number) => boolean): Open {
  return open.map((own, t) => (t === table ? own.map((isOpen, o) => isOpen && isKept(o)) : own));
}

/**
 * Of the tables with several options left, the one whose most used option is used least, with that option; `null` where
 * every table has one option.
 */
function branchingChoice({ orbits, tables }: PatternModel, usage: readonly Usage[]): Choice | null {
  const used = tables.map(() => new Map<number, number>());
  for (const { pattern, times } of usage) {
    for (const { option, orbits: own, counts } of pattern.parts) {
      const { table } = orbits[own[0] as number] as (typeof orbits)[number];
      const shards = counts.reduce((sum, count) => sum + count, 0);
      const map = used[table] as Map<number, number>;
      map.set(option, (map.get(option) ?? 0) + times * shards);
    }
  }
  let best: Choice | null = null;
  let least = Number.POSITIVE_INFINITY;
  tables.forEach((options, table) => {
    if (options.length < 2) return;
    let [option, most] = [options[0]?.option as number, -1];
    for (const own of options) {
      const share = (used[table]?.get(own.option) ?? 0) / Math.max(1, shardsOf(own));
      if (share > most) [option, most] = [own.option, share];
    }
    if (most >= least) return;
    best = { table, option };
    least = most;
  });
  return best;
}

function shardsOf({ direct, groups }: PatternModel["tables"][number][number]): number {
  const sum = (demands: readonly (readonly [number, number])[]) =>
    demands.reduce((total, [, count]) => total + count, 0);
  return groups.reduce((total, { count, ways }) => total + count * sum(ways[0] ?? []), sum(direct));
}
