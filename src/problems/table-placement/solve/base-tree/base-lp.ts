import { type GrowingLp, openGrowingLp } from "../../../../solvers/growing-lp.js";
import type { BaseModel, BaseScale, FreePart, Switch } from "./base-model.js";
import { type BaseNode, leastBase } from "./node.js";
import { peakOf } from "./pattern-peak.js";

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
export interface BasePattern {
  readonly group: number;
  readonly parts: readonly FreePart[];
  readonly cost: number;
  readonly hbm: number;
  /** What one device of a host has, where the host stands for its devices; otherwise 0. */
  readonly peak: number;
  readonly key: string;
  /** Changes as others are taken out. */
  column: number;
  /** When it was last part of a relaxation's optimum, or came. */
  usedAt: number;
}

/** The patterns of a device group in the order in which they came: what decides whether they are in use, an array each for speed. */
interface GroupPatterns {
  /** With the peak, where that is more. */
  readonly costs: number[];
  readonly hbms: number[];
  readonly columns: number[];
  readonly used: boolean[];
}

/** What leaving a shard out costs in the relaxation: above every limit. */
const ARTIFICIAL = 20;

/** Beyond so many patterns those taken last are kept: each makes every iteration longer, and pricing finds again what is missed. */
const MOST_PATTERNS = 1000;
const KEPT_PATTERNS = 400;

/** What a base outside its range costs, a share. */
const OUTSIDE = 1000;

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
export class BaseLp {
  readonly #model: BaseModel;
  readonly #lp: GrowingLp;
  readonly #rows: Rows;
  readonly #switches: number[] = [];
  readonly #loadBases: number[] = [];
  readonly #hbmBases: number[] = [];
  readonly #known = new Set<string>();
  patterns: BasePattern[] = [];
  readonly #ofGroup: GroupPatterns[];
  /** What the solver was last told: bounds of switches. */
  #told = new Int8Array(0);
  readonly #capacity: { cost: number; hbm: number }[] = [];
  /** Since the last pattern came: else it is not known which are in the basis. */
  #isSolved = false;
  solves = 0;
  iterations = 0;

  /**
   * `limit`: the largest cost that is asked about, in shares of the model's scale, where memory grows up to it; `null`: it
   * is what it is.
   */
  static async open(model: BaseModel, limit: number | null): Promise<BaseLp> {
    const rows = new Rows(model, limit !== null);
    return new BaseLp(model, rows, await openGrowingLp(rows.sides), limit);
  }

  private constructor(model: BaseModel, rows: Rows, lp: GrowingLp, limit: number | null) {
    this.#model = model;
    this.#rows = rows;
    this.#lp = lp;
    this.#ofGroup = model.groups.map(() => ({ costs: [], hbms: [], columns: [], used: [] }));
    const add = (cost: number, lower: number, upper: number, entries: readonly (readonly [number, number])[]) =>
      lp.addColumn(cost, lower, upper, { indices: entries.map(([row]) => row), values: entries.map(([, v]) => v) });
    const { hosts, tables, switches, orbits } = model;
    add(1, 0, Number.POSITIVE_INFINITY, [
      ...hosts.map(({ size }, v) => [rows.load(v), -size] as const),
      ...hosts.flatMap(({ hbm, memory }, v) =>
        hbm === null || limit === null ? [] : [[rows.hbm(v), -memory / limit] as const],
      ),
    ]);
    for (let t = 0; t < tables.length; t++) add(ARTIFICIAL, 0, Number.POSITIVE_INFINITY, [[rows.option(t), 1]]);
    for (let r = 0; r < orbits.length; r++) add(ARTIFICIAL, 0, Number.POSITIVE_INFINITY, [[rows.orbit(r), 1]]);
    const base = ({ bases }: Switch) =>
      bases.flatMap(({ host, load, hbm }) => [
        [rows.loadBase(host), load] as const,
        ...(hosts[host]?.hbm === null ? [] : [[rows.hbmBase(host), hbm] as const]),
      ]);
    switches.forEach((one, k) => {
      const entries = new Map<number, number>();
      const put = (row: number, value: number) => entries.set(row, (entries.get(row) ?? 0) + value);
      if (one.group === -1) put(rows.option(one.table), 1);
      for (const [orbit, shards] of one.demand) put(rows.orbit(orbit), -shards);
      if (one.column !== null) for (const [row, value] of base(one)) put(row, value);
      const { groups } = tables[one.table] as (typeof tables)[number];
      groups.forEach(({ option, count, homes }, g) => {
        if (option === k) put(rows.homes(one.table, g), -count);
        else if (homes.includes(k)) put(rows.homes(one.table, g), 1);
      });
      this.#switches.push(add(0, 0, 1, [...entries]));
    });
    hosts.forEach(({ size, hbm }, v) => {
      this.#loadBases.push(add(0, 0, 0, [[rows.loadBase(v), -1] as const, [rows.load(v), size] as const]));
      if (hbm !== null) {
        this.#hbmBases[v] = add(0, 0, 0, [[rows.hbmBase(v), -1] as const, [rows.hbm(v), size] as const]);
      }
    });
    hosts.forEach(({ hbm }, v) => {
      for (const row of [rows.loadBase(v), ...(hbm === null ? [] : [rows.hbmBase(v)])]) {
        for (const sign of [1, -1]) add(OUTSIDE, 0, Number.POSITIVE_INFINITY, [[row, sign]]);
      }
    });
    this.#told = new Int8Array(switches.length).fill(-1);
  }

