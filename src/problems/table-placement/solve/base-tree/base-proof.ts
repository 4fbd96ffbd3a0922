import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { type BaseRows, baseColumns, type HostBase } from "../../../../../models/table-placement/host-base.js";
import { Rational } from "../../../../exact/rational.js";
import type { BlockClaim, DecomposeStep, NamedMultipliers, Step } from "../../../../proof/certificate.js";
import { type ReducedBox, settledShards } from "../bounds/reduction-steps.js";
import type { Room } from "../core/pattern-lp.js";
import { type Budget, bestWeights, type FlatParts } from "../patterns/dual-weights.js";
import { flatten } from "../patterns/pricing.js";
import { type BaseBound, homePrice, worthOf } from "./base-bound.js";
import type { BaseModel, DeviceGroup, FreePart, Switch } from "./base-model.js";
import { type BaseNode, type Implied, isCertain, isInOrder, isSettled, leastSteps, mostSteps } from "./node.js";
import { PatternKnapsack } from "./pattern-knapsack.js";

/** The steps of a certificate that close nodes of the tree; names are the program's. */
export class BaseProof {
  readonly #direct: DirectProgram;
  readonly #model: BaseModel;
  /** The program's box after the steps before the tree. */
  readonly #reduced: ReducedBox;
  /** By place row of free shards. */
  readonly #orbitOf: ReadonlyMap<number, number>;
  readonly #knapsack = new PatternKnapsack();
  /** Free shards that those steps settle. */
  readonly #settledFirst: ReadonlyMap<number, readonly SettledShard[]>;

  constructor(direct: DirectProgram, model: BaseModel, reduced: ReducedBox) {
    this.#direct = direct;
    this.#model = model;
    this.#reduced = reduced;
    this.#orbitOf = new Map(model.orbits.flatMap(({ rows }, orbit) => rows.map((row) => [row, orbit] as const)));
    this.#settledFirst = this.#settledShards();
  }

  /**
   * Free shards that can be nowhere else, by device: they are in no block, and the rest of a pattern is worth less by
   * them.
   */
  #settledShards(): Map<number, SettledShard[]> {
    const { box } = this.#reduced;
    const settled = new Map<number, SettledShard[]>();
    for (const { column, device, placeRow, need } of settledShards(this.#direct, box)) {
      const orbit = this.#orbitOf.get(placeRow);
      if (orbit === undefined) continue;
      const here = settled.get(device) ?? [];
      settled.set(device, here);
      // In doubles, exact: a number of shards.
      here.push({ orbit, count: (box.lower[column] as Rational).toNumber(), cost: need.cost, hbm: need.hbmBytes });
    }
    return settled;
  }

