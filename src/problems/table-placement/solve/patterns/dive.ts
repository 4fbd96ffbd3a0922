import { effectivePartition } from "../../../../../models/table-placement/constraints.js";
import type { Demand, OptionDemand } from "../../../../../models/table-placement/pattern-demand.js";
import {
  type DeviceClass,
  type Part,
  type PatternModel,
  recoverPatterns,
} from "../../../../../models/table-placement/pattern-model.js";
import type { Placement, PlacementOption, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type CoverOptions, coverWithin, type PatternPool } from "./cover.js";
import type { Pattern } from "./pricing.js";

/** Whether a dive can speak of a problem: patterns alone decide where every shard is. */
export function canDive(problem: PlacementProblem): boolean {
  const isFree = (option: PlacementOption) => effectivePartition(problem, option) === "device";
  return problem.together.length === 0 && problem.tables.every(({ options }) => options.every(isFree));
}

/**
 * A placement of largest cost at most `costLimit`, by diving: the pattern that the fractional cover uses most goes to a
 * device, what it holds is taken from what is wanted, and column generation goes on for the devices that are left. `null`
 * where it ends without a cover.
 */
export function dive(
  problem: PlacementProblem,
  model: PatternModel,
  pool: PatternPool,
  weights: Float64Array,
  costLimit: number,
  options: CoverOptions,
): Placement | null {
  const rest = new Rest(model);
  const held: (readonly Part[])[] = [];
  const own: PatternPool = pool.map((patterns) => patterns.slice());
  while (!rest.isEmpty()) {
    const { classes, indices } = rest.classes();
    if (classes.length === 0) return null;
    const left: PatternModel = { ...model, classes, tables: rest.tables() };
    const usable: PatternPool = indices.map((k) =>
      (own[k] ?? []).filter(({ parts }) => parts.every((part) => rest.has(part))),
    );
    const counts = usable.map(({ length }) => length);
    const answer = coverWithin(left, usable, weights, costLimit, options);
    usable.forEach((patterns, c) => {
      own[indices[c] as number]?.push(...patterns.slice(counts[c]));
    });
    if (answer.kind !== "possible") return null;
    const [most] = answer.usage;
    if (most === undefined) return null;
    // What is used nearly once, or more often, is settled at once.
    for (const { class: c, pattern, times } of answer.usage) {
      for (let time = times; time > 0.95 || (pattern === most.pattern && time === times); time--) {
        const trimmed = rest.trim(pattern);
        if (trimmed.length === 0) break;
        const device = rest.take(indices[c] as number, trimmed);
        if (device === undefined) break;
        held[device] = trimmed;
      }
    }
  }
  return recoverPatterns(problem, model, held);
}

/** What is still wanted, and which devices are still empty. */
class Rest {
  readonly #model: PatternModel;
  /** The option that is chosen for a table, and what is left of it. */
  readonly #chosen = new Map<number, { readonly option: number; readonly wanted: Map<number, number> }>();
  readonly #devices: number[][];

  constructor(model: PatternModel) {
    this.#model = model;
    this.#devices = model.classes.map(({ devices }) => devices.slice());
  }

  isEmpty(): boolean {
    return this.#model.tables.every((_, t) => this.#left(t) === 0);
  }

  #left(table: number): number {
    const chosen = this.#chosen.get(table);
    return chosen === undefined ? 1 : [...chosen.wanted.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The classes with devices left, and the parts of them that are still wanted. */
  classes(): { classes: DeviceClass[]; indices: number[] } {
    const classes: DeviceClass[] = [];
    const indices: number[] = [];
    this.#model.classes.forEach((one, k) => {
      const devices = this.#devices[k] as number[];
      if (devices.length === 0) return;
      indices.push(k);
      classes.push({ ...one, devices, parts: one.parts.map((parts) => parts.filter((part) => this.has(part))) });
    });
    return { classes, indices };
  }

  tables(): (readonly OptionDemand[])[] {
    return this.#model.tables.map((options, t) => {
      const chosen = this.#chosen.get(t);
      if (chosen === undefined) return options;
      const direct: Demand[] = [...chosen.wanted].filter(([, count]) => count > 0);
      return [{ option: chosen.option, direct, groups: [] }];
    });
  }

  /** Whether a part is of the option that is chosen and no more than is wanted. */
  has({ option, orbits, counts }: Part): boolean {
    const chosen = this.#chosen.get(this.#tableOf(orbits));
    return (
      chosen === undefined ||
      (chosen.option === option && orbits.every((orbit, k) => (chosen.wanted.get(orbit) ?? 0) >= (counts[k] as number)))
    );
  }

  /** The parts of a pattern that are still wanted. */
  trim({ parts }: Pattern): Part[] {
    return parts.filter((part) => this.has(part));
  }

  /** Gives parts to a device of a class; `undefined` where none is left. */
  take(k: number, parts: readonly Part[]): number | undefined {
    const device = this.#devices[k]?.pop();
    if (device === undefined) return undefined;
    for (const { option, orbits, counts } of parts) {
      const table = this.#tableOf(orbits);
      let chosen = this.#chosen.get(table);
      if (chosen === undefined) {
        const demand = this.#model.tables[table]?.find(({ direct }) => direct.some(([orbit]) => orbit === orbits[0]));
        chosen = { option, wanted: new Map(demand?.direct) };
        this.#chosen.set(table, chosen);
      }
      for (const [i, orbit] of orbits.entries()) {
        chosen.wanted.set(orbit, (chosen.wanted.get(orbit) ?? 0) - (counts[i] as number));
      }
    }
    return device;
  }

  #tableOf(orbits: readonly number[]): number {
    return this.#model.orbits[orbits[0] as number]?.table as number;
  }
}
