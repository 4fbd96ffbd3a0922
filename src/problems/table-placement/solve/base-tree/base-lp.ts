import { type GrowingLp, openGrowingLp } from "../../../../solvers/growing-lp.js";
import { type Entries, type GroupPattern, PatternLp, patternKey, RowBlocks, shardsIn } from "../core/pattern-lp.js";
import type { BaseModel, BaseScale, FreePart, Switch } from "./base-model.js";
import { peakOf } from "./base-model.js";
import { type BaseNode, leastBase, type Range } from "./node.js";

/** Multipliers of a node's relaxation, in shares of the model's scales. */
export interface BaseDuals {
  /** Per orbit, not negative: what placing one more of its shards is worth. */
  readonly orbits: Float64Array;
  /** Per host, not negative, with the sum 1: what cost on its devices counts in the largest cost. */
  readonly loads: Float64Array;
  /** Per host, not negative: what a byte on its devices costs. */
  readonly bytes: Float64Array;
  /** Per host: what its base of cost is charged, and of bytes. */
  readonly loadBases: Float64Array;
  readonly hbmBases: Float64Array;
}

/** Values of a node's relaxation. */
export interface BasePoint {
  readonly value: number;
  readonly switches: Float64Array;
  readonly loadBases: Float64Array;
  readonly hbmBases: Float64Array;
  readonly uses: readonly { readonly pattern: BasePattern; readonly times: number }[];
}

/** A pattern of one device group. */
export interface BasePattern extends GroupPattern {
  readonly parts: readonly FreePart[];
  /** Of a host that stands for no devices it is 0. */
  readonly peak: number;
  /** When it was last part of a relaxation's optimum, or came. */
  usedAt: number;
}

/** What leaving a shard out costs in the relaxation: above every limit. */
const ARTIFICIAL = 20;

/** Beyond so many patterns those taken last are kept: each makes every iteration longer, and pricing finds again what is missed. */
const MOST_PATTERNS = 1000;
const KEPT_PATTERNS = 400;

/** What a base outside its range costs, a share. */
const OUTSIDE = 1000;

/** Sums of doubles may be so far apart, a part. */
const HAIR = 2e-12;

/**
 * The relaxation of a node (README.md, "Base tree"):
 *
 *   min Z   Σ_o y_o = 1,   Σ_q a·x_q ≥ demand·y,   Σ_{q of group} x_q ≤ devices,
 *           Σ cost(q)·x_q + G·B ≤ G·Z and Σ bytes(q)·x_q + G·M ≤ bytes of the host·Z / limit,
 *           B, M = base of y, h within the node's ranges
 *
 * over the patterns known so far, which are kept from node to node. Where memory binds it grows with Z as cost does: that
 * changes nothing at the limit, where Z decides, and below it Z says how near the scarcer of the two is, which branching
 * goes by. Where it does not, Z is about cost alone, which moves more.
 */
export class BaseLp extends PatternLp<BasePattern> {
  readonly #model: BaseModel;
  readonly #rows: Rows;
  readonly #switches: readonly number[];
  readonly #loadBases: number[] = [];
  readonly #hbmBases: number[] = [];
  /** What the solver was last told: bounds of switches. */
  readonly #told: Int8Array;
  /** Since the last pattern came: else it is not known which are in the basis. */
  #isSolved = false;
  #solves = 0;

  /**
   * `limit`: the largest cost that is asked about, in shares of the model's scale, where memory grows up to it; `null`: it
   * is what it is.
   */
  static async open(model: BaseModel, limit: number | null): Promise<BaseLp> {
    const rows = rowsOf(model, limit !== null);
    return new BaseLp(model, rows, await openGrowingLp(rows.sides), limit);
  }

