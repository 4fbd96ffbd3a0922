import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { ShardColumn } from "../../../../models/table-placement/option-site.js";
import { Rational } from "../../../exact/rational.js";
import { lagrangianBound, type Multipliers } from "../../../proof/bound.js";
import type { BlockClaim, DecomposeStep, NamedMultipliers, Step } from "../../../proof/certificate.js";
import { fixByReducedCost } from "../../../proof/fix.js";
import { propagate } from "../../../proof/propagate.js";
import { viewOf } from "../../../proof/view.js";
import type { Grain } from "../grain.js";
import type { DeviceClass, PatternModel } from "../patterns/model.js";
import type { Weights } from "../patterns/price-weights.js";
import type { BoundProof } from "./bound-proof.js";
import { namedMultipliers, withNodePrices } from "./choice-prices.js";
import { type ReductionStep, writtenStep } from "./reduction-steps.js";

/** Why no devices can hold everything: what shards are worth, and what a device can hold at most of it. */
export interface PatternArgument {
  /** Per orbit, whole numbers. */
  readonly prices: ArrayLike<number>;
  /** Per class of devices, a whole number: no pattern is worth more. */
  readonly most: readonly number[];
  /** Per class, prices of cost and memory by which branches are left; the first alone is enough where `isBound`. */
  readonly weights: readonly (readonly Weights[])[];
  /** The first weights show it without going through patterns. */
  readonly isBound?: boolean;
}

/** Below its true value by this part, so that it holds for sums of doubles that are whole grains but for rounding. */
const MARGIN = Rational.of(1n, 2n ** 40n);

/** A grain is divided out with a factor above its inverse by this part, so that rounding leaves no cost a grain short. */
const LIFT = Rational.of(1n, 2n ** 45n);

/** "The largest cost is at least so many grains", as the program's exact costs have it. */
export function claimOfGrains(grain: Grain, grains: bigint): Rational {
  const value = grain.size.multiply(Rational.of(grains));
  return grain.isExact ? value : value.multiply(Rational.one.subtract(MARGIN));
}

/**
 * Proves that the largest cost is at least `claim` (`null`: that there is no placement): with the largest cost below it, and
 * the prices on all shards, the devices as independent blocks hold less than everything is worth.
 */
export function patternProof(
  direct: DirectProgram,
  model: PatternModel,
  { prices, most, weights, isBound }: PatternArgument,
  claim: Rational | null,
  grain: Grain | null,
  reductions: readonly ReductionStep[] = [],
): BoundProof {
  const { program, structure } = direct;
  const place = new Map<number, Rational>();
  model.orbits.forEach(({ rows }, orbit) => {
    const price = Rational.fromNumber(prices[orbit] as number);
    for (const row of rows) place.set(row, price);
  });
  const name = (row: number) => program.rows[row]?.name as string;
  const before = claim === null ? [] : [{ kind: "fix", multipliers: new Map() } as const, ...reductions];
  const settled = settledWorth(direct, place, claim, before);
  const blocks: BlockClaim[] = [];
  const proofs: Step[][] = [];
  model.classes.forEach((one, k) => {
    // Devices of a class with shards that are settled there from the outset are no longer alike.
    const byWorth = new Map<string, number>();
    for (const device of one.devices) {
      const { worth, columns } = settled.get(device) ?? { worth: Rational.zero, columns: [] };
      const least = worth.subtract(Rational.fromNumber(most[k] as number)).toString();
      const key = columns.map(({ table, option, most: count }) => `${table} ${option} ${count}`).join("|");
      let proof = byWorth.get(key);
      if (proof === undefined) {
        proof = proofs.length;
        byWorth.set(key, proof);
        const alike = { ...one, devices: [device] };
        proofs.push(
          blockSteps(direct, alike, weights[k] as readonly Weights[], claim !== null, grain, isBound === true),
        );
      }
      blocks.push({ rows: blockRows(direct, device, claim !== null).map(name), least, proof });
    }
  });
  const step: DecomposeStep = {
    decompose: namedMultipliers(direct, withNodePrices(direct, place)),
    purpose: "infeasible",
    links: [program.columns[structure.largest]?.name as string],
    blocks,
    proofs,
  };
  return { claim, steps: [...before.map((one) => writtenStep(direct, one)), step] };
}

