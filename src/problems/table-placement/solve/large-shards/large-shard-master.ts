import { type GrowingLp, openGrowingLp, type SparseEntries } from "../../../../solvers/growing-lp.js";
import type { BaseModel, DeviceGroup, FreePart } from "../base-tree/base-model.js";
import { type DeviceRoom, LOOSE } from "./priced-parts.js";

/** What shards are worth in devices. */
export interface ShardPrices {
  /** By orbit, not negative. */
  readonly orbits: Float64Array;
  /** Of cost and of bytes: what small shards are worth by. */
  readonly cost: number;
  readonly hbm: number;
}

interface Pattern {
  readonly parts: readonly FreePart[];
  readonly cost: number;
  readonly hbm: number;
  readonly column: number;
  isUsed: boolean;
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
export class LargeShardMaster {
  readonly #model: BaseModel;
  readonly #lp: GrowingLp;
  /** By orbit, its row; −1: it is small. */
  readonly #rows: readonly number[];
  readonly #costRow: number;
  readonly #hbmRow: number;
  readonly #switches: readonly number[];
  readonly #patterns = new Map<string, Pattern>();
  #room: DeviceRoom | null = null;

  /** `isLarge`: by orbit. */
  static async open(model: BaseModel, group: DeviceGroup, isLarge: readonly boolean[]): Promise<LargeShardMaster> {
    const sides: (readonly [number, number])[] = model.tables.map(() => [1, 1]);
    const covered = () => sides.push([0, Number.POSITIVE_INFINITY]) - 1;
    const rows = isLarge.map((large) => (large ? covered() : -1));
    const [costRow, hbmRow] = [covered(), covered()];
    return new LargeShardMaster(model, group, rows, costRow, hbmRow, await openGrowingLp(sides));
  }

  private constructor(
    model: BaseModel,
    group: DeviceGroup,
    rows: readonly number[],
    costRow: number,
    hbmRow: number,
    lp: GrowingLp,
  ) {
    [this.#model, this.#lp, this.#rows, this.#costRow, this.#hbmRow] = [model, lp, rows, costRow, hbmRow];
    const tableOf = new Map(model.tables.flatMap(({ options }, t) => options.map((at) => [at, t] as const)));
    this.#switches = model.switches.map(({ demand }, at) => {
      const entries = this.#entriesOf(demand, -1);
      entries.set(tableOf.get(at) as number, 1);
      return lp.addColumn(0, 0, 1, sparse(entries));
    });
    // Each part alone: then there is always a point.
    for (const parts of group.parts) for (const part of parts) this.add([part]);
  }

  /** Adds a pattern, if it is new. */
  add(parts: readonly FreePart[]): boolean {
    const key = parts
      .map(({ orbits, counts }) => `${orbits.join()}*${counts.join()}`)
      .sort()
      .join(" ");
    if (this.#patterns.has(key)) return false;
    const held = parts.flatMap(({ orbits, counts }) => orbits.map((orbit, k) => [orbit, counts[k] as number] as const));
    const pattern = {
      parts,
      cost: parts.reduce((sum, part) => sum + part.cost, 0),
      hbm: parts.reduce((sum, part) => sum + part.hbm, 0),
      column: this.#lp.addColumn(1, 0, Number.POSITIVE_INFINITY, sparse(this.#entriesOf(held, 1))),
      isUsed: true,
    };
    this.#patterns.set(key, pattern);
    if (this.#room !== null) this.#use(pattern, this.#room);
    return true;
  }

  /** Patterns so far. */
  get patterns(): readonly (readonly FreePart[])[] {
    return [...this.#patterns.values()].map(({ parts }) => parts);
  }

  /** So many shards of orbits, by row. */
  #entriesOf(shards: readonly (readonly [orbit: number, count: number])[], sign: number): Map<number, number> {
    const { orbits, scale, byteScale } = this.#model;
    const entries = new Map<number, number>();
    const put = (row: number, value: number) => entries.set(row, (entries.get(row) ?? 0) + sign * value);
    for (const [orbit, count] of shards) {
      const row = this.#rows[orbit] as number;
      const { cost, hbm } = orbits[orbit] as BaseModel["orbits"][number];
      if (row !== -1) put(row, count);
      else {
        put(this.#costRow, (count * cost) / scale);
        put(this.#hbmRow, (count * hbm) / byteScale);
      }
    }
    return entries;
  }

  /** What a device has, and the options that are left, by switch: −1 where it is open. */
  goTo(room: DeviceRoom, decided: Int8Array): void {
    this.#room = room;
    this.#switches.forEach((column, at) => {
      this.#lp.setBounds(column, 0, decided[at] === 0 ? 0 : 1);
    });
    for (const pattern of this.#patterns.values()) this.#use(pattern, room);
  }

  #use(pattern: Pattern, room: DeviceRoom): void {
    const isUsed = pattern.cost <= room.cost * LOOSE && pattern.hbm <= room.hbm * LOOSE;
    if (isUsed === pattern.isUsed) return;
    pattern.isUsed = isUsed;
    this.#lp.setBounds(pattern.column, 0, isUsed ? Number.POSITIVE_INFINITY : 0);
  }

  /** The least number of devices over the patterns known; `null` where the solver gave up, or nothing is left. */
  solve(): number | null {
    const devices = this.#lp.solve();
    return devices !== null && Number.isFinite(devices) ? devices : null;
  }

  get iterations(): number {
    return this.#lp.iterations;
  }

  prices(): ShardPrices {
    const { duals } = this.#lp.answer();
    const at = (row: number) => Math.max(0, duals[row] as number);
    const { orbits, scale, byteScale } = this.#model;
    const [cost, hbm] = [at(this.#costRow), at(this.#hbmRow)];
    const small = (orbit: BaseModel["orbits"][number]) => (cost * orbit.cost) / scale + (hbm * orbit.hbm) / byteScale;
    const worth = Float64Array.from(orbits, (orbit, r) =>
      this.#rows[r] === -1 ? small(orbit) : at(this.#rows[r] as number),
    );
    return { orbits: worth, cost, hbm };
  }

  /** By switch, how far it is taken. */
  taken(): Float64Array {
    const { columns } = this.#lp.answer();
    return Float64Array.from(this.#switches, (column) => columns[column] as number);
  }

  dispose(): void {
    this.#lp.dispose();
  }
}

function sparse(entries: ReadonlyMap<number, number>): SparseEntries {
  return { indices: [...entries.keys()], values: [...entries.values()] };
}
