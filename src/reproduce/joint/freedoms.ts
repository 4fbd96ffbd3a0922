import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { JointReproduction, JointVariant } from "./reproduction.js";

/** Of TorchRec's caches, where nobody says another: its UVM_CACHING_RATIO. */
const DEFAULT_LOAD_FACTOR = 0.2;

/** What a placement may decide beside sharding type, kernel and devices, and how an instance is without it: with fewer options, of the same costs. */
export interface Freedom {
  readonly name: string;
  without(instance: TablePlacementInstance): TablePlacementInstance;
}

/** Further freedoms are further entries: each is then switched off in its turn. */
export const FREEDOMS: readonly Freedom[] = [
  { name: "hot rows", without: ({ hotRows: _, ...instance }) => instance },
  // Left out altogether, no rows would be counted that miss: plans with it could not be compared.
  { name: "sizes of caches", without: (instance) => ({ ...instance, caches: { loadFactors: [DEFAULT_LOAD_FACTOR] } }) },
];

/** All freedoms, without each in turn, and none: the freedoms that are left out. */
export function variantsOf(freedoms: readonly Freedom[]): readonly (readonly Freedom[])[] {
  return [[], ...freedoms.map((freedom) => [freedom]), ...(freedoms.length > 1 ? [freedoms] : [])];
}

/** Whether every model has all its variants. */
export function isWholeJoint({ models }: JointReproduction): boolean {
  return models.every(({ variants }) => variants.length === variantsOf(FREEDOMS).length);
}

/** A bound with more freedoms holds with fewer, and a plan with fewer is one with more. */
export function tightened(variants: readonly JointVariant[]): readonly JointVariant[] {
  const isPart = (one: JointVariant, of: JointVariant) => one.without.every((name) => of.without.includes(name));
  const known = (numbers: readonly (number | null)[]) => numbers.filter((number) => number !== null);
  return variants.map((variant) => {
    const bounds = known(variants.filter((other) => isPart(other, variant)).map(({ bound }) => bound));
    const values = known(variants.filter((other) => isPart(variant, other)).map(({ value }) => value));
    return {
      ...variant,
      bound: bounds.length === 0 ? null : Math.max(...bounds),
      value: values.length === 0 ? null : Math.min(...values),
    };
  });
}
