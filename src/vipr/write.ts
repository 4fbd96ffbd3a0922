import { Rational } from "../exact/rational.js";
import { evaluate } from "../program/evaluate.js";
import { linearForm, type Program } from "../program/program.js";
import {
  type Certificate,
  type CutStep,
  closesNode,
  type DecomposeStep,
  type KnapsackStep,
  type NamedMultipliers,
  type Parts,
  readNumber,
  type Step,
} from "../proof/certificate.js";
import { checkCertificate } from "../proof/check.js";
import { lagrangianBound, type Multipliers } from "../proof/kernel/bound.js";
import { decompose, layoutOf } from "../proof/kernel/decompose.js";
import { fixByReducedCost } from "../proof/kernel/fix.js";
import { propagate } from "../proof/kernel/propagate.js";
import { type Box, substituteFixed, type View, viewOf } from "../proof/kernel/view.js";
import { InfeasiblePointError } from "../proof/verdict.js";
import { walkedFacts, walkedProgram } from "./basis.js";
import { accumulate } from "./combination.js";
import { Derivations, type OnLine, vectorText } from "./derivations.js";
import { type Branching, type Cause, type Node, openNode } from "./node.js";
import { coefficientsOf, type Problem, problemOf, type Side } from "./problem.js";
import { Prover } from "./prover.js";
import { ViprUnsupportedError } from "./unsupported.js";

export { ViprUnsupportedError } from "./unsupported.js";

const BY_SETS = "which rests on sets gone through one by one: it would be one derivation for each";

const UNSUPPORTED = {
  exchange: "which leaves out feasible points by symmetry: VIPR derives only what holds for all of them",
  round: "a rounding that this writer does not put into VIPR's words yet",
  partition: BY_SETS,
  pack: BY_SETS,
};

/**
 * The text of a VIPR 1.1 file (Cheung, Gleixner, Steffy 2017) that proves what a certificate proves: the program, the
 * claim, the point (one rational per column; `null`: none is known) and a derivation of the claim. The format has no
 * constant in the objective: where the program has one, the file's numbers are without it, and a comment says so. The
 * file's integers are the program's: what the checker concludes from a continuous column that it takes for an integer
 * (implied-integers.ts) is derived from the column's rows. A certificate in another basis of the lattice is written in
 * the program's own columns. `onLine` is told of every line that is derived: what it throws ends the writing.
 *
 * Throws `CertificateError` when the certificate does not hold, {@link ViprUnsupportedError} for a step of another kind
 * than its rules, and for uses of such columns that it has no derivation for, `InfeasiblePointError` for a point that
 * breaks the program, and `RangeError` for a point beside a proof that there is none.
 */
export function writeVipr(
  program: Program,
  certificate: Certificate,
  point: readonly Rational[] | null,
  onLine?: OnLine,
): string {
  for (const [index, step] of certificate.steps.entries()) {
    for (const [kind, why] of Object.entries(UNSUPPORTED)) {
      if (kind in step) throw new ViprUnsupportedError(`step ${index + 1} is "${kind}", ${why}`);
    }
  }
  const { bound } = checkCertificate(program, certificate);
  if (bound === null && point !== null) throw new RangeError("a point was given beside a proof that there is none");
  const { constant, sense } = program.objective;
  const violations = point === null ? [] : evaluate(program, point).violations;
  if (violations.length > 0) throw new InfeasiblePointError(violations);
  const maximise = sense === "maximize";
  const problem = problemOf(program);
  const claimed = bound?.subtract(constant) ?? null;
  const walked = walkedProgram(program, certificate);
  const target = maximise ? (claimed?.negate() ?? null) : claimed;
  const derivations = new Derivations(problem, walked, maximise, target, onLine);
  const facts = walkedFacts(program, walked, problem, derivations);
  const last = new Writer(walked.program, facts, derivations, bound).run(certificate.steps);
  const value = point === null ? null : evaluate(program, point).objective.subtract(constant);
  const lines = [...problemText(program, problem)];
  if (claimed === null) lines.push("RTP infeas");
  else lines.push(maximise ? `RTP range ${value ?? "-inf"} ${claimed}` : `RTP range ${claimed} ${value ?? "inf"}`);
  lines.push(point === null ? "SOL 0" : "SOL 1");
  if (point !== null) {
    lines.push(`best ${vectorText(new Map([...point.entries()].filter(([, x]) => x.sign() !== 0)))}`);
  }
  for (const line of derivations.text(last)) lines.push(line);
  return `${lines.join("\n")}\n`;
}

