import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import type { NamedMultipliers, Step } from "../../../src/proof/certificate.js";
import type { Multipliers } from "../../../src/proof/kernel/bound.js";
import { decompose, layoutOf, namesOf } from "../../../src/proof/kernel/decompose.js";
import { type Box, type View, viewOf } from "../../../src/proof/kernel/view.js";
import { solveExactLinear } from "../../../src/search/exact-simplex/solve.js";
import { type Draw, ratio } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";
import { extendProof, type Limits, type Proposer } from "./extend-proof.js";

/** Of the proof of one block of a decomposition. */
const OF_A_BLOCK: Limits = { steps: 12, refusals: 6 };

/** A block's integer points that are gone through for its true minimum. */
const MAX_POINTS = 300;

/**
 * Proposes steps of proofs about a program: first what the linear relaxation of the node's branchings suggests, which proves
 * most claims that are true; then steps of every kind with numbers drawn at random, which nobody would write who wants
 * to prove something true.
 */
export class ProgramProposer implements Proposer {
  readonly #draw: Draw;
  readonly #program: Program;
  readonly #loads: readonly string[];
  readonly #depth: number;
  readonly #view: View;
  /** The boxes of open nodes, by branchings alone; the current one is the last. */
  readonly #open: Box[];
  #relaxation: Step | null = null;
  #multipliers: NamedMultipliers = {};
  #point: readonly Rational[] | null = null;
  /** Names of the cuts that were proposed. */
  readonly #cuts: string[] = [];

  /** `loads`: rows that a partition may name. `depth`: decompositions around this program. */
  constructor(draw: Draw, program: Program, loads: readonly string[] = [], depth = 0) {
    this.#draw = draw;
    this.#program = program;
    this.#loads = loads;
    this.#depth = depth;
    const { view, box } = viewOf(program);
    this.#view = view;
    this.#open = [box];
    this.#relax();
  }

  propose(refusals: number): Step {
    if (refusals === 0 && this.#relaxation !== null && !this.#draw.oneIn(4)) return this.#relaxation;
    if (refusals < 3 && this.#draw.oneIn(2)) {
      const step = this.#branching();
      if (step !== null) return step;
    }
    return this.#any();
  }

  take(step: Step): void {
    const box = this.#open.at(-1) as Box;
    if ("branch" in step) {
      const column = this.#program.columns.findIndex(({ name }) => name === step.branch);
      const at = Rational.parse(step.at);
      this.#open.pop();
      const [lower, upper] = [box.lower[column] ?? null, box.upper[column] ?? null];
      const above = at.add(Rational.one);
      this.#open.push(
        { lower: box.lower.with(column, lower !== null && lower.compare(above) > 0 ? lower : above), upper: box.upper },
        { lower: box.lower, upper: box.upper.with(column, upper !== null && upper.compare(at) < 0 ? upper : at) },
      );
    } else if (["bound", "infeasible", "enumerate", "partition", "pack", "decompose"].some((kind) => kind in step)) {
      this.#open.pop();
    } else return;
    this.#relax();
  }

  /** Solves the relaxation of the current node, exactly. */
  #relax(): void {
    const box = this.#open.at(-1);
    this.#relaxation = null;
    this.#multipliers = {};
    this.#point = null;
    if (box === undefined) return;
    const answer = solveExactLinear(this.#view, { lower: box.lower.slice(), upper: box.upper.slice() });
    if (answer === null || answer.kind === "unbounded") return;
    this.#multipliers = this.#named(answer.multipliers);
    if (answer.kind === "infeasible") this.#relaxation = { infeasible: this.#multipliers };
    else {
      this.#relaxation = { bound: this.#multipliers };
      this.#point = answer.point;
    }
  }

