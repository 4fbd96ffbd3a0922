import { Rational } from "../../../exact/rational.js";
import type { Conflict } from "../../../program/grouping/conflict.js";
import { weightOf } from "../../../program/grouping/evaluate.js";
import type { ClusterLoad, Grouping } from "../../../program/grouping/grouping.js";
import { scaledDown, scaleFor } from "./scaled-integers.js";

/** What limits clusters, by units; rounded so that no cluster that a partition may have breaks it. */
export interface ClusterLimits {
  readonly loads: readonly IntegerLoad[];
  readonly conflicts: readonly UnitConflict[];
}

/** What clusters can carry, in integers held in doubles. */
interface IntegerLoad {
  /** Of each unit. */
  readonly weights: Float64Array;
  /** The weights of a cluster add up to `least` … `most`. */
  readonly least: number;
  readonly most: number;
}

/** A conflict: of every part so many elements at once, and how many of them each unit has. */
type UnitConflict = readonly { readonly count: number; readonly having: Uint16Array }[];

/** Units are given by their elements; `null` where nothing limits. */
export function clusterLimits(grouping: Grouping, members: readonly (readonly number[])[]): ClusterLimits | null {
  const { load, furtherLoads = [], conflicts = [] } = grouping;
  const loads = load === null ? furtherLoads : [load, ...furtherLoads];
  if (loads.length + conflicts.length === 0) return null;
  return {
    loads: loads.map((load) => integerLoad(grouping, load, members)),
    conflicts: conflicts.map((conflict) => byUnits(conflict, members)),
  };
}

/**
 * Weights of a load of a grouping as integers, rounded down so that no cluster that a partition may have is missed: it
 * carries at most what each cluster can, and at least what the others cannot. Units are given by their elements.
 */
function integerLoad(
  { clusters, elements }: Grouping,
  load: ClusterLoad,
  members: readonly (readonly number[])[],
): IntegerLoad {
  const total = weightOf(load, [...elements.keys()]);
  const k = scaleFor(total.add(load.most));
  const weights = Float64Array.from(members, (unit) =>
    unit.reduce((sum, element) => sum + Number(scaledDown(load.weights[element] as Rational, 1n, k)), 0),
  );
  const least = total.subtract(load.most.multiply(Rational.of(BigInt(clusters - 1))));
  // Rounding takes less than one from each element's weight.
  const from = least.sign() <= 0 ? 0 : Number(scaledDown(least, 1n, k)) - elements.length;
  return { weights, least: from, most: Number(scaledDown(load.most, 1n, k)) };
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

  /** Whether the cluster carries with a unit what the others cannot. */
  suffices(unit: number): boolean {
    return this.#limits.loads.every(({ weights, least }, k) => {
      return (this.#carried[k] as number) + (weights[unit] as number) >= least;
    });
  }

  /** A unit joins the cluster (step 1), or leaves it again (−1). */
  move(unit: number, step: 1 | -1): void {
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
