import type { NeuralProgram } from "../../../../../../models/table-placement/learned/build.js";
import type { Work } from "../../../../../search/work.js";
import { SolverError } from "../../../../../solvers/solver-error.js";
import type { BestBound } from "../../best-bound.js";
import { DeviceBlock } from "./device-block.js";
import { costliestProof, priceProof } from "./price-proof.js";
import { openPriceMaster } from "./prices.js";
import { SignSearch } from "./sign-search.js";

/** Steps up to the first proof on the way; after each the next comes at twice as many and so many more. */
const FIRST_PROOF = 20;

/** How much more work than the first ones suggest a proof, beside a step, is expected to take. */
const MARGIN = 3;

export interface PriceOptions {
  /** Steps end where they cannot raise the bound by this part. */
  readonly precision: number;
  /** Over once there is no time for anything. */
  readonly work: Work;
  /** Ends the steps, before the last proof. */
  readonly isLate: () => boolean;
  /** Whether there are so many units of work, and the seconds that they stand for: for a proof. */
  readonly affords: (units: number) => boolean;
  /** Called when a bound has been checked; `true` ends the search. */
  readonly onBound: () => boolean;
}

/** Whether a program's devices are alike, as the price bound has them. */
export function hasPriceBound({ structure }: NeuralProgram): boolean {
  return structure.symmetry.isSymmetric && structure.devices.length > 1;
}

/**
 * Raises the bound by the costliest table and by prices of all (see {@link openPriceMaster}): proofs are offered at the beginning,
 * now and then, and at the end, while there is time for one. Where HiGHS ends, what is proved by then stays.
 */
export async function searchPrices(built: NeuralProgram, best: BestBound, options: PriceOptions): Promise<void> {
  const block = new DeviceBlock(built);
  try {
    const signs = await SignSearch.open(block, options.work.ask);
    try {
      await raise(block, signs, best, options);
    } finally {
      signs.dispose();
    }
  } catch (error) {
    if (!(error instanceof SolverError)) throw error;
  }
}

async function raise(block: DeviceBlock, signs: SignSearch, best: BestBound, options: PriceOptions): Promise<void> {
  const { work } = options;
  const costliest = costliestProof(block, signs, work);
  if (costliest !== null) {
    best.offer(costliest);
    if (options.onBound()) return;
  }
  const before = work.done;
  const master = await openPriceMaster(block, signs);
  if (master === null) return;
  const begun = work.done;
  const prove = (): boolean => {
    const proof = priceProof(block, signs, master.best().prices, work);
    if (proof === null) return false;
    best.offer(proof);
    return options.onBound();
  };
  try {
    if (prove()) return;
    const ratio = (work.done - begun) / Math.max(1, begun - before);
    let steps = 0;
    for (let next = FIRST_PROOF; !options.isLate(); ) {
      const from = work.done;
      const mayRise = master.step(options.precision, work.ask);
      // Trees grow: where the last ones leave the work for one proof more and no other, this is it.
      if (!mayRise || !options.affords(MARGIN * ratio * (work.done - from))) break;
      if (++steps < next) continue;
      if (prove()) return;
      next = 2 * next + FIRST_PROOF;
    }
    prove();
  } finally {
    master.dispose();
  }
}
