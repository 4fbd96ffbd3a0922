import type { NeuralProgram } from "../../../../models/neural-placement/build.js";
import type { BestBound } from "../../table-placement/best-bound.js";
import { DeviceBlock } from "./device-block.js";
import { costliestProof, priceProof } from "./price-proof.js";
import { PriceMaster } from "./prices.js";
import { SignSearch } from "./sign-search.js";

/** Steps up to the first proof on the way; after each the next comes at twice as many and so many more. */
const FIRST_PROOF = 20;

export interface PriceOptions {
  /** Steps end where they cannot raise the bound by this part. */
  readonly precision: number;
  /** Ends the steps, before the last proof. */
  readonly isLate: () => boolean;
  readonly shouldStop: () => boolean;
  /** Called when a bound has been checked; `true` ends the search. */
  readonly onBound: () => boolean;
}

/** Whether a program's devices are alike, as the price bound has them. */
export function hasPriceBound({ structure }: NeuralProgram): boolean {
  return structure.symmetry.isSymmetric && structure.devices.length > 1;
}

/** Raises the bound by the costliest table and by prices of all (see {@link PriceMaster}): proofs are offered now and then, and at the end. */
export function searchPrices(built: NeuralProgram, best: BestBound, options: PriceOptions): void {
  const block = new DeviceBlock(built);
  const signs = new SignSearch(block, options.shouldStop);
  const costliest = costliestProof(block, signs);
  if (costliest !== null) {
    best.offer(costliest);
    if (options.onBound()) return;
  }
  const master = PriceMaster.begin(block, signs);
  if (master === null) return;
  const prove = (): boolean => {
    const proof = priceProof(block, signs, master.best.prices);
    if (proof === null) return false;
    best.offer(proof);
    return options.onBound();
  };
  let steps = 0;
  for (let next = FIRST_PROOF; !options.isLate() && master.step(options.precision); ) {
    if (++steps < next) continue;
    if (prove()) return;
    next = 2 * next + FIRST_PROOF;
  }
  prove();
}
