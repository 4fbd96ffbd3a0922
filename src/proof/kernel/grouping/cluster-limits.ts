import type { Conflict } from "../../../program/grouping/conflict.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { type IntegerLoad, integerLoad } from "./integer-load.js";

/** What limits clusters beside their load, by units; rounded so that no cluster that a partition may have breaks it. */
export interface ClusterLimits {
  readonly loads: readonly IntegerLoad[];
  readonly conflicts: readonly UnitConflict[];
}

/** A conflict: of every part so many elements at once, and how many of them each unit has. */
type UnitConflict = readonly { readonly count: number; readonly having: Uint16Array }[];

/** Units are given by their elements; `null` where the grouping has neither further loads nor conflicts. */
export function clusterLimits(grouping: Grouping, members: readonly (readonly number[])[]): ClusterLimits | null {
  const { furtherLoads = [], conflicts = [] } = grouping;
  if (furtherLoads.length + conflicts.length === 0) return null;
  return {
    loads: furtherLoads.map((load) => integerLoad(grouping, load, members)),
    conflicts: conflicts.map((conflict) => byUnits(conflict, members)),
  };
}

function byUnits(conflict: Conflict, members: readonly (readonly number[])[]): UnitConflict {
  return conflict.map(({ elements, count }) => {
    const inPart = new Set(elements);
    return { count, having: Uint16Array.from(members, (unit) => unit.filter((element) => inPart.has(element)).length) };
  });
}

/** A cluster that grows and shrinks unit by unit within its limits. */
export class ChosenLimits {
  readonly #limits: ClusterLimits;
  /** By load. */
  readonly #carried: Float64Array;
  /** By conflict, by part: elements that the cluster has. */
  readonly #held: readonly Uint16Array[];
  /** By unit: the conflicts that it has elements of. */
  readonly #touching: readonly (readonly number[])[];

  constructor(limits: ClusterLimits, units: number) {
    this.#limits = limits;
    this.#carried = new Float64Array(limits.loads.length);
    this.#held = limits.conflicts.map((parts) => new Uint16Array(parts.length));
    this.#touching = Array.from({ length: units }, (_, u) =>
      [...limits.conflicts.keys()].filter((c) => limits.conflicts[c]?.some(({ having }) => having[u] !== 0)),
    );
  }

  /** Whether a unit can join the cluster. */
  admits(unit: number): boolean {
    const { loads, conflicts } = this.#limits;
    for (let k = 0; k < loads.length; k++) {
      const { weights, most } = loads[k] as IntegerLoad;
      if ((this.#carried[k] as number) + (weights[unit] as number) > most) return false;
    }
    for (const c of this.#touching[unit] as readonly number[]) {
      const held = this.#held[c] as Uint16Array;
      const isWhole = (conflicts[c] as UnitConflict).every(
        ({ count, having }, part) => (held[part] as number) + (having[unit] as number) >= count,
      );
      if (isWhole) return false;
    }
    return true;
  }

  /** A unit joins the cluster. */
  choose(unit: number): void {
    this.#count(unit, 1);
  }

  /** It leaves again. */
  leave(unit: number): void {
    this.#count(unit, -1);
  }

  #count(unit: number, step: 1 | -1): void {
    const { loads, conflicts } = this.#limits;
    for (let k = 0; k < loads.length; k++) {
      const weight = (loads[k] as IntegerLoad).weights[unit] as number;
      this.#carried[k] = (this.#carried[k] as number) + step * weight;
    }
    for (const c of this.#touching[unit] as readonly number[]) {
      const held = this.#held[c] as Uint16Array;
      (conflicts[c] as UnitConflict).forEach(({ having }, part) => {
        held[part] = (held[part] as number) + step * (having[unit] as number);
      });
    }
  }
}
