import { deviceCount, type PlacementProblem } from "../../../models/table-placement/problem.js";
import type { PlacementPrice, PlacementPrices } from "./plan-file.js";

/** What the search found of a change of the cluster. */
export type FoundPrice = Pick<PlacementPrice, "rate" | "value" | "reason">;

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

function priceOf(change: string, own: number, { rate, value, reason }: FoundPrice): PlacementPrice {
  return { change, rate, value, difference: value === null ? null : value - own, reason };
}
