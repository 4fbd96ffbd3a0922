import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { LEAST_EXPONENT, Rational } from "../../../../exact/rational.js";
import type { BlockClaim, DecomposeStep, NamedMultipliers, Step } from "../../../../proof/certificate.js";
import type { Multipliers } from "../../../../proof/kernel/bound.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { Granule } from "../cost-granularity.js";
import type { Weights } from "../patterns/dual-weights.js";
import type { BoundProof } from "./bound-proof.js";
import { namedMultipliers, withNodeDuals } from "./choice-prices.js";
import { ReducedBox, type ReductionStep, settledShards, writtenStep } from "./reduction-steps.js";

/** Why no devices can hold everything: what shards are worth, and what a device can hold at most of it. */
export interface PatternArgument {
  /** Per orbit, whole numbers. */
  readonly duals: ArrayLike<number>;
  /** Per class of devices, a whole number: no pattern is worth more. */
  readonly most: readonly number[];
  /** Per class, prices of cost and memory by which branches are left. */
  readonly weights: readonly (readonly Weights[])[];
}

/** Below its true value by this part, so that it holds for sums of doubles that are whole granules but for rounding. */
const MARGIN = Rational.of(1n, 2n ** 40n);

/**
 * A granule is divided out with a factor above its inverse by this part, so that rounding leaves no cost a granule
 * short.
 */
const LIFT = Rational.of(1n, 2n ** 45n);

/** "The largest cost is at least so many granules", as the program's exact costs have it. */
export function claimOfGranules(granule: Granule, granules: bigint): Rational {
  const value = granule.size.multiply(Rational.of(granules));
  return granule.isExact ? value : value.multiply(Rational.one.subtract(MARGIN));
}

/**
 * Proves that the largest cost is at least `claim` (`null`: that there is no placement): with the largest cost below
 * it, and the prices on all shards, the devices as independent blocks hold less than everything is worth.
 */
export function patternProof(
  direct: DirectProgram,
  model: PatternModel,
  argument: PatternArgument,
  claim: Rational | null,
  granule: Granule | null,
  reductions: readonly ReductionStep[] = [],
): BoundProof {
  if (claim === null) return { claim, steps: [decomposeStep(direct, model, argument, null, granule)] };
  const before: readonly ReductionStep[] = [{ kind: "fix", multipliers: new Map() }, ...reductions];
  const reduced = new ReducedBox(direct, claim);
  for (const step of before) reduced.apply(step);
  const last = decomposeStep(direct, model, argument, reduced.box, granule);
  return { claim, steps: [...before.map((step) => writtenStep(direct, step)), last] };
}

/**
 * The step that closes a node whose box is `box` (`null`: the whole program, where there is to be no placement at all),
 * because its devices as independent blocks hold less than everything is worth.
 */
function decomposeStep(
  direct: DirectProgram,
  model: PatternModel,
  { duals, most, weights }: PatternArgument,
  box: Box | null,
  granule: Granule | null,
): DecomposeStep {
  const { program, structure } = direct;
  const place = new Map<number, Rational>();
  model.orbits.forEach(({ rows }, orbit) => {
    const dual = Rational.fromNumber(duals[orbit] as number);
    for (const row of rows) place.set(row, dual);
  });
  const name = (row: number) => program.rows[row]?.name as string;
  const settled = settledWorth(direct, place, box);
  const blocks: BlockClaim[] = [];
  const proofs: Step[][] = [];
  model.classes.forEach((one, k) => {
    // Devices of a class with shards that are settled there from the outset are no longer alike.
    const byWorth = new Map<string, number>();
    for (const device of one.devices) {
      const { worth, columns } = settled.get(device) ?? { worth: Rational.zero, columns: [] };
      const least = worth.subtract(Rational.fromNumber(most[k] as number)).toString();
      const key = columns.map(({ table, option, most: count }) => `${table} ${option} ${count}`).join("|");
      const own = rowsOf(direct, device, box !== null);
      let proof = byWorth.get(key);
      if (proof === undefined) {
        proof = proofs.push(blockSteps(direct, own, weights[k] as readonly Weights[], granule)) - 1;
        byWorth.set(key, proof);
      }
      const rows = [own.load, own.hbm, own.host, ...own.others].flatMap((row) => row ?? []);
      blocks.push({ rows: rows.map(name), least, proof });
    }
  });
  return {
    decompose: namedMultipliers(direct, withNodeDuals(direct, place)),
    purpose: "infeasible",
    links: [program.columns[structure.largest]?.name as string],
    blocks,
    proofs,
  };
}

/**
 * What the shards are worth that the steps before settle on a device, because they can be nowhere else: they are in no
 * block, and what is left of a pattern is worth as much less.
 */
function settledWorth(
  direct: DirectProgram,
  place: Multipliers,
  box: Box | null,
): Map<number, { worth: Rational; columns: ShardColumn[] }> {
  const settled = new Map<number, { worth: Rational; columns: ShardColumn[] }>();
  if (box === null) return settled;
  for (const shard of settledShards(direct, box)) {
    const { column, device, placeRow } = shard;
    const known = settled.get(device) ?? { worth: Rational.zero, columns: [] };
    known.columns.push(shard);
    const dual = place.get(placeRow) ?? Rational.zero;
    settled.set(device, { ...known, worth: known.worth.add(dual.multiply(box.lower[column] as Rational)) });
  }
  return settled;
}

/** Rows that speak of one device alone, `null` where there is none of the kind. */
function rowsOf({ structure }: DirectProgram, device: number, withLoad: boolean) {
  const isPooled = structure.hostRows.length !== structure.loadRows.length;
  return {
    load: withLoad ? (structure.loadRows[device] as number) : null,
    hbm: structure.hbmRows[device] ?? null,
    host: isPooled ? null : (structure.hostRows[device] ?? null),
    others: structure.deviceRows.filter((row) => row.device === device).map(({ row }) => row),
  };
}

function blockSteps(
  { program, structure }: DirectProgram,
  { load, hbm, host }: ReturnType<typeof rowsOf>,
  weights: readonly Weights[],
  granule: Granule | null,
): Step[] {
  const name = (row: number) => program.rows[row]?.name as string;
  // What the load row counts in: granules once it is rounded, units of the program before.
  const measure = granule === null ? structure.unit : granule.size;
  const steps: Step[] = [];
  if (load !== null && granule !== null && !granule.isExact) {
    const factor = structure.unit.divide(granule.size).multiply(Rational.one.add(LIFT));
    steps.push({ round: { [name(load)]: factor.toString() } });
  }
  const sets = weights.map((set): NamedMultipliers => {
    const entries: [string, string][] = [];
    const dual = (row: number | null, value: Rational) => {
      if (row !== null && value.sign() > 0) entries.push([name(row), value.negate().toString()]);
    };
    // In doubles, searched: a price, any is checked.
    dual(load, short(set.cost * measure.toNumber()));
    dual(hbm, short(set.hbm));
    dual(host, short(set.host));
    return Object.fromEntries(entries);
  });
  return [...steps, { enumerate: sets }];
}

/**
 * A double near another, with few digits as a fraction: multipliers may be any numbers, and short ones are checked
 * faster.
 */
export function short(value: number): Rational {
  if (value <= 0) return Rational.zero;
  const exponent = Math.max(LEAST_EXPONENT, Math.floor(Math.log2(value)) - 24);
  const scaled = Math.round(value / 2 ** exponent);
  return exponent >= 0
    ? Rational.of(BigInt(scaled) << BigInt(exponent))
    : Rational.of(BigInt(scaled), 1n << BigInt(-exponent));
}
