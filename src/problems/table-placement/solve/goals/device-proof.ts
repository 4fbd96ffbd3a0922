import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import { Rational } from "../../../../exact/rational.js";
import type { BlockClaim, NamedMultipliers, Step } from "../../../../proof/certificate.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { short } from "../bounds/pattern-proof.js";
import type { Weights } from "../patterns/dual-weights.js";
import type { DeviceRoot, Generated } from "./device-generation.js";
import { type DeviceProblem, deviceModel } from "./device-model.js";
import { leastWorths, pricedOn } from "./device-pricing.js";
import { withoutHeavyOptions } from "./heavy-options.js";

/** The claim is lowered by this part before what is left below it is looked at. */
const MARGIN = Rational.of(1n, 100_000n);

/**
 * The bound proved, with whole numbers for what shards are worth: each device as a block of the rows that speak of it alone, whose
 * minimum is shown by going through its patterns. `null` where nothing is.
 */
export function deviceProof(devices: DeviceProblem, { generated, scale, cutoff }: DeviceRoot): BoundProof | null {
  const below = (value: Rational) => {
    const narrowed = withoutHeavyOptions(devices, value);
    const closed = narrowed && closingStep(devices, narrowed.space, generated, scale);
    return closed && { claim: closed.total, steps: [...narrowed.steps, closed.step] };
  };
  // In doubles, searched: a claim to try, checked as it comes out.
  const expected = Rational.fromNumber(Math.max(0, Math.min(generated.value, cutoff.toNumber())));
  // Below what the search came to less is left, and what is left is nearly always enough to prove it.
  const direct = lowered(expected, MARGIN);
  const proof = direct.sign() <= 0 ? null : below(direct);
  if (proof !== null && proof.claim.compare(direct) >= 0) return { ...proof, claim: direct };
  const first = below(cutoff);
  if (first === null) return null;
  // What is left below a lower claim is less, so that the bound of that reaches it.
  const claim = lowered(first.claim.compare(cutoff) < 0 ? first.claim : cutoff, MARGIN);
  const last = below(claim);
  return last === null || last.claim.compare(claim) < 0 ? null : { claim, steps: last.steps };
}

/** A whole number below a value, less a part of it. */
export function lowered(value: Rational, margin: Rational): Rational {
  return Rational.of(value.multiply(Rational.one.subtract(margin)).floor());
}

/** What takes a space apart into its devices, and the bound that comes of it, in `scale` at what was generated. */
export function closingStep(
  devices: DeviceProblem,
  space: SearchSpace,
  { worths, weights: near }: Generated,
  scale: number,
): { readonly total: Rational; readonly step: Step } | null {
  const { blocks } = devices;
  const model = deviceModel(devices, space);
  if (model === null) return null;
  // Whole numbers, of which the sums of doubles are exact.
  const own = model.kinds.map(({ row }) => Math.round(worths.get(row) ?? 0));
  const scaled = own.map((worth) => worth / scale);
  let total = space.view.constant;
  for (const least of leastWorths(model, own)) total = total.add(Rational.fromNumber(least));
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
  const priced = [
    // In doubles, searched: a price, any is checked.
    [capRows[device], cost * unit.toNumber()],
    [hbmRows[device], hbm],
    [hostRows[device], host],
  ] as const;
  const entries = priced.flatMap(([row, weight]) => {
    if (row === null || row === undefined || !view.rows.has(row) || !(weight > 0)) return [];
    const multiplier = short(weight * scale).negate();
    return [[program.rows[row]?.name as string, multiplier.toString()] as const];
  });
  return Object.fromEntries(entries);
}
