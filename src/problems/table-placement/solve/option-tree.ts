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
import { distinctOptions, reduceOptions } from "./bounds/reduction.js";
import { closingStep, ReducedBox, type ReductionStep, reductionSteps, writtenStep } from "./bounds/reduction-steps.js";
import type { Granule } from "./cost-granularity.js";
import { searchPlacement } from "./local-search/index.js";
import { coverWithin, type PatternPool } from "./patterns/feasibility-master.js";
import type { Usage } from "./patterns/master.js";

/** What a tree over options comes to. */
export type TreeAnswer = { readonly nodes: number } & (
  | /** No placement has a largest cost below the claim. */ {
      readonly kind: "refuted";
      readonly steps: readonly Step[];
    }
  | /** A placement of a largest cost at most the limit. */ { readonly kind: "found"; readonly placement: Placement }
  | { readonly kind: "unknown" }
);

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
 * its steps. Throws `SolverError` where HiGHS dies.
 */
export async function optionTree(
  problem: PlacementProblem,
  direct: DirectProgram,
  granule: Granule | null,
  { claim, limit, seed, shouldStop, work, without }: TreeOptions,
): Promise<TreeAnswer> {
  // In doubles, searched: what is left open is proved step by step.
  const whole = patternModel(problem, direct, reduceOptions(problem, claim.toNumber()).open);
  const pool: PatternPool = whole?.classes.map(() => []) ?? [];
  const reduced = new ReducedBox(direct, claim);
  const steps: Step[] = [];
  let found: Placement | null = null;
  let nodes = 0;
  if (whole !== null && (await close(whole, distinctOptions(problem), true))) return { kind: "refuted", steps, nodes };
  return found === null ? { kind: "unknown", nodes } : { kind: "found", placement: found, nodes };

  /** Closes the node of these options and all below it; `false` where that fails, or a placement was found. */
  async function close(all: PatternModel, from: Open, isRoot = false): Promise<boolean> {
    if (shouldStop(NODE * entriesOf(direct.program) * UNITS.node)) return false;
    nodes++;
    // In doubles, searched: what is left open is proved step by step.
    const reduction = reduceOptions(problem, claim.toNumber(), from);
    const isClosed = reduction.bound >= claim.toNumber();
    // Where nothing falls the steps would change nothing.
    const isNarrowed = isRoot || isClosed || countOf(reduction.open) < countOf(from);
    const narrowing: readonly ReductionStep[] = isNarrowed
      ? reductionSteps(problem, direct, reduction)
      : [{ kind: "propagate" }];
    for (const step of narrowing) {
      reduced.apply(step);
      steps.push(writtenStep(direct, step));
    }
    if (isClosed) {
      steps.push(closingStep(problem, direct, reduction));
      return true;
    }
    const { open } = reduction;
    const model = restricted(all, open);
    const usage = await cover(model, open);
    if (usage === null) return false;
    if (usage === "refused") return true;
    const choice = branchingChoice(model, usage);
    if (choice === null) {
      search(open);
      return false;
    }
    return branch(all, open, choice);
  }

  /** Whether patterns of these options can place everything; how, where they can; `null` where that is not known. */
  async function cover(model: PatternModel, open: Open): Promise<readonly Usage[] | "refused" | null> {
    const own: PatternPool = pool.map((patterns) =>
      patterns.filter(({ parts }) =>
        parts.every(({ option, orbits }) => open[model.orbits[orbits[0] as number]?.table as number]?.[option]),
      ),
    );
    const known = own.map(({ length }) => length);
    const weights = unplacedWeights(problem, model, limit);
    const answer = await coverWithin(model, own, weights, limit, { shouldStop, width: WIDTH });
    own.forEach((patterns, k) => {
      pool[k]?.push(...patterns.slice(known[k]));
    });
    if (answer.kind === "unknown") return null;
    if (answer.kind === "possible") return answer.usage;
    steps.push(decomposeStep(direct, model, answer.farkas, reduced.box, granule));
    return "refused";
  }

  /** First without the option, then with it alone. */
  async function branch(all: PatternModel, open: Open, { table, option }: Choice): Promise<boolean> {
    const { tables } = direct.structure;
    const columns = tables[table] as (typeof tables)[number];
    const column = columns.chosen[columns.options.findIndex((own) => own.option === option)] as number;
    steps.push({ branch: direct.program.columns[column]?.name as string, at: "0" });
    const { box } = reduced;
    const saved = reduced.save();
    box.upper[column] = Rational.zero;
    if (
      !(await close(
        all,
        withOnly(open, table, (o) => o !== option),
      ))
    )
      return false;
    reduced.restore(saved);
    box.lower[column] = Rational.one;
    return close(
      all,
      withOnly(open, table, (o) => o === option),
    );
  }

  /** Looks for a placement of the options that are left. */
  function search(open: Open): void {
    const { problem: fewer, whole } = withFewerOptions(problem, open);
    const slice = work.slice(SEARCH_UNITS);
    const own = (units?: number) => slice(units) || shouldStop();
    const { placement, largest } = searchPlacement(fewer, { seed, shouldStop: own, target: limit, without });
    if (placement !== null && largest <= limit) found = whole(placement);
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

/** What leaving a shard unplaced costs: its share of a device's cost and memory. */
export function unplacedWeights({ hbmBytes }: PlacementProblem, { orbits }: PatternModel, limit: number): Float64Array {
  const memory = hbmBytes.reduce((sum, bytes) => sum + bytes, 0) / hbmBytes.length;
  return Float64Array.from(orbits, ({ cost, hbm }) => cost / limit + (0.3 * hbm) / memory + 1e-6);
}