  /** Adds a pattern of a device group, if it is new. */
  add(group: number, parts: readonly FreePart[]): boolean {
    const key = `${group}:${parts.map(({ orbits, counts }) => `${orbits.join()}*${counts.join()}`).sort()}`;
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    const entries = new Map<number, number>();
    for (const { orbits, counts } of parts) {
      orbits.forEach((orbit, i) => {
        const row = this.#rows.orbit(orbit);
        entries.set(row, (entries.get(row) ?? 0) + (counts[i] as number));
      });
    }
    const { host } = this.#model.groups[group] as BaseModel["groups"][number];
    const cost = parts.reduce((sum, part) => sum + part.cost, 0);
    const hbm = parts.reduce((sum, part) => sum + part.hbm, 0);
    const all: [number, number][] = [...entries, [this.#rows.group(group), 1], [this.#rows.load(host), cost]];
    if (this.#model.hosts[host]?.hbm !== null) all.push([this.#rows.hbm(host), hbm]);
    const pattern = {
      ...{ group, parts, cost, hbm, peak: peakOf(parts), key, usedAt: this.solves },
      column: this.#lp.addColumn(0, 0, Number.POSITIVE_INFINITY, {
        indices: all.map(([row]) => row),
        values: all.map(([, value]) => value),
      }),
    };
    this.patterns.push(pattern);
    this.#isSolved = false;
    const { costs, hbms, columns, used } = this.#ofGroup[group] as GroupPatterns;
    costs.push(Math.max(cost, pattern.peak));
    hbms.push(hbm);
    columns.push(pattern.column);
    used.push(true);
    this.#use(group, used.length - 1);
    return true;
  }

  /** Takes out the patterns that relaxations have not taken for longest, where there are many. */
  trim(): void {
    if (this.patterns.length <= MOST_PATTERNS || !this.#isSolved) return;
    const order = [...this.patterns].sort((a, b) => b.usedAt - a.usedAt || b.column - a.column);
    const isBasic = this.#lp.isBasic();
    const out = new Set(order.slice(KEPT_PATTERNS).filter(({ column }) => !isBasic(column)));
    const first = (this.patterns[0] as BasePattern).column;
    this.#lp.removeColumns(this.patterns.filter((pattern) => out.has(pattern)).map(({ column }) => column));
    this.patterns = this.patterns.filter((pattern) => !out.has(pattern));
    for (const { key } of out) this.#known.delete(key);
    this.#ofGroup.forEach((own) => {
      for (const list of [own.costs, own.hbms, own.columns, own.used]) list.length = 0;
    });
    this.patterns.forEach((pattern, k) => {
      pattern.column = first + k;
      const { costs, hbms, columns, used } = this.#ofGroup[pattern.group] as GroupPatterns;
      costs.push(Math.max(pattern.cost, pattern.peak));
      hbms.push(pattern.hbm);
      columns.push(pattern.column);
      // Bounds are told anew.
      used.push(true);
      this.#lp.setBounds(pattern.column, 0, Number.POSITIVE_INFINITY);
    });
    this.#model.groups.forEach((_, g) => {
      this.#use(g, 0);
    });
  }

  /** Goes to a node: bounds of its switches and bases, and the patterns that its bases leave room for. */
  goTo(node: BaseNode, limit: number): void {
    const { hosts, groups } = this.#model;
    node.decided.forEach((value, k) => {
      if (this.#told[k] === value) return;
      this.#told[k] = value;
      this.#lp.setBounds(this.#switches[k] as number, value === 1 ? 1 : 0, value === 0 ? 0 : 1);
    });
    hosts.forEach((host, v) => {
      const setBase = (scale: BaseScale, column: number, { low, high }: { low: number; high: number }) =>
        this.#lp.setBounds(
          column,
          Math.max(0, low * scale.step - scale.fixed),
          high * scale.step + scale.rest - scale.fixed,
        );
      setBase(host.load, this.#loadBases[v] as number, node.load[v] as BaseNode["load"][number]);
      if (host.hbm !== null) setBase(host.hbm, this.#hbmBases[v] as number, node.hbm[v] as BaseNode["hbm"][number]);
    });
    groups.forEach(({ host, hbm }, g) => {
      const known = this.#capacity[g];
      const cost = limit - leastBase(this.#model, node, "load", host);
      const left = hbm - leastBase(this.#model, node, "hbm", host);
      if (known?.cost === cost && known.hbm === left) return;
      this.#capacity[g] = { cost, hbm: left };
      this.#use(g, 0);
    });
  }

  /** What a pattern of a device group may cost at this node, and its largest part weigh. */
  capacity(group: number): { readonly cost: number; readonly hbm: number } {
    return this.#capacity[group] as { cost: number; hbm: number };
  }

  /** Patterns of a group that its capacity leaves are in use, from one on. */
  #use(group: number, from: number): void {
    const capacity = this.#capacity[group];
    if (capacity === undefined) return;
    const [most, room] = [capacity.cost * (1 + 2e-12), capacity.hbm * (1 + 2e-12)];
    const { costs, hbms, columns, used } = this.#ofGroup[group] as GroupPatterns;
    for (let p = from; p < costs.length; p++) {
      const isUsed = (costs[p] as number) <= most && (hbms[p] as number) <= room;
      if (isUsed === used[p]) continue;
      used[p] = isUsed;
      this.#lp.setBounds(columns[p] as number, 0, isUsed ? Number.POSITIVE_INFINITY : 0);
    }
  }

  /** The least Z over the patterns known; infinite where there is none; `null` where the solver gave up. */
  solve(): number | null {
    const value = this.#lp.solve();
    this.#isSolved = true;
    this.solves++;
    this.iterations += this.#lp.iterations;
    return value;
  }

  /** Probes begin from where the last solve ended. */
  keepBasis(): void {
    this.#lp.keepBasis();
  }

  /** The next solve begins there too. */
  restoreBasis(): void {
    this.#lp.restoreBasis();
  }

  /** About the least Z over the patterns known, by so many iterations. */
  probe(maxIterations: number, cutoff: number): number | null {
    const value = this.#lp.probe(maxIterations, cutoff);
    this.iterations += this.#lp.iterations;
    return value;
  }

  duals(): BaseDuals {
    const { duals } = this.#lp.answer();
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
    const { objective, columns } = this.#lp.answer();
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
        pattern.usedAt = this.solves;
        return [{ pattern, times }];
      }),
    };
  }

  dispose(): void {
    this.#lp.dispose();
  }
}