  private constructor(model: BaseModel, rows: Rows, lp: GrowingLp, limit: number | null) {
    super(lp, HAIR);
    [this.#model, this.#rows] = [model, rows];
    const { hosts, tables, switches, orbits } = model;
    const unlimited = Number.POSITIVE_INFINITY;
    this.addColumn(1, unlimited, [
      ...hosts.map(({ size }, v) => [rows.load(v), -size] as const),
      ...hosts.flatMap(({ hbm, memory }, v) =>
        hbm === null || limit === null ? [] : [[rows.hbm(v), -memory / limit] as const],
      ),
    ]);
    for (let t = 0; t < tables.length; t++) this.addColumn(ARTIFICIAL, unlimited, [[rows.option(t), 1]]);
    for (let r = 0; r < orbits.length; r++) this.addColumn(ARTIFICIAL, unlimited, [[rows.orbit(r), 1]]);
    this.#switches = switches.map((one, k) => this.addColumn(0, 1, this.#entriesOf(one, k)));
    hosts.forEach(({ size, hbm }, v) => {
      const base = (own: number, limited: number) =>
        this.addColumn(0, 0, [[own, -1] as const, [limited, size] as const]);
      this.#loadBases.push(base(rows.loadBase(v), rows.load(v)));
      if (hbm !== null) this.#hbmBases[v] = base(rows.hbmBase(v), rows.hbm(v));
    });
    hosts.forEach(({ hbm }, v) => {
      for (const row of [rows.loadBase(v), ...(hbm === null ? [] : [rows.hbmBase(v)])]) {
        for (const sign of [1, -1]) this.addColumn(OUTSIDE, unlimited, [[row, sign]]);
      }
    });
    this.#told = new Int8Array(switches.length).fill(-1);
  }

  #entriesOf({ group, table, demand, column, bases }: Switch, at: number): Entries {
    const { hosts, tables } = this.#model;
    const rows = this.#rows;
    const { groups } = tables[table] as BaseModel["tables"][number];
    return [
      ...(group === -1 ? [[rows.option(table), 1] as const] : []),
      ...demand.map(([orbit, shards]) => [rows.orbit(orbit), -shards] as const),
      ...(column === null ? [] : bases).flatMap(({ host, load, hbm }) => [
        [rows.loadBase(host), load] as const,
        ...(hosts[host]?.hbm === null ? [] : [[rows.hbmBase(host), hbm] as const]),
      ]),
      ...groups.flatMap(({ option, count, homes }, g) => {
        const times = option === at ? -count : homes.includes(at) ? 1 : 0;
        return times === 0 ? [] : [[rows.homes(table, g), times] as const];
      }),
    ];
  }