  /** On a column that the relaxation has between two integers, or any that is open. */
  #branching(): Step | null {
    const box = this.#open.at(-1) as Box;
    const open = this.#view.integer.flatMap((integer, j) => {
      const [lower, upper] = [box.lower[j] ?? null, box.upper[j] ?? null];
      return integer && (lower === null || upper === null || lower.compare(upper) < 0) ? [j] : [];
    });
    if (open.length === 0) return null;
    const between = open.filter((j) => this.#point?.[j]?.isInteger() === false);
    const j = this.#draw.of(between.length > 0 ? between : open);
    const upper = box.upper[j] ?? null;
    let at = this.#point?.[j]?.floor() ?? box.lower[j]?.floor() ?? 0n;
    if (upper !== null && at >= upper.numerator) at = upper.numerator - 1n;
    return { branch: this.#nameOf(j), at: at.toString() };
  }

  #any(): Step {
    const draw = this.#draw;
    const { rows, columns } = this.#program;
    switch (draw.int(0, 15)) {
      case 0:
        return { fix: draw.oneIn(2) ? this.#multipliers : this.#drawn() };
      case 1:
        return { propagate: {} };
      case 2:
        return { exchange: {} };
      case 3: {
        const factors = rows.flatMap(({ name }): [string, string][] =>
          draw.oneIn(2) ? [[name, ratio(draw.oneIn(12) ? -1 : draw.int(1, 9), draw.of([1, 2, 3, 7])).toString()]] : [],
        );
        return { round: Object.fromEntries(factors) };
      }
      case 4:
        return { bound: this.#drawn() };
      case 5:
        return { infeasible: this.#drawn() };
      case 6:
        return draw.oneIn(2) ? { bound: {} } : { infeasible: {} };
      case 7:
      case 8: {
        const sets = [this.#multipliers, this.#drawn(), {}];
        return { enumerate: draw.shuffled(sets).slice(0, draw.int(0, 2)) };
      }
      case 9:
      case 10: {
        const all = this.#loads.length > 0 && !draw.oneIn(4) ? this.#loads : rows.map(({ name }) => name);
        const named = draw.shuffled(all);
        const some = draw.oneIn(3) ? named.slice(0, draw.int(0, named.length)) : named;
        return draw.oneIn(2) ? { partition: some } : this.#packing(some);
      }
      case 11:
        return this.#decomposition() ?? { propagate: {} };
      case 12:
        return this.#branching() ?? { propagate: {} };
      case 13:
      case 14:
        return this.#knapsack();
      default:
        if (columns.length === 0) return { propagate: {} };
        return { branch: draw.of(columns).name, at: ratio(draw.int(-3, 9), draw.oneIn(9) ? 2 : 1).toString() };
    }
  }

  /** A multiplier or a few, mostly of the signs that the rows' sides allow; or the relaxation's, a little off. */
  #drawn(): NamedMultipliers {
    const draw = this.#draw;
    const known = Object.entries(this.#multipliers);
    if (known.length > 0 && draw.oneIn(3)) {
      const off = ratio(draw.int(0, 14), draw.of([7, 7, 10]));
      return Object.fromEntries(
        known.map(([name, value]) => [name, (draw.oneIn(2) ? Rational.parse(value).multiply(off) : value).toString()]),
      );
    }
    const entries = this.#program.rows.flatMap(({ name, lower, upper }): [string, string][] => {
      if (draw.oneIn(2)) return [];
      const size = ratio(draw.int(0, 12), draw.of([1, 1, 2, 7]));
      const downwards = lower === null || (upper !== null && draw.oneIn(2));
      return [[name, (downwards !== draw.oneIn(20) ? size.negate() : size).toString()]];
    });
    for (const name of this.#cuts) if (draw.oneIn(2)) entries.push([name, ratio(draw.int(0, 12), 2).toString()]);
    return Object.fromEntries(entries);
  }

  /** A cut near where the relaxation is. */
  #knapsack(): Step {
    const draw = this.#draw;
    const knapsack = `knapsack${this.#cuts.length + 1}`;
    const form: [string, string][] = [];
    let at = Rational.zero;
    this.#program.columns.forEach(({ name }, j) => {
      if (draw.oneIn(2)) return;
      const coefficient = ratio(draw.int(-3, 3), draw.oneIn(9) ? 2 : 1);
      form.push([name, coefficient.toString()]);
      at = at.add(coefficient.multiply(this.#point?.[j] ?? Rational.zero));
    });
    const least = Rational.of(at.ceil() + BigInt(draw.int(-1, 1)));
    const step = { knapsack, form: Object.fromEntries(form), least: least.toString(), rows: this.#drawn() };
    this.#cuts.push(knapsack);
    return step;
  }

  /** Rows in blocks with proofs of their minima; of minima that are too high a proof is sought as well. */
  #decomposition(): Step | null {
    const draw = this.#draw;
    const program = this.#program;
    const box = this.#open.at(-1) as Box;
    if (this.#depth > 1 || program.rows.length === 0) return null;
    const links = program.columns.flatMap((_, j) => (draw.oneIn(4) ? [j] : []));
    const inBlocks = draw.shuffled([...program.rows.keys()]).slice(0, draw.int(1, Math.min(3, program.rows.length)));
    const blocks = draw.oneIn(3) ? [inBlocks] : inBlocks.map((row) => [row]);
    const named = draw.oneIn(2) ? this.#multipliers : this.#drawn();
    const rowOf = new Map(program.rows.map(({ name }, r) => [name, r]));
    const multipliers = new Map(
      Object.entries(named).map(([name, value]) => [rowOf.get(name) as number, Rational.parse(value)]),
    );
    const purpose = draw.oneIn(4) ? ("infeasible" as const) : ("bound" as const);
    const names = namesOf(program);
    let programs: readonly Program[];
    try {
      const kind = purpose === "bound" ? "bound" : "infeasibility";
      const apart = decompose(layoutOf(this.#view, new Set(links), blocks), box, multipliers, kind);
      programs = apart.blocks.map((block, b) => block.program(`block ${b}`, names));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
    if (programs.length === 0) return null;
    const proofs: (readonly Step[])[] = [];
    const claims = programs.map((block, b) => {
      const least = (leastOf(block) ?? ratio(draw.int(0, 9))).add(ratio(draw.oneIn(3) ? 1 : 0));
      const claim = { kind: "bound", bound: least.toString() } as const;
      const { accepted } = extendProof(block, claim, new ProgramProposer(draw, block, [], this.#depth + 1), OF_A_BLOCK);
      const shared = draw.oneIn(5) && proofs.length > 0;
      if (!shared) proofs.push(accepted ?? [{ bound: {} }]);
      return {
        rows: (blocks[b] as readonly number[]).map(names.row),
        least: least.toString(),
        proof: proofs.length - 1,
      };
    });
    const parts = { links: links.map(names.column), blocks: claims, proofs };
    return draw.oneIn(3) ? { narrow: named, ...parts } : { decompose: named, purpose, ...parts };
  }

  /** Devices of the rows named, mostly one each; the others are items. */
  #packing(loads: readonly string[]): Step {
    const draw = this.#draw;
    const rest = this.#program.rows.map(({ name }) => name).filter((name) => !loads.includes(name));
    const devices: string[][] = [];
    for (const name of loads) {
      if (devices.length > 0 && draw.oneIn(5)) draw.of(devices).push(name);
      else devices.push([name]);
    }
    return { pack: { items: rest.filter(() => !draw.oneIn(6)), devices } };
  }

  #named(multipliers: Multipliers): NamedMultipliers {
    return Object.fromEntries(
      [...multipliers].map(([r, value]) => [this.#program.rows[r]?.name as string, value.toString()]),
    );
  }

  #nameOf(j: number): string {
    return this.#program.columns[j]?.name as string;
  }
}

/** The minimum of a small program with bounded integers, `null` where there is none or it takes too long. */
function leastOf(program: Program): Rational | null {
  const box = program.columns.flatMap(({ lower, upper, integer }) =>
    integer ? [[lower?.ceil() ?? 0n, upper?.floor() ?? 1n << 40n] as const] : [],
  );
  const points = box.reduce((product, [from, to]) => product * Number(to - from + 1n), 1);
  if (points > MAX_POINTS) return null;
  try {
    const truth = tryEveryInteger(program, box);
    return truth.status === "optimal" ? truth.value : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
