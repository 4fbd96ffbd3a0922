import type { NeuralProgram } from "../../../../../../models/table-placement/learned/build.js";
import type { BestBound } from "../../best-bound.js";
import { DeviceBlock } from "./device-block.js";
import { costliestProof, priceProof } from "./price-proof.js";
import { PriceMaster } from "./prices.js";
import { SignSearch } from "./sign-search.js";

/** Steps up to the first proof on the way; after each the next comes at twice as many and so many more. */
const FIRST_PROOF = 20;

/** A proof, and its check in the end, are expected to take this much more of a step's time than the first proof did of the first step. */
const MARGIN = 3;

export interface PriceOptions {
  /** Steps end where they cannot raise the bound by this part. */
  readonly precision: number;
  /** Ends the steps, before the last proof. */
  readonly isLate: () => boolean;
  /** Whether there is so much time, in seconds: for a proof. */
  readonly affords: (seconds: number) => boolean;
  readonly shouldStop: () => boolean;
  /** Called when a bound has been checked; `true` ends the search. */
  readonly onBound: () => boolean;
}

/** Whether a program's devices are alike, as the price bound has them. */
export function hasPriceBound({ structure }: NeuralProgram): boolean {
  return structure.symmetry.isSymmetric && structure.devices.length > 1;
}

/**
 * Raises the bound by the costliest table and by prices of all (see {@link PriceMaster}): proofs are offered at the beginning,
 * now and then, and at the end, while there is time for one.
 */
export function searchPrices(built: NeuralProgram, best: BestBound, options: PriceOptions): void {
  const block = new DeviceBlock(built);
  const signs = new SignSearch(block, options.shouldStop);
  const costliest = costliestProof(block, signs);
  if (costliest !== null) {
    best.offer(costliest);
    if (options.onBound()) return;
  }
  const begun = stopwatch();
  const master = PriceMaster.begin(block, signs);
  if (master === null) return;
  const beginning = begun();
  const prove = (): boolean => {
    const proof = priceProof(block, signs, master.best.prices);
    if (proof === null) return false;
    best.offer(proof);
    return options.onBound();
  };
  const proving = stopwatch();
  if (prove()) return;
  const ratio = proving() / beginning;
  let steps = 0;
  for (let next = FIRST_PROOF; !options.isLate(); ) {
    const stepping = stopwatch();
    const mayRise = master.step(options.precision);
    // Trees grow: where the last ones leave the time for one proof more and no other, this is it.
    if (!mayRise || !options.affords(MARGIN * ratio * stepping())) break;
    if (++steps < next) continue;
    if (prove()) return;
    next = 2 * next + FIRST_PROOF;
  }
  prove();
}

/** Says how many seconds have gone by. */
function stopwatch(): () => number {
  const started = performance.now();
  return () => (performance.now() - started) / 1000;
}