/**
 * What the shards are worth that the steps before settle on a device, because they can be nowhere else: they are in no
 * block, and what is left of a pattern is worth as much less.
 */
function settledWorth(
  { program, structure }: DirectProgram,
  place: Multipliers,
  claim: Rational | null,
  before: readonly ReductionStep[],
): Map<number, { worth: Rational; columns: ShardColumn[] }> {
  const settled = new Map<number, { worth: Rational; columns: ShardColumn[] }>();
  if (claim === null) return settled;
  const { view, box } = viewOf(program);
  for (const step of before) {
    if (step.kind === "propagate") propagate(view, box, () => {});
    else fixByReducedCost(view, box, lagrangianBound(view, box, step.multipliers), claim, () => {});
  }
  for (const shard of structure.shards) {
    const { column, device, placeRow } = shard;
    const [lower, upper] = [box.lower[column] as Rational, box.upper[column] as Rational];
    if (lower.sign() === 0 || !lower.equals(upper)) continue;
    const known = settled.get(device) ?? { worth: Rational.zero, columns: [] };
    known.columns.push(shard);
    const price = place.get(placeRow) ?? Rational.zero;
    settled.set(device, { ...known, worth: known.worth.add(price.multiply(lower)) });
  }
  return settled;
}

/** The rows that speak of one device alone. */
function blockRows({ structure }: DirectProgram, device: number, withLoad: boolean): number[] {
  const isPooled = structure.hostRows.length !== structure.loadRows.length;
  const memory = [structure.hbmRows[device], isPooled ? null : structure.hostRows[device]];
  return [
    ...(withLoad ? [structure.loadRows[device] as number] : []),
    ...memory.flatMap((row) => row ?? []),
    ...structure.deviceRows.filter((row) => row.device === device).map(({ row }) => row),
  ];
}

function blockSteps(
  { program, structure }: DirectProgram,
  { devices }: DeviceClass,
  weights: readonly Weights[],
  withLoad: boolean,
  grain: Grain | null,
  isBound: boolean,
): Step[] {
  const device = devices[0] as number;
  const name = (row: number | null | undefined) =>
    row === null || row === undefined ? null : (program.rows[row]?.name as string);
  const load = name(withLoad ? structure.loadRows[device] : null);
  const hbm = name(structure.hbmRows[device]);
  const host = name(structure.hostRows.length === structure.loadRows.length ? structure.hostRows[device] : null);
  // What the load row counts in: grains once it is rounded, units of the program before.
  const measure = grain === null ? structure.unit : grain.size;
  const sets = weights.map((set): NamedMultipliers => {
    const entries: [string, string][] = [];
    const price = (row: string | null, value: Rational) => {
      if (row !== null && value.sign() > 0) entries.push([row, value.negate().toString()]);
    };
    price(load, short(set.cost * measure.toNumber()));
    price(hbm, short(set.hbm));
    price(host, short(set.host));
    return Object.fromEntries(entries);
  });
  const steps: Step[] = [];
  if (load !== null && grain !== null && !grain.isExact) {
    const factor = structure.unit.divide(grain.size).multiply(Rational.one.add(LIFT));
    steps.push({ round: { [load]: factor.toString() } });
  }
  steps.push(isBound ? { bound: sets[0] as NamedMultipliers } : { enumerate: sets });
  return steps;
}

/** A double near another, with few digits as a fraction: multipliers may be any numbers, and short ones are checked faster. */
function short(value: number): Rational {
  if (value <= 0) return Rational.zero;
  const exponent = Math.floor(Math.log2(value)) - 24;
  const scaled = Math.round(value / 2 ** exponent);
  return exponent >= 0
    ? Rational.of(BigInt(scaled) << BigInt(exponent))
    : Rational.of(BigInt(scaled), 1n << BigInt(-exponent));
}
