import { Rational } from "../../../src/exact/rational.js";
import type { LinearForm, Program } from "../../../src/program/program.js";
import type { NamedMultipliers, Step } from "../../../src/proof/certificate.js";
import { decompose, layoutOf } from "../../../src/proof/kernel/decompose.js";
import type { Box, View } from "../../../src/proof/kernel/view.js";
import { type Draw, ratio } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";

/** Kinds of steps about programs that leave their node open, and those that close it. */
export const GOING_ON = ["branch", "fix", "propagate", "round", "cut", "knapsack", "exchange", "narrow"] as const;
export const CLOSING = ["bound", "infeasible", "enumerate", "pack", "partition", "decompose"] as const;
export type ProgramStepKind = (typeof GOING_ON)[number] | (typeof CLOSING)[number];

/** A block's integer points that are gone through for its true minimum. */
const MAX_POINTS = 300;

/** A node as its branchings alone make it, and what its linear relaxation says. */
export interface Node {
  readonly view: View;
  readonly box: Box;
  readonly multipliers: NamedMultipliers;
  readonly point: readonly Rational[] | null;
}

/** Looks for a proof of a block's minimum. */
export type ProveBlock = (block: Program, least: Rational) => readonly Step[] | null;

/** Steps of a kind with numbers drawn at random, which nobody would write who wants to prove something true. */
export class DrawnSteps {
  readonly #draw: Draw;
  readonly #program: Program;
  readonly #loads: readonly string[];
  /** `null`: nothing is taken apart. */
  readonly #prove: ProveBlock | null;
  /** The cuts that were drawn, with the row that each is made of. */
  readonly #cuts = new Map<string, string | null>();

