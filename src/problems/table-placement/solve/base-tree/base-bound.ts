import type { Room } from "../core/pattern-lp.js";
import type { Weights } from "../patterns/dual-weights.js";
import type { BaseDuals } from "./base-lp.js";
import type { BaseModel, BaseScale, DeviceGroup, FreePart, HomeGroup, Switch } from "./base-model.js";
import { type BaseNode, isCertain, leastSteps, type Range, takeLast } from "./node.js";
import type { Filling, PatternKnapsack } from "./pattern-knapsack.js";

/** A Lagrangian bound of a node, and what it is made of. */
export interface BaseBound {
  readonly value: number;
  readonly duals: BaseDuals;
  /** By device group. */
  readonly fillings: readonly Filling[];
  /** By device group, prices of its cost and bytes that leave most fillings early, where such are known. */
  readonly weights?: readonly (readonly Weights[])[];
}

/** Multipliers are rounded to this: exact in sums of doubles, and short as fractions. */
const QUANTUM = 2 ** -32;

/** What cost counts at least beside memory, where memory alone leaves nothing. */
const LEAST_LOAD = 2 ** -12;

/** Multipliers in whole quanta, scaled so that those of hosts' loads have the sum 1. */
export function rounded(duals: BaseDuals): BaseDuals {
  const sum = duals.loads.reduce((total, value) => total + value, 0);
  const factor = 1 / Math.max(sum, LEAST_LOAD);
  const even = Math.max(0, 1 - sum * factor) / duals.loads.length;
  const round = (values: Float64Array) => values.map((value) => Math.round((value * factor) / QUANTUM) * QUANTUM);
  const loads = round(duals.loads.map((value) => value + even / factor));
  const last = loads.length - 1;
  const rest = loads.subarray(0, last).reduce((sum, value) => sum + value, 0);
  loads[last] = Math.max(0, 1 - rest);
  return {
    orbits: round(duals.orbits),
    loads,
    bytes: round(duals.bytes),
    loadBases: round(duals.loadBases),
    hbmBases: round(duals.hbmBases),
  };
}

/** What a part of a pattern on a device of this host is worth beyond its cost and its bytes. */
export function worthOf(
  { orbits, loads, bytes }: BaseDuals,
  host: number,
  size: number,
): (part: Pick<FreePart, "orbits" | "counts" | "cost" | "hbm">) => number {
  const load = (loads[host] as number) / size;
  const byte = bytes[host] as number;
  return ({ orbits: own, counts, cost, hbm }) => {
    let worth = -load * cost - byte * hbm;
    for (let i = 0; i < own.length; i++) worth += (orbits[own[i] as number] as number) * (counts[i] as number);
    return worth;
  };
}

/**
 * The bound of a node at some multipliers: what options cost at least under them, what bases are charged at the best
 * end of their ranges, less what devices can be filled with at most.
 */
export function baseBound(
  model: BaseModel,
  node: BaseNode,
  duals: BaseDuals,
  knapsack: PatternKnapsack,
  limit: number,
  capacityOf: (group: number) => Room,
): BaseBound {
  const { hosts, groups } = model;
  const fillings = groups.map((group: DeviceGroup, g) => {
    const { cost, hbm } = capacityOf(g);
    const size = (hosts[group.host] as BaseModel["hosts"][number]).size;
    return knapsack.fill(group, cost, hbm, limit, worthOf(duals, group.host, size));
  });
  let value = optionsCost(model, node, duals);
  hosts.forEach(({ size, load, hbm, memory }, v) => {
    const charge = (
      scale: typeof load,
      charged: number,
      priced: number,
      { low, high }: { low: number; high: number },
    ) => {
      const left = priced - charged;
      value += charged * scale.fixed + left * (left > 0 ? low * scale.step : high * scale.step + scale.rest);
    };
    charge(load, duals.loadBases[v] as number, duals.loads[v] as number, node.load[v] as BaseNode["load"][number]);
    if (hbm === null) return;
    const price = duals.bytes[v] as number;
    charge(hbm, duals.hbmBases[v] as number, price * size, node.hbm[v] as BaseNode["hbm"][number]);
    value -= price * memory;
  });
  fillings.forEach(({ most }, g) => {
    value -= (groups[g] as DeviceGroup).devices.length * most;
  });
  return { value, duals, fillings };
}