/** The rows of the relaxation, block after block. */
class Rows {
  readonly sides: (readonly [number, number])[] = [];
  readonly #first: Record<"orbit" | "group" | "load" | "hbm" | "loadBase" | "hbmBase", number>;
  readonly #homes: number[] = [];

  constructor({ tables, orbits, groups, hosts }: BaseModel, memoryGrows: boolean) {
    const none = Number.NEGATIVE_INFINITY;
    const block = (sides: readonly (readonly [number, number])[]) => this.sides.push(...sides) - sides.length;
    block(tables.map(() => [1, 1]));
    this.#first = {
      orbit: block(orbits.map(() => [0, Number.POSITIVE_INFINITY])),
      group: block(groups.map(({ devices }) => [none, devices.length])),
      load: block(hosts.map(({ size, load }) => [none, -size * load.fixed])),
      hbm: block(
        hosts.map(({ size, hbm, memory }) => {
          const given = memoryGrows ? 0 : memory;
          return [none, hbm === null ? Number.POSITIVE_INFINITY : given - size * hbm.fixed];
        }),
      ),
      loadBase: block(hosts.map(() => [0, 0])),
      hbmBase: block(hosts.map(() => [0, 0])),
    };
    tables.forEach(({ groups: own }, t) => {
      this.#homes[t] = block(own.map(() => [0, 0]));
    });
  }

  option(t: number): number {
    return t;
  }
  orbit(r: number): number {
    return this.#first.orbit + r;
  }
  group(g: number): number {
    return this.#first.group + g;
  }
  load(v: number): number {
    return this.#first.load + v;
  }
  hbm(v: number): number {
    return this.#first.hbm + v;
  }
  loadBase(v: number): number {
    return this.#first.loadBase + v;
  }
  hbmBase(v: number): number {
    return this.#first.hbmBase + v;
  }
  homes(t: number, g: number): number {
    return (this.#homes[t] as number) + g;
  }
}
