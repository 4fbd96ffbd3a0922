import { costNear } from "../../../../../models/table-placement/cost-unit.js";
import { type CountedNeed, kindOf } from "../../../../../models/table-placement/counted-options.js";
import { kindsAt } from "../../../../../models/table-placement/counted-placement.js";
import type { CountedProgram } from "../../../../../models/table-placement/counted-program.js";
import type { Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { type GrowingLp, openGrowingLp } from "../../../../solvers/growing-lp.js";
import { type Entries, type GroupPattern, PatternLp, type Room, RowBlocks } from "../core/pattern-lp.js";

/** The counted program in doubles: costs are shares of a limit. */
export interface CountedModel {
  readonly devices: number;
  readonly gpusPerNode: number;
  /** By kind of free shards, and of shards that fill a node, what one needs. */
  readonly free: readonly Room[];
  readonly filling: readonly Room[];
  /** Whether memory counts. */
  readonly hasMemory: boolean;
  /** By class and option. */
  readonly options: readonly (readonly CountedNeeds[])[];
  /** By class, how many tables. */
  readonly tables: readonly number[];
  /** A step of a base. */
  readonly step: number;
}

interface CountedNeeds {
  readonly base: Room;
  /** By kind, how many shards or groups. */
  readonly free: readonly (readonly [kind: number, count: number])[];
  readonly filling: readonly (readonly [kind: number, count: number])[];
}

export function countedModel({ structure }: CountedProgram, limit: number): CountedModel {
  const { unit, classes, free, filling, bases, loadRows, step, hbmRows, hbmBytes } = structure;
  const hasMemory = hbmRows.length > 0;
  const shareOf = ({ units, bytes }: CountedNeed): Room => ({
    cost: costNear(units, unit) / limit,
    hbm: hasMemory ? bytes / hbmBytes : 0,
  });
  const [freeAt, fillingAt] = [kindsAt(free), kindsAt(filling)];
  const counted = (own: readonly CountedNeed[], at: ReadonlyMap<string, number>) => {
    const times = new Map<number, number>();
    for (const need of own) {
      const kind = at.get(kindOf(need)) as number;
      times.set(kind, (times.get(kind) ?? 0) + 1);
    }
    return [...times];
  };
  return {
    devices: loadRows.length,
    gpusPerNode: loadRows.length / bases.length,
    free: free.map(({ need }) => shareOf(need)),
    filling: filling.map(({ need }) => shareOf(need)),
    hasMemory,
    options: classes.map(({ options }) =>
      options.map((needs) => ({
        base: shareOf(needs.base),
        free: counted(needs.free, freeAt),
        filling: counted(needs.filling, fillingAt),
      })),
    ),
    tables: classes.map(({ tables }) => tables.length),
    step: costNear(step, unit) / limit,
  };
}

/** Multipliers of a node's relaxation. */
export interface CountedDuals {
  readonly classes: readonly number[];
  /** By kind of free shards, not negative. */
  readonly free: readonly number[];
  readonly filling: readonly number[];
  /** By node, not negative, with the sum 1. */
  readonly loads: readonly number[];
  readonly bases: readonly number[];
  /** By node, not negative: what a device's memory is worth on each of its devices. */
  readonly bytes: readonly number[];
  /** By node: what a device is worth. */
  readonly devices: readonly number[];
}

export interface CountedPoint {
  /** The least Z, as a share of the limit. */
  readonly value: number;
  readonly chosen: readonly (readonly number[])[];
  /** By kind and node. */
  readonly filling: readonly (readonly number[])[];
  /** By node. */
  readonly bases: readonly number[];
  /** By node, how much of patterns is beside a base that leaves them no room, in shares of a device. */
  readonly broken: readonly number[];
}

/** What leaving out a table, a shard or a group costs, and what a base outside its range. */
const ARTIFICIAL = 20;
const OUTSIDE = 1000;

/** Sums of doubles may be so far apart. */
const HAIR = 1e-13;

/**
 * The relaxation of a node (README.md, "Counted program"), over the patterns known so far:
 *
 *   min Z   Σ_o y = tables,   Σ_q n·x_q ≥ Σ shards·y,   Σ_ν h = Σ groups·y,   Σ_{q of ν} x_q ≤ G,
 *           Σ_{q of ν} cost(q)·x_q + G·B_ν ≤ G·Z,   B_ν = base of y and h, all within the node's box,
 *           Σ_{q of ν} bytes(q)·x_q + G·(bytes of y and h) ≤ G·memory
 */
export class CountedLp extends PatternLp<GroupPattern> {
  readonly #model: CountedModel;
  readonly #program: CountedProgram;
  readonly #rows: Rows;
  readonly #chosen: readonly (readonly number[])[];
  readonly #filling: readonly (readonly number[])[];
  readonly #bases: readonly number[];
  /** By column, the bounds of the program's that it has. */
  readonly #told: { readonly lower: Rational; readonly upper: Rational }[] = [];

  static async open(program: CountedProgram, model: CountedModel): Promise<CountedLp> {
    const rows = rowsOf(model);
    return new CountedLp(program, model, rows, await openGrowingLp(rows.sides));
  }

  private constructor(program: CountedProgram, model: CountedModel, rows: Rows, lp: GrowingLp) {
    super(lp, HAIR);
    [this.#program, this.#model, this.#rows] = [program, model, rows];
    const { gpusPerNode, options, tables, free, filling, hasMemory } = model;
    const memory = (v: number, { hbm }: Room): Entries =>
      hasMemory && hbm > 0 ? [[rows.memory(v), gpusPerNode * hbm]] : [];
    const unlimited = Number.POSITIVE_INFINITY;
    const { nodes } = rows;
    const add = (cost: number, entries: Entries) => this.addColumn(cost, unlimited, entries);
    add(
      1,
      nodes.map((v) => [rows.load(v), -gpusPerNode]),
    );
    for (const sign of [1, -1]) {
      for (let c = 0; c < tables.length; c++) add(ARTIFICIAL, [[rows.option(c), sign]]);
      for (let s = 0; s < filling.length; s++) add(ARTIFICIAL, [[rows.fill(s), sign]]);
      for (const v of nodes) add(OUTSIDE, [[rows.base(v), sign]]);
    }
    for (let s = 0; s < free.length; s++) add(ARTIFICIAL, [[rows.place(s), 1]]);
    this.#chosen = options.map((own, c) =>
      own.map((needs) =>
        add(0, [
          [rows.option(c), 1],
          ...needs.free.map(([s, count]) => [rows.place(s), -count] as const),
          ...needs.filling.map(([s, count]) => [rows.fill(s), -count] as const),
          ...(needs.base.cost === 0 ? [] : nodes.map((v) => [rows.base(v), needs.base.cost] as const)),
          ...nodes.flatMap((v) => memory(v, needs.base)),
        ]),
      ),
    );
    this.#filling = filling.map((need, s) =>
      nodes.map((v) => add(0, [[rows.fill(s), 1], [rows.base(v), need.cost], ...memory(v, need)])),
    );
    this.#bases = nodes.map((v) =>
      add(0, [
        [rows.base(v), -1],
        [rows.load(v), gpusPerNode],
      ]),
    );
  }

  /** Adds a pattern for the devices of all nodes, if it is new. */
  add(counts: readonly number[]): void {
    const { free, hasMemory } = this.#model;
    const sum = (kind: keyof Room) => counts.reduce((all, count, s) => all + count * (free[s] as Room)[kind], 0);
    const room = { cost: sum("cost"), hbm: sum("hbm") };
    const places = counts.flatMap((count, s) => (count === 0 ? [] : [[this.#rows.place(s), count] as const]));
    for (const v of this.#rows.nodes) {
      const entries = [...places, [this.#rows.group(v), 1] as const, [this.#rows.load(v), room.cost] as const];
      if (hasMemory) entries.push([this.#rows.memory(v), room.hbm]);
      this.addPattern({ key: `${v} ${counts.join()}`, group: v, ...room }, 0, entries);
    }
  }

  /** Goes to a node; `room`: what a pattern may need, by node of devices. */
  goTo(box: Box, room: readonly Room[]): void {
    const { structure } = this.#program;
    const tell = (column: number, of: number, bounds: (low: number, high: number) => readonly [number, number]) => {
      const [lower, upper] = [box.lower[of] as Rational, box.upper[of] as Rational];
      const told = this.#told[column];
      if (told?.lower === lower && told.upper === upper) return;
      this.#told[column] = { lower, upper };
      this.lp.setBounds(column, ...bounds(lower.toNumber(), upper.toNumber()));
    };
    const set = (column: number, of: number) => {
      tell(column, of, (low, high) => [low, high]);
    };
    this.#chosen.forEach((own, c) => {
      own.forEach((column, o) => {
        set(column, structure.chosen[c]?.[o] as number);
      });
    });
    this.#filling.forEach((own, s) => {
      own.forEach((column, v) => {
        set(column, structure.filling[s]?.columns[v] as number);
      });
    });
    const { step } = this.#model;
    this.#bases.forEach((column, v) => {
      tell(column, structure.bases[v]?.column as number, (low, high) => [low * step, (high + 1) * step]);
    });
    for (const [v, own] of room.entries()) this.leave(v, own);
  }

  duals(): CountedDuals {
    const { duals } = this.lp.answer();
    const { free, filling, tables, gpusPerNode, hasMemory } = this.#model;
    const at = (row: number) => duals[row] as number;
    const { nodes } = this.#rows;
    return {
      classes: tables.map((_, c) => at(this.#rows.option(c))),
      free: free.map((_, s) => Math.max(0, at(this.#rows.place(s)))),
      filling: filling.map((_, s) => at(this.#rows.fill(s))),
      loads: nodes.map((v) => Math.max(0, -at(this.#rows.load(v)) * gpusPerNode)),
      bases: nodes.map((v) => at(this.#rows.base(v))),
      bytes: nodes.map((v) => (hasMemory ? Math.max(0, -at(this.#rows.memory(v))) : 0)),
      devices: nodes.map((v) => Math.max(0, -at(this.#rows.group(v)))),
    };
  }

  point(): CountedPoint {
    const { objective, columns } = this.lp.answer();
    const at = (column: number) => columns[column] as number;
    const bases = this.#bases.map(at);
    const broken = bases.map(() => 0);
    for (const { cost, group: v, column } of this.patterns) {
      const over = cost + (bases[v] as number) - 1;
      if (over > HAIR) broken[v] = (broken[v] as number) + over * at(column);
    }
    return {
      chosen: this.#chosen.map((own) => own.map(at)),
      filling: this.#filling.map((own) => own.map(at)),
      ...{ value: objective, bases, broken },
    };
  }
}

type Rows = ReturnType<typeof rowsOf>;

/** The rows of the relaxation; of memory where it counts. */
function rowsOf({ tables, free, filling, devices, gpusPerNode, hasMemory }: CountedModel) {
  const none = Number.NEGATIVE_INFINITY;
  const nodes = Array.from({ length: devices / gpusPerNode }, (_, v) => v);
  const blocks = new RowBlocks();
  const option = blocks.add(tables.map((count) => [count, count]));
  const place = blocks.add(free.map(() => [0, Number.POSITIVE_INFINITY]));
  const fill = blocks.add(filling.map(() => [0, 0]));
  const base = blocks.add(nodes.map(() => [0, 0]));
  const group = blocks.add(nodes.map(() => [none, gpusPerNode]));
  const load = blocks.add(nodes.map(() => [none, 0]));
  const memory = blocks.add(hasMemory ? nodes.map(() => [none, gpusPerNode]) : []);
  return { sides: blocks.sides, nodes, option, place, fill, base, group, load, memory };
}
