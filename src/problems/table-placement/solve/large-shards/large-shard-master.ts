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

/** What shards are worth in devices; cost and bytes are what small shards are worth by. */
export interface ShardPrices extends Room {
  /** By orbit, not negative. */
  readonly orbits: Float64Array;
}

interface Pattern extends GroupPattern {
  readonly parts: readonly FreePart[];
}

/**
 * How many devices are needed at least, over patterns of what one holds, where shards that are small are only held as cost and
 * bytes in all:
 *
 *   min Σ x_q    Σ_o y_o = 1 (per table),    Σ_q a_rq·x_q ≥ Σ_o n_or·y_o (per orbit r of large shards),
 *                Σ_q cost of small shards·x_q ≥ that of the options taken,    and the same of bytes.
 *
 * It is the relaxation of patterns with the rows of small shards added up, by cost and by bytes. What that loses is little where
 * devices hold many of them, and multipliers of few rows are soon found: small shards are worth what they cost in both, and the
 * best pattern is a question about large ones.
 */
export class LargeShardMaster extends PatternLp<Pattern> {
  readonly #model: BaseModel;
  /** By orbit, its row; −1: it is small. */
  readonly #rows: readonly number[];
  readonly #costRow: number;
  readonly #hbmRow: number;
  readonly #switches: readonly number[];
  /** By table, the parts of options that are left. */
  #left: DeviceGroup["parts"];

  /** `isLarge`: by orbit. */
  static async open(model: BaseModel, isLarge: readonly boolean[]): Promise<LargeShardMaster> {
    const sides: (readonly [number, number])[] = model.tables.map(() => [1, 1]);
    const covered = () => sides.push([0, Number.POSITIVE_INFINITY]) - 1;
    const rows = isLarge.map((large) => (large ? covered() : -1));
    const [costRow, hbmRow] = [covered(), covered()];
    return new LargeShardMaster(model, rows, costRow, hbmRow, await openGrowingLp(sides));
  }

  private constructor(model: BaseModel, rows: readonly number[], costRow: number, hbmRow: number, lp: GrowingLp) {
    super(lp, HAIR);
    [this.#model, this.#rows, this.#costRow, this.#hbmRow] = [model, rows, costRow, hbmRow];
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
    const { orbits, scale, byteScale } = this.#model;
    return shards.flatMap(([orbit, count]): Entries => {
      const row = this.#rows[orbit] as number;
      const { cost, hbm } = orbits[orbit] as BaseModel["orbits"][number];
      if (row !== -1) return [[row, sign * count]];
      return [
        [this.#costRow, sign * ((count * cost) / scale)],
        [this.#hbmRow, sign * ((count * hbm) / byteScale)],
      ];
    });
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

  prices(): ShardPrices {
    const { duals } = this.lp.answer();
    const at = (row: number) => Math.max(0, duals[row] as number);
    const { orbits, scale, byteScale } = this.#model;
    const [cost, hbm] = [at(this.#costRow), at(this.#hbmRow)];
    const small = (orbit: BaseModel["orbits"][number]) => (cost * orbit.cost) / scale + (hbm * orbit.hbm) / byteScale;
    const worth = Float64Array.from(orbits, (orbit, r) =>
      this.#rows[r] === -1 ? small(orbit) : at(this.#rows[r] as number),
    );
    return { orbits: worth, cost, hbm };
  }

  /** What the options that are left offer a device at prices. */
  offersAt({ orbits: worth }: ShardPrices): PricedPart<FreePart>[][] {
    return pricedParts(this.#left, this.capacity(0), ({ orbits, counts }) =>
      orbits.reduce((sum, orbit, k) => sum + (worth[orbit] as number) * (counts[k] as number), 0),
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
