import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import type { CountedProgram } from "../../../../../models/table-placement/counted-program.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { BlockClaim, Step } from "../../../../proof/certificate.js";
import type { Multipliers } from "../../../../proof/kernel/bound.js";
import { propagate } from "../../../../proof/kernel/propagate.js";
import { type Box, type View, viewOf } from "../../../../proof/kernel/view.js";
import type { ShouldStop } from "../../../../search/work.js";
import { WholePoints } from "../../../../solvers/whole-points.js";
import { namedMultipliers } from "../bounds/choice-prices.js";
import { copyOf } from "../bounds/reduction-steps.js";
import { fewRowsUnits, type Room } from "../core/pattern-lp.js";
import { bestFilling, type Filling } from "./best-filling.js";
import { type CountedDuals, CountedLp, type CountedModel, type CountedPoint, countedModel } from "./counted-lp.js";

/** A bound has to be this much above the limit, and a relaxation below it, as a part of the limit. */
const MARGIN = 1e-9;

/** Patterns cost so much less than the limit, as a part of it. */
const BELOW = 1e-12;

const MOST_LOOKS = 300_000;
const MOST_ROUNDS = 300;

/** Units of work for an entry in a propagation, and for a partial filling. */
const PROPAGATION = 3e-4;
const UNITS_PER_LOOK = 1e-4;

type Decided = Pick<Counts, "chosen" | "filling">;

/** What is known below a limit of nodes of a tree, which are boxes of the counted program, by column generation. */
export class CountedRelaxation {
  readonly program: CountedProgram;
  readonly model: CountedModel;
  readonly lp: CountedLp;
  readonly points: WholePoints;
  /** What nothing is to cost less than. */
  readonly claim: Rational;
  readonly #limit: number;
  readonly #whole: ReturnType<typeof viewOf>;
  readonly #unitsPerNode: number;
  #shouldStop: ShouldStop = () => false;
  isStopped = false;

  static async open(program: CountedProgram, claim: Rational): Promise<CountedRelaxation> {
    // In doubles, searched: the limit of the master; proofs take the program's own.
    const model = countedModel(program, claim.toNumber());
    return new CountedRelaxation(program, model, await CountedLp.open(program, model), await WholePoints.open(), claim);
  }

  private constructor(
    program: CountedProgram,
    model: CountedModel,
    lp: CountedLp,
    points: WholePoints,
    claim: Rational,
  ) {
    [this.program, this.model, this.lp, this.points, this.claim] = [program, model, lp, points, claim];
    // In doubles, searched: the limit of the master; proofs take the program's own.
    this.#limit = claim.toNumber();
    this.#whole = viewOf(program.program);
    this.#unitsPerNode = PROPAGATION * entriesOf(program.program);
  }

  get view(): View {
    return this.#whole.view;
  }

