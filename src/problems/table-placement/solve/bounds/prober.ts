import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../../../proof/kernel/bound.js";
import { propagate } from "../../../../proof/kernel/propagate.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { Relaxation, RelaxationAnswer } from "../../../../search/branch-and-bound/relaxation.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { withRelaxation } from "../../../../search/exact-milp/lp-relaxation.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { openRelaxation, type RelaxationSession } from "../../../../solvers/highs-relaxation.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import { ContradictoryClaim } from "../../../../solvers/validate.js";
import type { BoundProof } from "./bound-proof.js";
import { type Reduction, reduceOptions } from "./reduction.js";
import { copyOf, type ReducedBox, reducedBound, reducedBox, writtenStep } from "./reduction-steps.js";

/** Steps around a proof that goes on in what probing left. */
export interface Probed {
  readonly before: readonly Step[];
  /** They close the choices that were refuted. */
  readonly after: readonly Step[];
  /** Nothing is left: `before` and `after` are the proof. */
  readonly isRefuted: boolean;
}

/** What probing found, in order: columns fixed by reduced costs, or a choice that has no placement below the claim. */
type Finding =
  | { readonly kind: "fix"; readonly multipliers: Multipliers }
  | { readonly kind: "choice"; readonly column: number; readonly refuted: 0 | 1; readonly closing: readonly Step[] };

/** Passes over all options; another one only where the one before decided some. */
const MAX_PASSES = 6;

/** Once so many choices were looked at, the first pass goes on where it decides one in so many. */
const LOOKED_AT = 40;
const WORTH_LOOKING = 20;

/** How near a value of the relaxation is to 0 or 1 to count as that. */
const NEAR = 1e-7;

/** Iterations of the simplex that show whether a choice leaves anything. */
const PROBE_ITERATIONS = 200;

/**
 * Probing on options and hosts (Savelsbergh 1994, with the relaxation beside propagation): a column that chooses is decided
 * where the program's linear relaxation proves of the other choice that no placement below the claim makes it. This
 * sees what memory leaves of each host, which bounds on all devices together do not.
 *
 * What was found at a claim holds at every lower one, and is not looked for again.
 */
export class Prober {
  readonly #direct: DirectProgram;
  readonly #chosen: ReadonlySet<number>;
  #claim: Rational | null = null;
  #found: readonly Finding[] = [];

