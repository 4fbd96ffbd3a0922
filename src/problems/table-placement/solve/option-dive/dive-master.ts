import { type GrowingLp, openGrowingLp } from "../../../../solvers/growing-lp.js";
import type { BaseModel, DeviceGroup, FreePart } from "../base-tree/base-model.js";
import {
  type Entries,
  type GroupPattern,
  HAIR,
  PatternLp,
  type PricedPart,
  patternKey,
  type Room,
  shardsIn,
} from "../core/pattern-lp.js";
import { pricedParts } from "./priced-parts.js";

interface Pattern extends GroupPattern {
  readonly parts: readonly FreePart[];
}

/**
 * How many devices are needed at least, over patterns of what one holds:
 *
 *   min Σ_q x_q    Σ_o y_o = 1 (per table),    Σ_q a_rq·x_q ≥ Σ_o n_or·y_o (per orbit r of shards).
 */
export class DiveMaster extends PatternLp<Pattern> {
  readonly #model: BaseModel;
  readonly #switches: readonly number[];
  /** By table, the parts of options that are left. */
  #left: DeviceGroup["parts"];

  static async open(model: BaseModel): Promise<DiveMaster> {
    const covered = model.orbits.map((): readonly [number, number] => [0, Number.POSITIVE_INFINITY]);
    const sides = model.tables.map((): readonly [number, number] => [1, 1]);
    return new DiveMaster(model, await openGrowingLp([...sides, ...covered]));
  }

  private constructor(model: BaseModel, lp: GrowingLp) {
    super(lp, HAIR);
    this.#model = model;
    const tableOf = new Map(model.tables.flatMap(({ options }, t) => options.map((at) => [at, t] as const)));
    this.#switches = model.switches.map(({ demand }, at) =>
      this.addColumn(0, 1, [...this.#entriesOf(demand, -1), [tableOf.get(at) as number, 1]]),
    );
    // Each part alone: then there is always a point.
    this.#left = this.#group.parts;
    for (const parts of this.#left) for (const part of parts) this.add([part]);
  }

  /** Adds a pattern, if it is new. */
  add(parts: readonly FreePart[]): boolean {
    const sum = (kind: keyof Room) => parts.reduce((all, part) => all + part[kind], 0);
    const pattern = { key: patternKey(parts), group: 0, parts, cost: sum("cost"), hbm: sum("hbm") };
    return this.addPattern(pattern, 1, this.#entriesOf(shardsIn(parts), 1));
  }

  /** So many shards of orbits, by row. */
  #entriesOf(shards: readonly (readonly [orbit: number, count: number])[], sign: number): Entries {
    return shards.map(([orbit, count]) => [this.#rowOf(orbit), sign * count]);
  }

  #rowOf(orbit: number): number {
    return this.#model.tables.length + orbit;
  }

  /** What a device has, and the options that are left, by switch: −1 where it is open. */
  goTo(room: Room, decided: Int8Array): void {
    this.#switches.forEach((column, at) => {
      this.lp.setBounds(column, 0, decided[at] === 0 ? 0 : 1);
    });
    this.leave(0, room);
    const isOut = new Set(
      this.#model.switches.flatMap(({ table, option }, at) => (decided[at] === 0 ? [`${table} ${option}`] : [])),
    );
    this.#left = this.#group.parts.map((own, t) => own.filter(({ option }) => !isOut.has(`${t} ${option}`)));
  }

  /** What the options that are left offer a device, at what their shards are worth. */
  offers(): PricedPart<FreePart>[][] {
    const { duals } = this.lp.answer();
    const worthOf = (orbit: number) => Math.max(0, duals[this.#rowOf(orbit)] as number);
    return pricedParts(this.#left, this.capacity(0), ({ orbits, counts }) =>
      orbits.reduce((sum, orbit, k) => sum + worthOf(orbit) * (counts[k] as number), 0),
    );
  }

  get #group(): DeviceGroup {
    return this.#model.groups[0] as DeviceGroup;
  }

  /** By switch, how far it is taken. */
  taken(): Float64Array {
    const { columns } = this.lp.answer();
    return Float64Array.from(this.#switches, (column) => columns[column] as number);
  }
}