function* problemText(program: Program, problem: Problem): Generator<string> {
  const { constant, sense } = program.objective;
  if (constant.sign() !== 0) yield `% the objective's constant ${constant} is left out`;
  yield "VER 1.1";
  yield `VAR ${problem.columnNames.length}`;
  yield* problem.columnNames;
  const integers = program.columns.flatMap(({ integer }, j) => (integer ? [j] : []));
  yield `INT ${integers.length}`;
  if (integers.length > 0) yield integers.join(" ");
  yield `OBJ ${sense === "maximize" ? "max" : "min"}`;
  yield vectorText(coefficientsOf(program.objective.form));
  yield `CON ${problem.lines.length} ${problem.boundCount}`;
  for (const { name, sense, rhs, coefficients } of problem.lines) {
    yield `${name} ${sense} ${rhs} ${vectorText(coefficients)}`;
  }
}

/** Walks a checked certificate as check.ts does, and has every closed node put into derivations. */
class Writer {
  readonly #derivations: Derivations;
  readonly #prover: Prover;
  /** Of the minimisation, with the objective's constant, as the checker has it. */
  readonly #target: Rational | null;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #cuts = new Map<string, number>();
  #node: Node;
  #box: Box;
  #steps: readonly Step[] = [];
  #next = 0;
  /** The line of the root's goal, once it is closed. */
  #result: number | null = null;