  /** Adds a pattern of a device group, if it is new. */
  add(group: number, parts: readonly FreePart[]): boolean {
    const { host } = this.#model.groups[group] as BaseModel["groups"][number];
    const cost = parts.reduce((sum, part) => sum + part.cost, 0);
    const hbm = parts.reduce((sum, part) => sum + part.hbm, 0);
    const pattern = {
      key: `${group} ${patternKey(parts)}`,
      group,
      parts,
      cost,
      hbm,
      peak: peakOf(parts),
      usedAt: this.#solves,
    };
    const isNew = this.addPattern(pattern, 0, [
      ...shardsIn(parts).map(([orbit, count]) => [this.#rows.orbit(orbit), count] as const),
      [this.#rows.group(group), 1],
      [this.#rows.load(host), cost],
      ...(this.#model.hosts[host]?.hbm === null ? [] : [[this.#rows.hbm(host), hbm] as const]),
    ]);
    if (isNew) this.#isSolved = false;
    return isNew;
  }

  /** Takes out the patterns that relaxations have not taken for longest, where there are many. */
  trim(): void {
    if (this.patterns.length <= MOST_PATTERNS || !this.#isSolved) return;
    const order = this.patterns.toSorted((a, b) => b.usedAt - a.usedAt || b.column - a.column);
    const isBasic = this.lp.isBasic();
    const out = new Set(order.slice(KEPT_PATTERNS).filter(({ column }) => !isBasic(column)));
    this.takeOut(out);
  }

  /** Goes to a node: bounds of its switches and bases, and the patterns that its bases leave room for. */
  goTo(node: BaseNode, limit: number): void {
    const { hosts, groups } = this.#model;
    node.decided.forEach((value, k) => {
      if (this.#told[k] === value) return;
      this.#told[k] = value;
      this.lp.setBounds(this.#switches[k] as number, value === 1 ? 1 : 0, value === 0 ? 0 : 1);
    });
    const setBase = ({ step, fixed, rest }: BaseScale, column: number, { low, high }: Range) => {
      this.lp.setBounds(column, Math.max(0, low * step - fixed), high * step + rest - fixed);
    };
    hosts.forEach(({ load, hbm }, v) => {
      setBase(load, this.#loadBases[v] as number, node.load[v] as Range);
      if (hbm !== null) setBase(hbm, this.#hbmBases[v] as number, node.hbm[v] as Range);
    });
    groups.forEach(({ host, hbm }, g) => {
      const least = (kind: "load" | "hbm") => leastBase(this.#model, node, kind, host);
      this.leave(g, { cost: limit - least("load"), hbm: hbm - least("hbm") });
    });
  }

  override solve(): number | null {
    const value = super.solve();
    this.#isSolved = true;
    this.#solves++;
    return value;
  }

  /** Probes begin from where the last solve ended. */
  keepBasis(): void {
    this.lp.keepBasis();
  }

  /** The next solve begins there too. */
  restoreBasis(): void {
    this.lp.restoreBasis();
  }

  /** About the least Z over the patterns known, by so many iterations. */
  probe(maxIterations: number, cutoff: number): number | null {
    return this.lp.probe(maxIterations, cutoff);
  }

  duals(): BaseDuals {
    const { duals } = this.lp.answer();
    const { hosts, orbits } = this.#model;
    const rows = this.#rows;
    const at = (row: number) => duals[row] as number;
    return {
      orbits: Float64Array.from(orbits, (_, r) => Math.max(0, at(rows.orbit(r)))),
      loads: Float64Array.from(hosts, ({ size }, v) => Math.max(0, -at(rows.load(v)) * size)),
      bytes: Float64Array.from(hosts, ({ hbm }, v) => (hbm === null ? 0 : Math.max(0, -at(rows.hbm(v))))),
      loadBases: Float64Array.from(hosts, (_, v) => -at(rows.loadBase(v))),
      hbmBases: Float64Array.from(hosts, ({ hbm }, v) => (hbm === null ? 0 : -at(rows.hbmBase(v)))),
    };
  }

  point(): BasePoint {
    const { objective, columns } = this.lp.answer();
    const { hosts } = this.#model;
    const at = (column: number | undefined) => (column === undefined ? 0 : (columns[column] as number));
    return {
      value: objective,
      switches: Float64Array.from(this.#switches, at),
      loadBases: Float64Array.from(hosts, ({ load }, v) => at(this.#loadBases[v]) + load.fixed),
      hbmBases: Float64Array.from(hosts, ({ hbm }, v) => at(this.#hbmBases[v]) + (hbm?.fixed ?? 0)),
      uses: this.patterns.flatMap((pattern) => {
        const times = at(pattern.column);
        if (times <= 1e-7) return [];
        pattern.usedAt = this.#solves;
        return [{ pattern, times }];
      }),
    };
  }
}

type Rows = ReturnType<typeof rowsOf>;

/** The rows of the relaxation. */
function rowsOf({ tables, orbits, groups, hosts }: BaseModel, memoryGrows: boolean) {
  const [none, unlimited] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const blocks = new RowBlocks();
  const option = blocks.add(tables.map(() => [1, 1]));
  const orbit = blocks.add(orbits.map(() => [0, unlimited]));
  const group = blocks.add(groups.map(({ devices }) => [none, devices.length]));
  const load = blocks.add(hosts.map((host) => [none, -host.size * host.load.fixed]));
  const hbm = blocks.add(
    hosts.map(({ size, hbm: own, memory }) => [
      none,
      own === null ? unlimited : (memoryGrows ? 0 : memory) - size * own.fixed,
    ]),
  );
  const [loadBase, hbmBase] = [blocks.add(hosts.map(() => [0, 0])), blocks.add(hosts.map(() => [0, 0]))];
  const perTable = tables.map(({ groups: own }) => blocks.add(own.map(() => [0, 0])));
  const homes = (t: number, g: number) => perTable[t]?.(g) as number;
  return { sides: blocks.sides, option, orbit, group, load, hbm, loadBase, hbmBase, homes };
}
