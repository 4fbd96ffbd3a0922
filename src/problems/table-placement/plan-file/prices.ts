import { deviceCount, type Placement, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { PlacementPrice, PlacementPrices } from "./plan-file.js";
import { writtenChoices } from "./written-choices.js";

/** What the search found of a change of the cluster. */
export interface FoundPrice extends Pick<PlacementPrice, "rate" | "value" | "bound" | "reason"> {
  readonly proof: PriceProof | null;
}

/** What shows a price: for a value a placement of the changed problem, and a certificate about its program. */
export interface PriceProof {
  /** `null`: the plan's own. */
  readonly placement: Placement | null;
  /** `null`: the steps of the plan's own. */
  readonly certificate: Certificate | null;
}

/** Why a changed problem was not solved: said of any change, before it is known whether its problem can be made at all. */
export const UNSOLVED = {
  unproved: "the plan itself is not proved",
  late: "not settled in the time that was left",
} as const;

export interface FoundPrices {
  readonly gibPerGpu: FoundPrice;
  readonly device: FoundPrice;
}

/** The prices as the plan file has them, beside what the plan itself comes to. */
export function describePrices(
  problem: PlacementProblem,
  own: number,
  { gibPerGpu, device }: FoundPrices,
): PlacementPrices {
  const { nodes, gpusPerNode } = problem;
  const more =
    nodes === 1
      ? `one more device, ${gpusPerNode + 1} in all, like the last one`
      : `one more node, ${nodes + 1} in all, like the last one`;
  return {
    gibPerGpu: priceOf(`1 GiB more on each of the ${deviceCount(problem)} devices`, own, gibPerGpu),
    device: priceOf(more, own, device),
  };
}

function priceOf(change: string, own: number, { rate, value, bound, reason, proof }: FoundPrice): PlacementPrice {
  const difference = value === null ? null : value - own;
  const price = { change, rate, value, difference, ...(bound === undefined ? {} : { bound }), reason };
  if (proof === null) return price;
  const { placement, certificate } = proof;
  return { ...price, proof: { choices: placement && writtenChoices(placement), certificate } };
}
