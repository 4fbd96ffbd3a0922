/** How often a reward of smallest over largest device cost misleads. */
export interface MisledPairs {
  /** Pairs of plans whose largest device costs differ. */
  readonly pairs: number;
  /** Those in which the plan with the larger largest cost has the larger ratio: it is rewarded more. */
  readonly misled: number;
  /** Mean of (larger − smaller) / smaller of these, of the largest costs; 0 where there are none. */
  readonly meanExcess: number;
}

/**
 * Counts over all pairs of plans, given the costs of their devices in milliseconds. AutoShard rewards a plan with the ratio of the
 * smallest to the largest device cost (section 4.3), but how long an iteration takes is the largest alone; where costs do not
 * add up, a plan that balances better may be slower.
 */
export function misledPairs(plans: readonly (readonly number[])[]): MisledPairs {
  const measured = plans.map((costs) => {
    const largest = Math.max(...costs);
    return { largest, ratio: largest > 0 ? Math.min(...costs) / largest : 0 };
  });
  let [pairs, misled, excess] = [0, 0, 0];
  for (const [i, one] of measured.entries()) {
    for (const other of measured.slice(i + 1)) {
      const [slow, fast] = one.largest > other.largest ? [one, other] : [other, one];
      if (slow.largest === fast.largest) continue;
      pairs++;
      if (slow.ratio <= fast.ratio) continue;
      misled++;
      excess += (slow.largest - fast.largest) / fast.largest;
    }
  }
  return { pairs, misled, meanExcess: misled === 0 ? 0 : excess / misled };
}

/** The counts of several groups of plans together; pairs across groups do not count. */
export function misledInAll(groups: readonly MisledPairs[]): MisledPairs {
  const sum = (of: (group: MisledPairs) => number) => groups.reduce((total, group) => total + of(group), 0);
  const misled = sum((group) => group.misled);
  const meanExcess = misled === 0 ? 0 : sum((group) => group.meanExcess * group.misled) / misled;
  return { pairs: sum((group) => group.pairs), misled, meanExcess };
}
