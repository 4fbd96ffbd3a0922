import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { BlockClaim, NamedMultipliers, Step } from "../../../../proof/certificate.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { short } from "../bounds/pattern-proof.js";
import type { Weights } from "../patterns/dual-weights.js";
import { deviceModel } from "./device-model.js";
import { type DeviceWeights, pricedOn } from "./device-pricing.js";
import type { Narrowed } from "./heavy-options.js";

/** What a bound of what devices may hold is proved from. */
export interface DeviceArgument {
  readonly problem: PlacementProblem;
  readonly blocks: DeviceBlocks;
  /** The bound in doubles. */
  readonly value: number;
  /** By row of the program, what placing a shard is worth. */
  readonly worths: ReadonlyMap<number, number>;
  /** What patterns are priced in. */
  readonly scale: number;
  /** By device, weights that leave many partial patterns there. */
  readonly weights?: DeviceWeights;
  /** The space of the points below a value. */
  readonly reducedTo: (value: Rational) => Narrowed | null;
  /** Placements are to be better than this. */
  readonly cutoff: Rational;
}

/** The claim is lowered by this part before what is left below it is looked at. */
const MARGIN = Rational.of(1n, 100_000n);

/**
 * The bound with whole numbers for what shards are worth: each device as a block of the rows that speak of it alone, whose
 * minimum is shown by going through its patterns.
 */
export function deviceProof(argument: DeviceArgument): BoundProof | null {
  const whole = wholeWorths(argument.worths);
  // In doubles, searched: a claim to try, checked as it comes out.
  const expected = Rational.fromNumber(Math.max(0, Math.min(argument.value, argument.cutoff.toNumber())));
  // Below what the search came to less is left, and what is left is nearly always enough to prove it.
  const direct = lowered(expected);
  const proof = direct.sign() <= 0 ? null : proofBelow(argument, whole, direct);
  if (proof !== null && proof.claim !== null && proof.claim.compare(direct) >= 0) return { ...proof, claim: direct };
  const first = proofBelow(argument, whole, argument.cutoff);
  if (first?.claim === null || first === null) return null;
  // What is left below a lower claim is less, so that the bound of that reaches it.
  const reached = first.claim.compare(argument.cutoff) < 0 ? first.claim : argument.cutoff;
  const claim = lowered(reached);
  const last = proofBelow(argument, whole, claim);
  return last === null || last.claim === null || last.claim.compare(claim) < 0 ? null : { claim, steps: last.steps };
}

function lowered(value: Rational): Rational {
  return Rational.of(value.multiply(Rational.one.subtract(MARGIN)).floor());
}

/** Whole numbers, of which the sums of doubles are exact. */
export function wholeWorths(worths: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...worths].map(([row, worth]) => [row, Math.round(worth)] as const));
}

function proofBelow(argument: DeviceArgument, worths: ReadonlyMap<number, number>, value: Rational): BoundProof | null {
  const narrowed = argument.reducedTo(value);
  const closed = narrowed && closingStep({ ...argument, worths }, narrowed.space);
  return closed && { claim: closed.total, steps: [...narrowed.steps, closed.step] };
}

/** What takes a space apart into its devices, and the bound that comes of it; worths are whole numbers. */
export function closingStep(
  { problem, blocks, scale, worths, weights: near = [] }: Omit<DeviceArgument, "reducedTo" | "cutoff" | "value">,
  space: SearchSpace,
): { readonly total: Rational; readonly step: Step } | null {
  const model = deviceModel(problem, blocks, space);
  if (model === null) return null;
  const own = model.kinds.map(({ row }) => worths.get(row) ?? 0);
  const scaled = own.map((worth) => worth / scale);
  let total = space.view.constant;
  for (const options of model.tables) {
    const sums = options.map((wanted) => wanted.reduce((sum, [kind, n]) => sum + n * (own[kind] as number), 0));
    if (sums.length > 0) total = total.add(Rational.fromNumber(Math.min(...sums)));
  }
  const claims: BlockClaim[] = [];
  const proofs: Step[][] = [];
  model.devices.forEach(({ parts }, device) => {
    if (parts.every((ways) => ways.length === 0)) return;
    const known = near[device];
    const { most, complete, weights } = pricedOn(model, device, scaled, {
      ...{ scale, shouldStop: () => false },
      ...(known === undefined ? {} : { weights: known }),
    });
    // Of whole numbers the greatest is whole; what doubles may have lost is less than one.
    const least = -Math.ceil(most * scale + (complete ? 0 : 1));
    total = total.add(Rational.fromNumber(least));
    const sets = weights.map((set) => namedWeights(blocks, space, device, set, scale));
    claims.push({
      rows: rowsOf(blocks, space, device),
      least: Rational.fromNumber(least).toString(),
      proof: proofs.length,
    });
    proofs.push([complete ? { enumerate: sets } : { bound: sets[0] as NamedMultipliers }]);
  });
  const multipliers = new Map(model.kinds.map(({ row }, kind) => [row, Rational.fromNumber(own[kind] as number)]));
  const step: Step = {
    ...{ decompose: space.named(multipliers), purpose: "bound", links: [] },
    ...{ blocks: claims, proofs },
  };
  return { total, step };
}

/** The rows that speak of one device alone, as far as they are left. */
function rowsOf(
  { capRows, hbmRows, hostRows, deviceRows }: DeviceBlocks,
  { program, view }: SearchSpace,
  device: number,
): string[] {
  const own = deviceRows.filter((row) => row.device === device).map(({ row }) => row);
  return [capRows[device], hbmRows[device], hostRows[device], ...own].flatMap((row) =>
    row === null || row === undefined || !view.rows.has(row) ? [] : [program.rows[row]?.name as string],
  );
}

/** Weights as multipliers of the device's rows: what cost and bytes take away is negative. */
function namedWeights(
  { capRows, hbmRows, hostRows, unit }: DeviceBlocks,
  { program, view }: SearchSpace,
  device: number,
  { cost, hbm, host }: Weights,
  scale: number,
): NamedMultipliers {
  const entries = (
    [
      // In doubles, searched: a price, any is checked.
      [capRows[device], cost * unit.toNumber()],
      [hbmRows[device], hbm],
      [hostRows[device], host],
    ] as const
  ).flatMap(([row, weight]): [string, string][] => {
    if (row === null || row === undefined || !view.rows.has(row) || !(weight > 0)) return [];
    return [
      [
        program.rows[row]?.name as string,
        short(weight * scale)
          .negate()
          .toString(),
      ],
    ];
  });
  return Object.fromEntries(entries);
}