  /** The program's own box. */
  root(): Box {
    return copyOf(this.#whole.box);
  }

  /** From now on it is asked whether to stop. */
  begin(shouldStop: ShouldStop): void {
    this.#shouldStop = shouldStop;
    this.isStopped = false;
  }

  dispose(): void {
    this.lp.dispose();
  }

  /** Whether propagation leaves anything of a box. */
  keeps(box: Box): boolean {
    this.spend(this.#unitsPerNode);
    return propagate(this.view, box, () => {});
  }

  /** A point below the limit, or the step that closes the node; `null` where it is stopped or gives up. */
  relax(box: Box): CountedPoint | { readonly closing: Step } | null {
    const room = this.roomIn(box);
    this.lp.goTo(box, room);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const value = this.#solve();
      if (value === null || this.isStopped) return null;
      if (value < 1 - MARGIN) return this.lp.point();
      const duals = this.lp.duals();
      const fillings: Filling[] = [];
      let bound = value;
      for (const [v, left] of room.entries()) {
        const filling = this.#filled(box, v, left, duals);
        if (filling === null) return null;
        fillings.push(filling);
        bound -= this.model.gpusPerNode * Math.max(0, filling.worth - (duals.devices[v] as number));
      }
      if (bound > 1 + MARGIN) {
        const slack = (0.5 * (bound - 1)) / this.model.devices;
        return { closing: closingStep(this.program, this.#limit, { box, duals, fillings, slack }) };
      }
      if (!this.#addAll(fillings)) break;
    }
    return this.lp.point();
  }

  /** The relaxation of a box over the patterns that are known, infinite where propagation leaves nothing. */
  valueOf(box: Box): number {
    if (!this.keeps(box)) return Number.POSITIVE_INFINITY;
    this.lp.goTo(box, this.roomIn(box));
    return this.#solve() ?? 0;
  }

  /** What a pattern may need, by node: strictly less cost than the limit leaves beside the least base. */
  roomIn(box: Box): Room[] {
    const { structure } = this.program;
    // In doubles, searched: room of the master; proofs take the program's own.
    const least = (column: number) => box.lower[column]?.toNumber() ?? 0;
    const counts = {
      chosen: structure.chosen.map((own) => own.map(least)),
      filling: structure.filling.map(({ columns }) => columns.map(least)),
    };
    const costs = structure.bases.map(({ column }) => 1 - BELOW - least(column) * this.model.step);
    return this.#roomBeside(counts, costs);
  }

  /** The same beside the bases that are decided. */
  roomBeside(counts: Decided): Room[] {
    return this.#roomBeside(
      counts,
      this.#leftBeside(counts, "cost").map((left) => left - BELOW),
    );
  }

  #roomBeside(counts: Decided, costs: readonly number[]): Room[] {
    const bytes = this.model.hasMemory ? this.#leftBeside(counts, "hbm") : null;
    return costs.map((cost, v) => ({ cost, hbm: bytes === null ? Number.POSITIVE_INFINITY : (bytes[v] as number) }));
  }

  /** By node, what so many tables and groups leave of each device. */
  #leftBeside({ chosen, filling }: Decided, kind: keyof Room): number[] {
    const { options, filling: needs } = this.model;
    let everywhere = 0;
    chosen.forEach((own, c) => {
      own.forEach((tables, o) => {
        everywhere += tables * (options[c]?.[o]?.base[kind] ?? 0);
      });
    });
    return this.program.structure.bases.map((_, v) =>
      filling.reduce((left, groups, s) => left - (groups[v] as number) * (needs[s] as Room)[kind], 1 - everywhere),
    );
  }

  #addAll(fillings: readonly Filling[]): boolean {
    const before = this.lp.patterns.length;
    for (const { counts } of fillings) this.lp.add(counts);
    return this.lp.patterns.length > before;
  }

  #solve(): number | null {
    const value = this.lp.solve();
    this.spend(fewRowsUnits(this.lp.iterations));
    return value;
  }

  #filled(box: Box, v: number, room: Room, duals: CountedDuals): Filling | null {
    const { free, gpusPerNode } = this.model;
    const { structure } = this.program;
    const charged = (duals.loads[v] as number) / gpusPerNode;
    const ofMemory = duals.bytes[v] as number;
    const offers = free.map(({ cost, hbm }, s) => ({
      worth: (duals.free[s] as number) - charged * cost - ofMemory * hbm,
      ...{ cost, hbm },
      // In doubles, searched: a bound of counts of the master; proofs take the program's own.
      most: box.upper[structure.free[s]?.columns[v * gpusPerNode] as number]?.toNumber() ?? 0,
    }));
    const filling = bestFilling(offers, room, MOST_LOOKS);
    this.spend((filling?.looks ?? MOST_LOOKS) * UNITS_PER_LOOK);
    return this.isStopped ? null : filling;
  }

  /** Counts work; whether it may go on. */
  spend(units: number): boolean {
    if (this.#shouldStop(units)) this.isStopped = true;
    return !this.isStopped;
  }
}

/** A node whose relaxation is above the limit, in shares of it. */
export interface ClosedNode {
  readonly box: Box;
  readonly duals: CountedDuals;
  /** By node of devices, what a device holds at best. */
  readonly fillings: readonly Filling[];
  /** What each device may hold beyond that. */
  readonly slack: number;
}