  constructor(
    program: Program,
    facts: Pick<Problem, "bounds" | "rows">,
    derivations: Derivations,
    bound: Rational | null,
  ) {
    const { view, box } = viewOf(program);
    const maximise = program.objective.sense === "maximize";
    this.#derivations = derivations;
    this.#target = bound !== null && maximise ? bound.negate() : bound;
    this.#rows = new Map(program.rows.map((row, index) => [row.name, index]));
    this.#columns = new Map(program.columns.map((column, index) => [column.name, index]));
    const constant = maximise ? program.objective.constant.negate() : program.objective.constant;
    this.#prover = new Prover(program, facts, derivations, this.#target?.subtract(constant) ?? null, view);
    this.#node = openNode(null, "root", view, 0);
    this.#box = box;
    program.columns.forEach((column, j) => {
      for (const side of ["lower", "upper"] as const) {
        const { history } = this.#prover;
        history.push(j, side, column[side], { kind: "given" }, this.#node, facts.bounds[side][j] ?? null);
        const rounded = box[side][j] as Rational | null;
        if (rounded !== column[side]) history.push(j, side, rounded, { kind: "rounded" }, this.#node);
      }
    });
    this.#prover.introduce(view, this.#node, null);
  }

  /** Returns the line that states the claim. */
  run(steps: readonly Step[]): number {
    this.#steps = steps;
    if (this.#node.view.crossed) this.#closeByContradiction();
    while (this.#result === null) {
      const step = steps[this.#next++] as Step;
      if ("branch" in step) this.#branch(step.branch, readNumber(step.at, this.#next));
      else if ("fix" in step) this.#fix(this.#resolve(step.fix));
      else if ("narrow" in step) this.#fix(this.#resolve(step.narrow), step);
      else if ("propagate" in step) this.#propagate();
      else if ("cut" in step || "knapsack" in step) this.#cut(step);
      else if ("decompose" in step) this.#decompose(step);
      else if ("enumerate" in step) this.#enumerate();
      else if ("bound" in step) this.#close(this.#prover.closeByBound(this.#node.view, this.#resolve(step.bound)));
      else if ("infeasible" in step) {
        this.#close(this.#prover.closeByInfeasibility(this.#node.view, this.#resolve(step.infeasible)));
      }
    }
    return this.#result;
  }

  #branch(name: string, at: Rational): void {
    const column = this.#columns.get(name) as number;
    const first = this.#prover.assumedSide(column);
    const below = this.#next;
    if (first === "lower") this.#skip();
    const second = first === "lower" ? below : null;
    const branching: Branching = { column, at, first, second, end: null, goal: -1, node: null };
    this.#node.branching = branching;
    const child = openNode(this.#node, "first", this.#node.view, this.#prover.history.mark);
    branching.node = child;
    this.#enter(child, branching, first);
  }

  /** Opens a half of a branching, with its assumption where that says something new. */
  #enter(child: Node, { column, at }: Branching, side: Side): void {
    const { history } = this.#prover;
    this.#node = child;
    const current = history.now(column, side).value;
    const value = side === "upper" ? at : at.add(Rational.one);
    const order = current === null ? 1 : side === "upper" ? current.compare(value) : value.compare(current);
    if (order > 0) history.push(column, side, value, { kind: "branch" }, child, child.assumption);
    const bounds = (of: Side) => child.view.columns.map((j) => history.now(j, of).value);
    this.#box = { lower: bounds("lower"), upper: bounds("upper") };
    // A half can be empty, above all where fixing has settled the column: what the certificate says there is not needed.
    const [lower, upper] = [history.now(column, "lower").value, history.now(column, "upper").value];
    if (lower !== null && upper !== null && lower.compare(upper) > 0) {
      this.#skip();
      this.#close(this.#prover.crossing(column));
    }
  }

  #fix(multipliers: Multipliers, parts?: Parts): void {
    const { view } = this.#node;
    const target = this.#target as Rational;
    const { outside, facts, ...result } =
      parts === undefined
        ? { ...lagrangianBound(view, this.#box, multipliers), outside: view, facts: () => [] }
        : this.#partsOf(parts, multipliers, "bound");
    if (result.infeasible || (result.bound !== null && result.bound.compare(target) >= 0)) {
      this.#skip();
      this.#close(
        parts === undefined
          ? this.#prover.closeByBound(view, multipliers)
          : this.#prover.closeByBlocks(view, multipliers, "bound", facts),
      );
      return;
    }
    this.#recording(
      { kind: "fix", view, multipliers, facts, since: this.#prover.history.tick(), fixed: [] },
      (record) => fixByReducedCost(outside, this.#box, result, target, record),
    );
    if (parts === undefined) this.#reduce();
  }

  /** A node taken apart; `facts`: what its blocks are at least. */
  #partsOf({ links, blocks }: Parts, multipliers: Multipliers, purpose: "bound" | "infeasibility") {
    const { view } = this.#node;
    const linking = links.map((column) => view.columns.indexOf(this.#columns.get(column) as number));
    const rows = blocks.map((block) => block.rows.map((row) => this.#rows.get(row) as number));
    const layout = layoutOf(view, new Set(linking), rows);
    const { rest } = decompose(layout, this.#box, multipliers, purpose);
    const claimed = layout.blocks.map((block, b) => ({ ...block, least: this.#number(blocks[b]?.least as string) }));
    const bound = claimed.reduce<Rational | null>((sum, { least }) => sum?.add(least) ?? null, rest.bound);
    const facts = this.#prover.blockFacts(this.#node, claimed, rest);
    return { ...rest, bound, outside: layout.outside, facts };
  }

  #decompose({ decompose: named, purpose: what, ...parts }: DecomposeStep): void {
    const purpose = what === "bound" ? "bound" : "infeasibility";
    const multipliers = this.#resolve(named);
    const { facts } = this.#partsOf(parts, multipliers, purpose);
    this.#close(this.#prover.closeByBlocks(this.#node.view, multipliers, purpose, facts));
  }

  /** A node whose points are gone through is one block: of its whole objective, from all of its rows. */
  #enumerate(): void {
    const { view } = this.#node;
    const purpose = this.#target === null ? "infeasibility" : "bound";
    const rest = lagrangianBound(view, this.#box, new Map(), purpose);
    const rows = [...view.rows].map(([index, sides]) => ({ index, sides }));
    const least = this.#target?.subtract(view.constant) ?? Rational.one;
    const facts = this.#prover.blockFacts(this.#node, [{ columns: [...view.columns.keys()], rows, least }], rest);
    this.#close(this.#prover.closeByBlocks(view, new Map(), purpose, facts));
  }

  #cut(step: CutStep | KnapsackStep): void {
    const { view } = this.#node;
    const read = (named: NamedMultipliers) => {
      const form = new Map<number, Rational>();
      for (const [column, value] of Object.entries(named)) {
        accumulate(form, this.#columns.get(column) as number, this.#number(value));
      }
      return form;
    };
    const half = ({ side, rows }: CutStep["below"]) => ({ side: this.#number(side), rows: this.#resolve(rows) });
    const halves = ({ below, above }: CutStep) => ({ below: half(below), above: half(above) });
    const name = "cut" in step ? step.cut : step.knapsack;
    const stated = { form: read(step.form), least: this.#number(step.least), view };
    const cut =
      "cut" in step
        ? { ...{ ...stated, split: read(step.split), at: this.#number(step.at) }, ...halves(step) }
        : { ...stated, knapsack: this.#resolve(step.rows) };
    const index = this.#cuts.get(name) ?? this.#rows.size + this.#cuts.size;
    this.#cuts.set(name, index);
    this.#prover.introduceCut(index, cut);
    const terms: [number, Rational][] = [];
    let lower = cut.least;
    for (const [column, coefficient] of cut.form) {
      const local = view.columns.indexOf(column);
      if (local !== -1) terms.push([local, coefficient]);
      else lower = lower.subtract(coefficient.multiply(this.#prover.history.now(column, "lower").value as Rational));
    }
    this.#setView({ ...view, cuts: new Map(view.cuts).set(index, { form: linearForm(terms), lower, upper: null }) });
  }

  #number(text: string): Rational {
    return readNumber(text, this.#next);
  }

  #propagate(): void {
    const { view } = this.#node;
    const some = this.#recording({ kind: "propagate", view }, (record) => propagate(view, this.#box, record));
    if (some) this.#reduce();
    else this.#closeByContradiction();
  }

  /** Puts every change that an action makes to the box into the history; each is announced just before it is made. */
  #recording<T>(cause: Cause, action: (record: (column: number) => void) => T): T {
    const { history } = this.#prover;
    let announced = -1;
    const take = (): void => {
      if (announced === -1) return;
      const column = this.#node.view.columns[announced] as number;
      const [lower, upper] = [this.#box.lower[announced] ?? null, this.#box.upper[announced] ?? null];
      if (cause.kind === "fix" && upper !== null && lower?.equals(upper) === true) cause.fixed.push(column);
      for (const side of ["lower", "upper"] as const) {
        const value = this.#box[side][announced] as Rational | null;
        if (value !== history.now(column, side).value) history.push(column, side, value, cause, this.#node);
      }
    };
    const result = action((column) => {
      take();
      announced = column;
    });
    take();
    return result;
  }

  #reduce(): void {
    const { view, box } = substituteFixed(this.#node.view, this.#box);
    // A view keeps the node that it came from: where nothing more is fixed, that is this one or above it.
    if (view !== this.#node.view) this.#setView(view);
    this.#box = box;
    if (view.crossed) this.#closeByContradiction();
  }

  #setView(view: View): void {
    const from = this.#node.view;
    this.#node.view = view;
    this.#prover.introduce(view, this.#node, from);
  }

  #closeByContradiction(): void {
    this.#skip();
    const goal = this.#prover.contradiction(this.#node.view, true);
    if (goal === null) throw new Error("a checked certificate calls a node empty, and nothing shows why");
    this.#close(goal);
  }

  /** Steps over what the certificate still says of the current node. */
  #skip(): void {
    for (let open = 1; open > 0; ) {
      const step = this.#steps[this.#next++] as Step;
      if ("branch" in step) open++;
      else if (closesNode(step)) open--;
    }
  }

  /**
   * Closes the current node, and all above it whose halves are closed; a half that no proof needed closes both. The second
   * half is walked once for each assumption of the first (for an implied integer there may be several).
   */
  #close(goal: number): void {
    let line = goal;
    for (;;) {
      const node = this.#node;
      line = this.#prover.discharge(node, line);
      this.#prover.history.undo(node.mark);
      const { parent, assumption } = node;
      if (parent === null) {
        this.#result = line;
        return;
      }
      const branching = parent.branching as Branching;
      if (node.half === "first" && branching.second === null) branching.second = this.#next;
      else branching.end ??= this.#next;
      if (node.half === "second" && assumption !== null) {
        line = this.#derivations.unsplit(branching.goal, node.against, line, assumption.line);
      }
      branching.goal = line;
      const open = this.#prover.openCase(branching.node as Node, line);
      if (open !== null) {
        const child = openNode(parent, "second", parent.view, this.#prover.history.mark);
        child.against = open.line;
        child.assumption = open.opposite;
        this.#next = branching.second as number;
        this.#enter(child, branching, branching.first === "upper" ? "lower" : "upper");
        return;
      }
      if (branching.end === null) this.#skip();
      else this.#next = branching.end;
      this.#node = parent;
    }
  }

  #resolve(named: NamedMultipliers): Multipliers {
    const entries = Object.entries(named).map(
      ([name, value]) => [(this.#rows.get(name) ?? this.#cuts.get(name)) as number, this.#number(value)] as const,
    );
    return new Map(entries);
  }
}