  /** The same after what a node decides, and propagation. */
  #settledBelow({ decided }: BaseNode): Map<number, SettledShard[]> {
    const { box } = this.#reduced;
    const saved = this.#reduced.save();
    this.#model.switches.forEach(({ column }, at) => {
      if (column === null || decided[at] === -1) return;
      box.lower[column] = box.upper[column] = decided[at] === 1 ? Rational.one : Rational.zero;
    });
    this.#reduced.apply({ kind: "propagate" });
    const settled = this.#settledShards();
    this.#reduced.restore(saved);
    return settled;
  }

  #row(row: number): string {
    return this.#direct.program.rows[row]?.name as string;
  }

  column(column: number): string {
    return this.#direct.program.columns[column]?.name as string;
  }

  /**
   * Closes a node whose bound is above the limit: `slack` is by how much for each device, which makes it less work to
   * show what a device holds at most.
   */
  close(node: BaseNode, bound: BaseBound, capacity: BaseBoundCapacity, slack: number): Step[] {
    const settled = isSettled(this.#model, node);
    const before = settled ? [{ propagate: {} }] : this.#raise(node);
    const step = { decompose: this.#multipliers(node, bound), purpose: "bound" as const };
    return [...before, { ...step, ...this.#parts(node, bound, capacity, slack, settled) }];
  }

  /** Leaves out of a node what costs so much beside a bound that the limit is reached; `slack` as in {@link close}. */
  narrow(node: BaseNode, bound: BaseBound, capacity: BaseBoundCapacity, slack: number): Step[] {
    const step = { narrow: this.#multipliers(node, bound) };
    return [...this.#raise(node), { ...step, ...this.#parts(node, bound, capacity, slack, false) }];
  }

  /** Closes a node whose options left add more to a base than its range allows, or less; `null` where none does. */
  contradiction(node: BaseNode): Step[] | null {
    for (const { groups } of this.#model.tables) {
      for (const { option, count, homes, row } of groups) {
        if (!isCertain(this.#model, node, option)) continue;
        const decided = (value: number) => homes.filter((home) => node.decided[home] === value).length;
        if (homes.length - decided(0) < count) return [{ infeasible: { [this.#row(row)]: "1" } }];
        if (decided(1) > count) return [{ infeasible: { [this.#row(row)]: "-1" } }];
      }
    }
    for (const [v, base] of this.#direct.structure.bases.entries()) {
      const next = this.#model.hosts[v]?.next ?? null;
      if (
        next !== null &&
        isInOrder(next, node) &&
        (node.load[v]?.low as number) > (node.load[next.host]?.high as number)
      ) {
        return [{ infeasible: { [this.#row(next.row)]: "-1" } }];
      }
      for (const kind of ["load", "hbm"] as const) {
        const rows = base[kind];
        const range = node[kind][v];
        if (rows?.counted == null || range === undefined) continue;
        const row = this.#row(rows.counted.row);
        if (leastSteps(this.#model, { ...node, [kind]: [] }, kind, v) > range.high) {
          return [{ infeasible: { [row]: "-1" } }];
        }
        const most = { ...node, [kind]: node[kind].map(() => ({ low: 0, high: Number.POSITIVE_INFINITY })) };
        if (mostSteps(this.#model, most, kind, v) < range.low) {
          return [{ infeasible: { [row]: "1", ...this.#homesAt(node, v, kind) } }];
        }
      }
    }
    return null;
  }

  /**
   * What a host as a home adds is put on the option that chooses it, where it chooses one and may choose this: only one
   * option is taken.
   */
  #homesAt({ decided }: BaseNode, host: number, kind: "load" | "hbm"): NamedMultipliers {
    const { switches, ...base } = this.#direct.structure.bases[host] as HostBase;
    const { added } = base[kind] as BaseRows;
    const named: [string, string][] = [];
    for (const { groups } of this.#model.tables) {
      for (const { count, homes, row, option } of groups) {
        if (count > 1 || (this.#model.switches[option] as Switch).column === null) continue;
        for (const home of homes) {
          const { column, bases } = this.#model.switches[home] as Switch;
          if (bases[0]?.host !== host || decided[home] === 0) continue;
          const k = switches.findIndex((one) => one.column === column);
          named.push([this.#row(row), `${-(added[k] as bigint)}`]);
        }
      }
    }
    return Object.fromEntries(named.filter(([, value]) => value !== "0"));
  }

  /** What follows of a column: steps before the node's own, and after all below it. */
  implied({ column, at, half, row, side }: Implied): {
    readonly before: readonly Step[];
    readonly after: readonly Step[];
  } {
    const branch = { branch: this.column(column), at: `${at}` };
    const closed = { infeasible: { [this.#row(row)]: side === "lower" ? "1" : "-1" } };
    return half === "high" ? { before: [branch, closed], after: [] } : { before: [branch], after: [closed] };
  }

  /** Brings the ranges of bases up to what every option left adds. */
  #raise(node: BaseNode): Step[] {
    return this.#direct.structure.bases.flatMap((base, v) =>
      (["load", "hbm"] as const).flatMap((kind): Step[] => {
        const rows = base[kind];
        const low = leastSteps(this.#model, node, kind, v);
        if (rows?.counted == null || low <= (node[kind][v]?.low ?? 0)) return [];
        const row = this.#row(rows.counted.row);
        return [{ branch: this.column(rows.counted.column), at: `${low - 1}` }, { infeasible: { [row]: "-1" } }];
      }),
    );
  }

  /** The devices as blocks, and the bases as what links them. */
  #parts(
    node: BaseNode,
    bound: BaseBound,
    capacity: BaseBoundCapacity,
    slack: number,
    settled: boolean,
  ): Pick<DecomposeStep, "links" | "blocks" | "proofs"> {
    const { program, structure } = this.#direct;
    const { groups, scale } = this.#model;
    const links = [structure.largest, ...structure.bases.flatMap(baseColumns)];
    const blocks: BlockClaim[] = [];
    const proofs: Step[][] = [];
    const settledShards = settled ? this.#settledBelow(node) : this.#settledFirst;
    groups.forEach((group, g) => {
      const base = structure.bases[group.host] as HostBase;
      const most = (bound.fillings[g]?.most as number) + slack;
      const worth = this.#worthOfSettled(bound, group.host);
      const peaks = peakTables(this.#knapsack, group, capacity(g), this.#worthOn(bound, group.host), most);
      // Devices with the same left to them share a proof.
      const known = new Map<string, number>();
      for (const device of group.devices) {
        const slot = base.devices.indexOf(device);
        const own = settled
          ? [structure.loadRows[device] as number, ...(base.hbm === null ? [] : [structure.hbmRows[device] as number])]
          : [base.load.deviceRows[slot] as number, ...(base.hbm === null ? [] : [base.hbm.deviceRows[slot] as number])];
        const ofPeaks = (base.peakRows[slot] ?? []).filter(({ table }) => peaks.has(table)).map(({ row }) => row);
        const side = [...(base.sideRows[slot] as readonly number[]), ...ofPeaks];
        const shards = settledShards.get(device) ?? [];
        const least = Rational.fromNumber((shards.reduce((sum, one) => sum + worth(one), 0) - most) * scale).toString();
        const alike = settled ? this.#settledOn(node, device) : "";
        const key = [alike, ...shards.map(({ orbit, count }) => `${orbit}*${count}`)].join("|");
        let proof = known.get(key);
        if (proof === undefined) {
          proof = proofs.push([{ enumerate: this.#weights(group, bound, g, capacity(g), own) }]) - 1;
          known.set(key, proof);
        }
        blocks.push({ rows: [...own, ...side].map((row) => this.#row(row)), least, proof });
      }
    });
    return { links: links.map((column) => program.columns[column]?.name as string), blocks, proofs };
  }

  #multipliers(node: BaseNode, { duals }: BaseBound): NamedMultipliers {
    const { structure } = this.#direct;
    const { scale, byteScale, orbits, hosts, tables } = this.#model;
    const named: [string, string][] = [];
    const price = (row: number, value: Rational) => {
      if (value.sign() !== 0) named.push([this.#row(row), value.toString()]);
    };
    orbits.forEach(({ rows }, r) => {
      const value = Rational.fromNumber((duals.orbits[r] as number) * scale);
      for (const row of rows) price(row, value);
    });
    // Rows count in units of cost, or in bytes.
    const perCost = structure.unit;
    const perByte = Rational.fromNumber(scale / byteScale);
    const base = (rows: BaseRows, charged: number, priced: number, per: Rational) => {
      if (rows.counted !== null) price(rows.counted.row, Rational.fromNumber(priced - charged).multiply(per));
    };
    hosts.forEach(({ size, hbm }, v) => {
      const own = structure.bases[v] as HostBase;
      const devices = Rational.of(BigInt(size));
      const ofLoad = duals.loads[v] as number;
      const perLoad = Rational.fromNumber(-ofLoad).divide(devices).multiply(perCost);
      for (const row of own.load.overRows) price(row, perLoad);
      base(own.load, duals.loadBases[v] as number, ofLoad, perCost);
      if (own.hbm === null || hbm === null) return;
      const ofBytes = duals.bytes[v] as number;
      for (const row of own.hbm.overRows) price(row, Rational.fromNumber(-ofBytes).multiply(perByte));
      base(own.hbm, duals.hbmBases[v] as number, ofBytes * size, perByte);
    });
    tables.forEach(({ groups }) => {
      for (const group of groups) {
        price(group.row, Rational.fromNumber(homePrice(this.#model, node, group, duals) * scale));
      }
    });
    this.#freeHomes(duals.orbits, price);
    return Object.fromEntries(named);
  }

  /** Free shards of an option inside one host: what each of the hosts costs is the same. */
  #freeHomes(orbits: Float64Array, price: (row: number, value: Rational) => void): void {
    const { program, structure } = this.#direct;
    const { scale, switches } = this.#model;
    const worth = new Map<number, number>();
    this.#model.orbits.forEach(({ rows }, r) => {
      for (const row of rows) worth.set(row, orbits[r] as number);
    });
    for (const { table, option, group, column } of switches) {
      if (group !== -1 || column === null) continue;
      const own = structure.tables[table]?.options.find((one) => one.option === option);
      if (own === undefined || own.nodeRows.length === 0 || own.nodeChoices.length === 0) continue;
      if (this.#model.tables[table]?.groups.some((one) => own.nodeRows.includes(one.row))) continue;
      const first = own.nodeChoices[0] as number;
      let sum = 0;
      for (const row of new Set(own.shards.map(({ placeRow }) => placeRow))) {
        const { form } = program.rows[row] as DirectProgram["program"]["rows"][number];
        const k = form.columns.indexOf(first);
        // In doubles, searched: a price, any is checked.
        if (k !== -1) sum -= Number(form.coefficients[k]) * (worth.get(row) ?? 0);
      }
      for (const row of own.nodeRows) price(row, Rational.fromNumber(sum * scale));
    }
  }

  #worthOn({ duals }: Pick<BaseBound, "duals">, host: number): ReturnType<typeof worthOf> {
    return worthOf(duals, host, (this.#model.hosts[host] as { size: number }).size);
  }

  #worthOfSettled(bound: BaseBound, host: number): (shard: SettledShard) => number {
    const { scale, byteScale } = this.#model;
    const worth = this.#worthOn(bound, host);
    return ({ orbit, count, cost, hbm }) =>
      count * worth({ orbits: [orbit], counts: [1], cost: cost / scale, hbm: hbm / byteScale });
  }

  /** What is settled on a device, as text: equal where devices are alike in it. */
  #settledOn({ decided }: BaseNode, device: number): string {
    const { program, structure } = this.#direct;
    const taken = new Set<number | null>([null]);
    this.#model.switches.forEach(({ column }, at) => {
      if (decided[at] === 1) taken.add(column);
    });
    const single = structure.shards.filter((shard) => {
      if (shard.device !== device) return false;
      const { columns } = (program.rows[shard.placeRow] as DirectProgram["program"]["rows"][number]).form;
      return columns.length <= 2 && columns.every((column) => column === shard.column || taken.has(column));
    });
    return single.map(({ need }) => `${need.cost} ${need.hbmBytes}`).join("|");
  }

  /** Multipliers of a device's own rows that leave most fillings early. */
  #weights(
    group: DeviceGroup,
    { duals, weights: known }: BaseBound,
    g: number,
    capacity: Room,
    [loadRow, hbmRow]: readonly number[],
  ): NamedMultipliers[] {
    const { structure } = this.#direct;
    const { scale, byteScale } = this.#model;
    const flat = () => flatParts(group, capacity, this.#worthOn({ duals }, group.host));
    const all = known?.[g] ?? [bestWeights(...withBudget(flat(), capacity))];
    return all.map((weights) => {
      const entries: [string, string][] = [];
      const cost = Rational.fromNumber(-short(weights.cost)).multiply(structure.unit);
      if (cost.sign() < 0) entries.push([this.#row(loadRow as number), cost.toString()]);
      const hbm = Rational.fromNumber((-short(weights.hbm) * scale) / byteScale);
      if (hbmRow !== undefined && hbm.sign() < 0) entries.push([this.#row(hbmRow), hbm.toString()]);
      return Object.fromEntries(entries);
    });
  }
}

/** So many shards of an orbit that have no other device; cost and bytes of one. */
interface SettledShard {
  readonly orbit: number;
  readonly count: number;
  readonly cost: number;
  readonly hbm: number;
}

export type BaseBoundCapacity = (group: number) => Room;

/** Parts with the budget of a device, as far as they may need it. */
function withBudget(parts: FlatParts, capacity: Room): [parts: FlatParts, budget: Budget] {
  const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 1e-9);
  const [cost, hbm] = [Math.min(capacity.cost, sum(parts.cost)), Math.min(capacity.hbm, sum(parts.hbm))];
  return [parts, { cost, hbm, host: 1 }];
}

/** A double near another of few digits. */
function short(value: number): number {
  return Math.round(value * 2 ** 24) / 2 ** 24;
}

/**
 * Tables whose rows of the device with most of a shard are needed to show that no pattern is worth more than `most`: those with the
 * largest shards, few if few do. Each row more makes it more work to go through patterns.
 */
function peakTables(
  knapsack: PatternKnapsack,
  group: DeviceGroup,
  { cost, hbm }: Room,
  worth: (part: FreePart) => number,
  most: number,
): ReadonlySet<number> {
  const overOf = (parts: readonly FreePart[]) => parts.reduce((largest, { over }) => Math.max(largest, over), 0);
  const order = [...group.parts.keys()].filter((t) => overOf(group.parts[t] as readonly FreePart[]) > 0);
  order.sort((a, b) => overOf(group.parts[b] as FreePart[]) - overOf(group.parts[a] as FreePart[]) || a - b);
  for (let count = 0; count < order.length; count = 2 * count + 1) {
    const taken = new Set(order.slice(0, count));
    const parts = group.parts.map((own, t) => (taken.has(t) ? own : own.map((part) => ({ ...part, over: 0 }))));
    if (knapsack.fill({ ...group, parts }, cost, hbm, cost, worth).most <= most) return taken;
  }
  return new Set(order);
}

/** The parts that fit and are worth anything, table by table. */
function flatParts({ parts }: DeviceGroup, { cost, hbm }: Room, worth: (part: FreePart) => number): FlatParts {
  const offersOf = (own: readonly FreePart[]) =>
    own.flatMap((part) => {
      const value = worth(part);
      const fits = part.cost <= cost && part.hbm <= hbm;
      return value > 0 && fits ? [{ part, value }] : [];
    });
  return flatten(parts.map((own) => ({ offers: offersOf(own) })));
}