/** Multipliers under which an option costs what its shards come to, by device. */
export function meanMultipliers({ structure }: CountedProgram): Multipliers {
  const { unit, bases, free, filling, loadRows } = structure;
  const each = unit.divide(Rational.of(BigInt(loadRows.length)));
  const gpusPerNode = BigInt(loadRows.length / bases.length);
  return new Map([
    ...loadRows.map((row) => [row, each.negate()] as const),
    ...free.map(({ row, need }) => [row, each.multiply(Rational.of(need.units))] as const),
    ...filling.map(({ row, need }) => [row, each.multiply(Rational.of(need.units * gpusPerNode))] as const),
  ]);
}

/** The step that closes a node: each device is a block. */
function closingStep({ program, structure }: CountedProgram, limit: number, closed: ClosedNode): Step {
  const { duals, fillings, slack } = closed;
  const { unit, bases, free, filling, chosen, loadRows, spareRows, optionRows, hbmRows, hbmBytes } = structure;
  const gpusPerNode = loadRows.length / bases.length;
  const row = (r: number) => program.rows[r]?.name as string;
  const named: [string, string][] = [];
  const price = (r: number, value: Rational) => {
    if (value.sign() !== 0) named.push([row(r), value.toString()]);
  };
  const perLimit = (value: number) => Rational.fromNumber(value * limit);
  optionRows.forEach((r, c) => {
    price(r, perLimit(duals.classes[c] as number));
  });
  free.forEach(({ row: r }, s) => {
    price(r, perLimit(duals.free[s] as number));
  });
  filling.forEach(({ row: r }, s) => {
    price(r, perLimit(duals.filling[s] as number));
  });
  const blocks: BlockClaim[] = [];
  const proofs: Step[][] = [];
  const known = new Map<string, number>();
  bases.forEach(({ row: base, column }, v) => {
    const load = Rational.fromNumber(duals.loads[v] as number);
    price(base, load.add(Rational.fromNumber(duals.bases[v] as number)).multiply(unit));
    const perDevice = load.divide(Rational.of(BigInt(gpusPerNode))).multiply(unit);
    const { worth, density } = fillings[v] as Filling;
    const least = perLimit(-(worth + slack)).toString();
    const ofMemory = perLimit((duals.bytes[v] as number) / hbmBytes);
    const settled = filling.map(({ columns }) => columns[v] as number);
    for (let d = v * gpusPerNode; d < (v + 1) * gpusPerNode; d++) {
      price(loadRows[d] as number, perDevice.negate());
      const hbm = hbmRows[d];
      if (hbm !== undefined) price(hbm, ofMemory.negate());
      const own = [...free.map(({ columns }) => columns[d] as number), ...(hbm === undefined ? [] : settled)];
      const key = `${least} ${perDevice} ${ofMemory} ${rangesOf(closed.box, [column, ...own])}`;
      const proof = known.get(key) ?? proofs.length;
      const rows = [spareRows[d] as number, ...(hbm === undefined ? [] : [hbm])];
      if (proof === proofs.length) {
        known.set(key, proof);
        const weights = [Rational.fromNumber(-density.cost).multiply(unit), perLimit(-density.hbm / hbmBytes)];
        proofs.push([{ enumerate: rows.map((r, k) => namedMultipliers({ program }, weighted(r, weights[k]))) }]);
      }
      blocks.push({ rows: rows.map(row), least, proof });
    }
  });
  const ofBytes = hbmRows.length === 0 ? [] : [...chosen.flat(), ...filling.flatMap(({ columns }) => columns)];
  const links = [structure.largest, ...bases.map(({ column }) => column), ...ofBytes];
  return {
    decompose: Object.fromEntries(named),
    purpose: "bound",
    links: links.map((column) => program.columns[column]?.name as string),
    blocks,
    proofs,
  };
}

function weighted(row: number, weight: Rational | undefined): Multipliers {
  return new Map(weight === undefined || weight.sign() === 0 ? [] : [[row, weight]]);
}

/** Ranges of columns as text: the same where devices are alike. */
function rangesOf({ lower, upper }: Box, columns: readonly number[]): string {
  return columns.map((column) => `${lower[column]} ${upper[column]}`).join();
}