  constructor(direct: DirectProgram) {
    this.#direct = direct;
    this.#chosen = new Set(
      direct.structure.tables.flatMap(({ chosen, options }) => [
        ...chosen.filter((column) => column !== null),
        ...options.flatMap(({ nodeChoices }) => nodeChoices),
      ]),
    );
  }

  /** Of the columns that choose, the share that was decided. */
  get decidedShare(): number {
    const decided = this.#found.filter(({ kind }) => kind === "choice").length;
    return this.#chosen.size === 0 ? 0 : decided / this.#chosen.size;
  }

  /**
   * Probes from a box on, which is left as what remains, until it is told to stop; where HiGHS gives up, with what was
   * found until then.
   */
  async probe(reduced: ReducedBox, claim: Rational, shouldStop: ShouldStop): Promise<Probed> {
    const trail = this.#trail(reduced, claim);
    try {
      if (!trail.isRefuted) await this.#passes(trail, claim, shouldStop);
    } catch (error) {
      if (!(error instanceof SolverError || error instanceof ContradictoryClaim)) throw error;
    }
    this.#claim = claim;
    this.#found = trail.found;
    return trail.ended();
  }

  async #passes(trail: Trail, claim: Rational, shouldStop: ShouldStop): Promise<void> {
    const { program } = this.#direct;
    const screen = new Screen(await openRelaxation(program), entriesOf(program), shouldStop);
    try {
      await withRelaxation(program, shouldStop, (open) => {
        let isThorough = false;
        for (let pass = 0; pass < MAX_PASSES && !shouldStop() && !trail.isRefuted; pass++) {
          const before = trail.found.length;
          const space = SearchSpace.of(program).within(trail.savedBox()).reduced();
          const isWorthIt = this.#pass(space, open(space), isThorough ? null : screen, claim, trail, shouldStop);
          if (!isWorthIt) break;
          const hasFound = trail.found.length > before;
          if (!hasFound && isThorough) break;
          isThorough = !hasFound;
        }
      });
    } finally {
      screen.dispose();
    }
  }

  /** What was found at this claim or a higher one, from a box on, which is left as what remains. */
  known(reduced: ReducedBox, claim: Rational): Probed {
    return this.#trail(reduced, claim).ended();
  }

  #trail(reduced: ReducedBox, claim: Rational): Trail {
    const trail = new Trail(this.#direct, reduced);
    const holds = this.#claim !== null && claim.compare(this.#claim) <= 0;
    for (const finding of holds ? this.#found : []) trail.add(finding);
    return trail;
  }

  /**
   * Over all columns that choose: those that the screen lets through, or, more thoroughly, each with what follows from it.
   * Says whether another pass may bring more.
   */
  #pass(
    space: SearchSpace,
    relaxation: Relaxation,
    screen: Screen | null,
    claim: Rational,
    trail: Trail,
    shouldStop: ShouldStop,
  ): boolean {
    const { view, box } = space;
    const root = relaxation.solve(box);
    const closed = closing(space, box, root, claim);
    if (closed !== null) {
      trail.close(...closed);
      return false;
    }
    const tell = () => {
      for (const [j, column] of view.columns.entries()) {
        box.lower[j] = trail.box.lower[column] ?? null;
        box.upper[j] = trail.box.upper[column] ?? null;
      }
      screen?.tell(trail.box);
    };
    if (root.kind === "solved") trail.add({ kind: "fix", multipliers: root.multipliers });
    tell();
    const before = trail.found.length;
    let looked = 0;
    for (const [j, column] of view.columns.entries()) {
      if (!this.#chosen.has(column)) continue;
      const isInVain = ++looked > LOOKED_AT && (trail.found.length - before) * WORTH_LOOKING < looked;
      if (isInVain && screen !== null) return false;
      for (const value of [1, 0] as const) {
        if (trail.isRefuted || shouldStop()) return false;
        if ((box.lower[j] as Rational).equals(box.upper[j] as Rational)) break;
        if (screen?.refutes(column, value) === false) continue;
        const other = withValue(box, j, value);
        const steps = screen === null ? propagated(space, other) : [];
        if (screen === null) shouldStop(entriesOf(this.#direct.program) * UNITS.checking);
        const last = steps.length > 1 ? [] : closing(space, other, relaxation.solve(other), claim);
        if (last === null) continue;
        trail.add({ kind: "choice", column, refuted: value, closing: [...steps, ...last] });
        shouldStop(entriesOf(this.#direct.program) * UNITS.checking);
        tell();
      }
    }
    return true;
  }
}

/** Propagates a box: one step, or two where that closes it. */
function propagated({ view }: SearchSpace, box: Box): Step[] {
  return propagate(view, box, () => {}) ? [{ propagate: {} }] : [{ propagate: {} }, { infeasible: {} }];
}

/** The step that closes a box by an answer about it; `null` where that does not. */
function closing(space: SearchSpace, box: Box, answer: RelaxationAnswer, claim: Rational): readonly Step[] | null {
  if (answer.kind === "failed") return null;
  if (answer.kind === "infeasible") {
    const shown = lagrangianBound(space.view, box, answer.multipliers, "infeasibility");
    const isShown = shown.infeasible || (shown.bound !== null && shown.bound.sign() > 0);
    return isShown ? [{ infeasible: space.named(answer.multipliers) }] : null;
  }
  const { bound, infeasible } = lagrangianBound(space.view, box, answer.multipliers);
  const isClosed = infeasible || (bound !== null && bound.compare(claim) >= 0);
  return isClosed ? [{ bound: space.named(answer.multipliers) }] : null;
}

/** The relaxation in doubles alone, which says where exact arithmetic is worth asking. */
class Screen {
  readonly #session: RelaxationSession;
  readonly #entries: number;
  readonly #shouldStop: ShouldStop;
  readonly #told: (readonly [Rational | null, Rational | null])[] = [];
  /** The relaxation's last point: what it chooses is not refuted. */
  #point: Float64Array | null = null;

  constructor(session: RelaxationSession, entries: number, shouldStop: ShouldStop) {
    this.#session = session;
    this.#entries = entries;
    this.#shouldStop = shouldStop;
  }

  tell({ lower, upper }: Box): void {
    lower.forEach((low, column) => {
      const high = upper[column] ?? null;
      const before = this.#told[column];
      if (before !== undefined && before[0] === low && before[1] === high) return;
      this.#told[column] = [low, high];
      // In doubles, searched: bounds for a solver, whose answer is a claim.
      this.#session.setColumnBounds(column, low?.toNumber() ?? null, high?.toNumber() ?? null);
    });
    this.#point = this.#session.solve().point ?? null;
    this.#count();
  }

  /** Whether nothing seems to be left below the claim, which the largest cost is bounded by, with this value of a column. */
  refutes(column: number, value: 0 | 1): boolean {
    if (this.#point !== null && Math.abs((this.#point[column] as number) - value) < NEAR) return false;
    const rise = this.#session.probe(column, value, value, PROBE_ITERATIONS);
    this.#count();
    return rise === Number.POSITIVE_INFINITY;
  }

  dispose(): void {
    this.#session.dispose();
  }

  #count(): void {
    this.#shouldStop(this.#entries * UNITS.iteration * (1 + this.#session.iterations));
  }
}

/** Findings one after the other, with the box that they leave and the steps that say so. */
class Trail {
  readonly #direct: DirectProgram;
  readonly #reduced: ReducedBox;
  readonly found: Finding[] = [];
  readonly #before: Step[] = [];
  readonly #after: Step[] = [];
  isRefuted = false;

  constructor(direct: DirectProgram, reduced: ReducedBox) {
    this.#direct = direct;
    this.#reduced = reduced;
  }

  add(finding: Finding): void {
    if (this.isRefuted) return;
    const { box } = this.#reduced;
    if (finding.kind === "fix") {
      if (!this.#reduced.apply(finding)) return;
      this.#before.push(writtenStep(this.#direct, finding));
    } else {
      const { column, refuted, closing } = finding;
      if ((box.lower[column] as Rational).equals(box.upper[column] as Rational)) return;
      const branch = { branch: this.#direct.program.columns[column]?.name as string, at: "0" };
      if (refuted === 1) this.#after.unshift(...closing);
      this.#before.push(...(refuted === 1 ? [branch] : [branch, ...closing]));
      box.lower[column] = box.upper[column] = refuted === 1 ? Rational.zero : Rational.one;
    }
    this.found.push(finding);
    this.#before.push({ propagate: {} });
    if (this.#reduced.apply({ kind: "propagate" })) return;
    this.close({ infeasible: {} });
  }

  close(...steps: readonly Step[]): void {
    this.#before.push(...steps);
    this.isRefuted = true;
  }

  /** What is left. */
  get box(): Box {
    return this.#reduced.box;
  }

  savedBox(): Box {
    return this.#reduced.save();
  }

  ended(): Probed {
    return { before: this.#before, after: this.#after, isRefuted: this.isRefuted };
  }
}

/** What a proof of a claim begins with: steps before all others and after them, and what they leave. */
export interface Beginning {
  readonly reduction: Reduction;
  readonly reduced: ReducedBox;
  readonly steps: Step[];
  readonly after: readonly Step[];
}

/** What reduction by bounds and what was found by probing leave below a claim; the proof, where that is nothing. */
export function beginningAt(
  problem: PlacementProblem,
  direct: DirectProgram,
  prober: Prober,
  limit: number,
): Beginning | BoundProof {
  const reduction = reduceOptions(problem, limit);
  if (reduction.bound >= limit) return reducedBound(problem, direct, reduction, limit);
  const claim = Rational.fromNumber(limit);
  const { reduced, steps } = reducedBox(problem, direct, reduction, claim);
  const { before, after, isRefuted } = prober.known(reduced, claim);
  steps.push(...before);
  return isRefuted ? { claim, steps: [...steps, ...after] } : { reduction, reduced, steps, after };
}

function withValue(own: Box, j: number, value: 0 | 1): Box {
  const box = copyOf(own);
  box.lower[j] = box.upper[j] = value === 1 ? Rational.one : Rational.zero;
  return box;
}