/** Σ over tables of the cheapest option that is left. */
function optionsCost(model: BaseModel, node: BaseNode, duals: BaseDuals): number {
  let sum = 0;
  for (const { options, groups } of model.tables) {
    let least = Number.POSITIVE_INFINITY;
    let inGroups = 0;
    for (const option of options) {
      if (node.decided[option] === 0) continue;
      let cost = switchCost(model, option, duals);
      for (const group of groups) {
        if (group.option !== option) continue;
        const price = homePrice(model, node, group, duals);
        cost += price * group.count;
        for (const home of group.homes) {
          const left = switchCost(model, home, duals) - price;
          if (node.decided[home] === 1 || (left < 0 && node.decided[home] !== 0)) inGroups += left;
        }
      }
      least = Math.min(least, cost);
    }
    sum += least + inGroups;
  }
  return sum;
}

/** What a switch costs under the multipliers. */
function switchCost({ switches }: BaseModel, at: number, duals: BaseDuals): number {
  const { demand, bases, column } = switches[at] as Switch;
  let cost = 0;
  for (const [orbit, shards] of demand) cost += shards * (duals.orbits[orbit] as number);
  if (column === null) return cost;
  for (const { host, load, hbm } of bases) {
    cost += (duals.loadBases[host] as number) * load + (duals.hbmBases[host] as number) * hbm;
  }
  return cost;
}

/**
 * The multiplier of "Σ hosts = groups wanted": what the cheapest host left costs, or, where the option is certain, the
 * last of as many as are wanted.
 */
export function homePrice(model: BaseModel, node: BaseNode, group: HomeGroup, duals: BaseDuals): number {
  const left = group.homes.filter((home) => node.decided[home] !== 0);
  const costs = left.map((home) => switchCost(model, home, duals)).sort((a, b) => a - b);
  if (costs.length === 0) return 0;
  return isCertain(model, node, group.option)
    ? (costs[Math.min(group.count, costs.length) - 1] as number)
    : (costs[0] as number);
}

/**
 * The node without the switches and steps of bases that its bound, with what they cost more than the cheapest, has at a limit or above
 * it (reduced-cost fixing); `null` where all may be below it.
 */
export function withoutDear(
  model: BaseModel,
  node: BaseNode,
  { value, duals }: BaseBound,
  limit: number,
): BaseNode | null {
  const room = limit - value;
  const decided = node.decided.slice();
  let isNew = false;
  const decide = (at: number, side: 0 | 1) => {
    decided[at] = side;
    isNew = true;
  };
  for (const { options, groups } of model.tables) {
    const costs = options.map((option) => {
      if (node.decided[option] === 0) return Number.POSITIVE_INFINITY;
      return groups.reduce(
        (sum, group) => sum + (group.option === option ? group.count * homePrice(model, node, group, duals) : 0),
        switchCost(model, option, duals),
      );
    });
    const least = Math.min(...costs);
    options.forEach((option, k) => {
      if (decided[option] === -1 && (costs[k] as number) - least > room) decide(option, 0);
    });
    takeLast(options, decided);
    for (const group of groups) {
      const price = homePrice(model, node, group, duals);
      for (const home of group.homes) {
        if (decided[home] !== -1) continue;
        const left = switchCost(model, home, duals) - price;
        if (Math.abs(left) > room) decide(home, left > 0 ? 0 : 1);
      }
    }
  }
  const cut = (scale: BaseScale, left: number, own: Range): Range => {
    const steps = Math.floor(room / (Math.abs(left) * scale.step));
    if (!(steps < own.high - own.low)) return own;
    isNew = true;
    return left > 0 ? { ...own, high: own.low + steps } : { ...own, low: own.high - steps };
  };
  const load = model.hosts.map((host, v) =>
    cut(host.load, (duals.loads[v] as number) - (duals.loadBases[v] as number), node.load[v] as Range),
  );
  const hbm = model.hosts.map((host, v) => {
    const left = (duals.bytes[v] as number) * host.size - (duals.hbmBases[v] as number);
    return host.hbm === null ? (node.hbm[v] as Range) : cut(host.hbm, left, node.hbm[v] as Range);
  });
  if (!isNew) return null;
  // Before a bound is shown ranges are brought up to what the options of its node add.
  const raised = (ranges: readonly Range[], kind: "load" | "hbm") =>
    ranges.map((own, v) => ({ ...own, low: Math.max(own.low, leastSteps(model, node, kind, v)) }));
  return { decided, load: raised(load, "load"), hbm: raised(hbm, "hbm") };
}

/** Whether some host's base is more, at least, than in another node. */
export function isRaised(node: BaseNode, before: BaseNode, model: BaseModel): boolean {
  return (["load", "hbm"] as const).some((kind) =>
    model.hosts.some((_, v) => leastSteps(model, node, kind, v) > leastSteps(model, before, kind, v)),
  );
}