  /** `loads`: rows that a partition may name. */
  constructor(draw: Draw, program: Program, loads: readonly string[], prove: ProveBlock | null) {
    [this.#draw, this.#program, this.#loads, this.#prove] = [draw, program, loads, prove];
  }

  /** `null` where the program has nothing for a step of the kind. */
  ofKind(kind: ProgramStepKind, node: Node): Step | null {
    const draw = this.#draw;
    switch (kind) {
      case "branch":
        return draw.oneIn(3) ? this.#anyBranching() : (this.branching(node) ?? this.#anyBranching());
      case "fix":
        return { fix: draw.oneIn(2) ? node.multipliers : this.#drawn(node) };
      case "propagate":
        return { propagate: {} };
      case "exchange":
        return { exchange: {} };
      case "round":
        return this.#rounding();
      case "cut":
        return this.#cut(node);
      case "knapsack":
        return this.#knapsack(node);
      case "bound":
        return { bound: draw.oneIn(4) ? {} : this.#drawn(node) };
      case "infeasible":
        return { infeasible: draw.oneIn(4) ? {} : this.#drawn(node) };
      case "enumerate": {
        if (this.#cuts.size > 0 && !draw.oneIn(3)) return { enumerate: [this.#ofCuts(node)] };
        const sets = [node.multipliers, this.#drawn(node), {}, this.#ofCuts(node)];
        return { enumerate: draw.shuffled(sets).slice(0, draw.int(0, 2)) };
      }
      case "pack":
        return this.#packing(this.#someLoads());
      case "partition":
        return { partition: this.#someLoads() };
      default:
        return this.#decomposition(kind, node);
    }
  }

  /** On a column that the relaxation has between two integers, or any that is open. */
  branching({ view, box, point }: Node): Step | null {
    const open = view.integer.flatMap((integer, j) => {
      const [lower, upper] = [box.lower[j] ?? null, box.upper[j] ?? null];
      return integer && (lower === null || upper === null || lower.compare(upper) < 0) ? [j] : [];
    });
    if (open.length === 0) return null;
    const between = open.filter((j) => point?.[j]?.isInteger() === false);
    const j = this.#draw.of(between.length > 0 ? between : open);
    const upper = box.upper[j] ?? null;
    let at = point?.[j]?.floor() ?? box.lower[j]?.floor() ?? 0n;
    if (upper !== null && at >= upper.numerator) at = upper.numerator - 1n;
    return { branch: this.#nameOf(j), at: at.toString() };
  }

  #anyBranching(): Step | null {
    const { columns } = this.#program;
    if (columns.length === 0) return null;
    return {
      branch: this.#draw.of(columns).name,
      at: ratio(this.#draw.int(-3, 9), this.#draw.oneIn(9) ? 2 : 1).toString(),
    };
  }

  /** Mostly rows that cuts were made of, which then say what the rows no longer do. */
  #rounding(): Step {
    const draw = this.#draw;
    const ofCuts = new Set(this.#cuts.values());
    const factors = this.#program.rows.flatMap(({ name }): [string, string][] => {
      if (ofCuts.has(name) ? draw.oneIn(6) : draw.oneIn(2)) return [];
      if (!draw.oneIn(3)) return [[name, "1"]];
      return [[name, ratio(draw.oneIn(12) ? -1 : draw.int(1, 9), draw.of([1, 2, 3, 7])).toString()]];
    });
    return { round: Object.fromEntries(factors) };
  }

  /** A multiplier or a few, mostly of the signs that the rows' sides allow; or the relaxation's, a little off. */
  #drawn(node: Node): NamedMultipliers {
    const draw = this.#draw;
    const known = Object.entries(node.multipliers);
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
    return { ...Object.fromEntries(entries), ...this.#ofCuts(node) };
  }

  /** The latest cut and some others, priced near what the relaxation pays for their rows, or as it comes. */
  #ofCuts({ multipliers }: Node): NamedMultipliers {
    const draw = this.#draw;
    const names = [...this.#cuts.keys()];
    const priced = names.filter((name) => name === names.at(-1) || draw.oneIn(2));
    return Object.fromEntries(
      priced.map((name) => {
        const paid = Rational.parse(multipliers[this.#cuts.get(name) ?? ""] ?? "0").absolute();
        const price = draw.oneIn(3) ? paid.multiply(ratio(draw.int(6, 16), 10)) : ratio(draw.int(0, 9), 2);
        return [name, price.toString()];
      }),
    );
  }

  /** A cut that says what one side of a row does, or what all rows do that are kept anyway; or one near the relaxation, by a split. */
  #cut(node: Node): Step | null {
    const draw = this.#draw;
    const { rows, columns } = this.#program;
    const integers = columns.filter(({ integer }) => integer);
    if (integers.length === 0) return null;
    if (rows.length === 0 || draw.oneIn(3)) {
      const { form, at } = this.#nearForm(node, true);
      const least = Rational.of(at.ceil() + BigInt(draw.int(0, 1)));
      const below = { side: ratio(draw.int(0, 4), 2).toString(), rows: this.#drawn(node) };
      const stated = {
        cut: this.#newCut(null),
        form,
        least: least.toString(),
        split: form,
        at: least.subtract(Rational.one).toString(),
      };
      return { ...stated, below, above: { side: "1", rows: {} } };
    }
    const row = draw.of(rows);
    const isLower = row.upper === null || (row.lower !== null && !draw.oneIn(4));
    const side = (isLower ? row.lower : row.upper) ?? Rational.zero;
    const sign = isLower ? "1" : "-1";
    const isEquation = row.lower !== null && row.upper?.equals(row.lower) === true;
    const half = { side: "0", rows: isEquation && !draw.oneIn(3) ? {} : { [row.name]: sign } };
    const cut = this.#newCut(row.name);
    return {
      ...{ cut, form: this.#named(row.form, isLower), least: (isLower ? side : side.negate()).toString() },
      ...{ split: { [draw.of(integers).name]: "1" }, at: draw.int(-1, 2).toString(), below: half, above: half },
    };
  }

  /** A cut near where the relaxation is. */
  #knapsack(node: Node): Step {
    const { form, at } = this.#nearForm(node, false);
    const least = Rational.of(at.ceil() + BigInt(this.#draw.int(-1, 1)));
    return { knapsack: this.#newCut(null), form, least: least.toString(), rows: this.#drawn(node) };
  }

  #newCut(row: string | null): string {
    const name = `cut${this.#cuts.size + 1}`;
    this.#cuts.set(name, row);
    return name;
  }

  /** A form, and what it is where the relaxation is. */
  #nearForm({ point }: Node, isWhole: boolean): { form: NamedMultipliers; at: Rational } {
    const draw = this.#draw;
    const form: [string, string][] = [];
    let at = Rational.zero;
    this.#program.columns.forEach(({ name, integer }, j) => {
      if (draw.oneIn(2) || (isWhole && !integer)) return;
      const coefficient = ratio(draw.int(-3, 3), !isWhole && draw.oneIn(9) ? 2 : 1);
      form.push([name, coefficient.toString()]);
      at = at.add(coefficient.multiply(point?.[j] ?? Rational.zero));
    });
    return { form: Object.fromEntries(form), at };
  }

  /** Rows in blocks with proofs of their minima; of minima that are too high a proof is sought as well. */
  #decomposition(kind: "narrow" | "decompose", node: Node): Step | null {
    const draw = this.#draw;
    const program = this.#program;
    const prove = this.#prove;
    if (prove === null || program.rows.length === 0) return null;
    const links = program.columns.flatMap((_, j) => (draw.oneIn(4) ? [j] : []));
    const inBlocks = draw.shuffled([...program.rows.keys()]).slice(0, draw.int(1, Math.min(3, program.rows.length)));
    const blocks = draw.oneIn(3) ? [inBlocks] : inBlocks.map((row) => [row]);
    const named = draw.oneIn(2) ? node.multipliers : this.#drawn(node);
    const rowOf = new Map(program.rows.map(({ name }, r) => [name, r]));
    const multipliers = new Map(
      Object.entries(named).flatMap(([name, value]): [number, Rational][] => {
        const row = rowOf.get(name);
        return row === undefined ? [] : [[row, Rational.parse(value)]];
      }),
    );
    const purpose = kind === "decompose" && draw.oneIn(4) ? ("infeasible" as const) : ("bound" as const);
    let programs: readonly Program[];
    try {
      const minimum = purpose === "bound" ? "bound" : "infeasibility";
      const apart = decompose(layoutOf(node.view, new Set(links), blocks), node.box, multipliers, minimum);
      programs = apart.blocks.map((block, b) => block.program(`block ${b}`, program));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
    if (programs.length === 0) return null;
    const proofs: (readonly Step[])[] = [];
    const claims = programs.map((block, b) => {
      const least = (leastOf(block) ?? ratio(draw.int(0, 9))).add(ratio(draw.oneIn(3) ? 1 : 0));
      const accepted = prove(block, least);
      const shared = draw.oneIn(5) && proofs.length > 0;
      if (!shared) proofs.push(accepted ?? [{ bound: {} }]);
      return {
        rows: (blocks[b] as readonly number[]).map((r) => program.rows[r]?.name as string),
        least: least.toString(),
        proof: proofs.length - 1,
      };
    });
    const parts = { links: links.map((j) => program.columns[j]?.name as string), blocks: claims, proofs };
    return kind === "narrow" ? { narrow: named, ...parts } : { decompose: named, purpose, ...parts };
  }

  #someLoads(): string[] {
    const draw = this.#draw;
    const all = this.#loads.length > 0 && !draw.oneIn(4) ? this.#loads : this.#program.rows.map(({ name }) => name);
    const named = draw.shuffled(all);
    return draw.oneIn(3) ? named.slice(0, draw.int(0, named.length)) : named;
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

  #named({ columns, coefficients, denominator }: LinearForm, isKept: boolean): NamedMultipliers {
    const signed = (k: number) => Rational.of((coefficients[k] as bigint) * (isKept ? 1n : -1n), denominator);
    return Object.fromEntries(columns.map((j, k) => [this.#nameOf(j), signed(k).toString()]));
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
