/** The ranks (GPUs) of a job, the hosts they sit in and the towers that hosts make up. */
export interface World {
  /** G: number of ranks; hosts are filled one after the other, so rank g is in host ⌊g/L⌋. */
  readonly ranks: number;
  /** L: ranks per host, joined by NVLink. */
  readonly gpusPerHost: number;
  /** K: hosts per tower (1 in all of the paper's measurements). */
  readonly hostsPerTower: number;
}

/** M = K·L, the ranks of a tower: rank g is slot g mod M of tower ⌊g/M⌋. */
export function ranksPerTower({ gpusPerHost, hostsPerTower }: World): number {
  return gpusPerHost * hostsPerTower;
}

/**
 * T = G/M, the number of towers (DMT, section 3.1.3).
 *
 * Throws `RangeError` where a number of the world is not a positive integer, or where hosts or towers would not be full.
 */
export function towerCount(world: World): number {
  const { ranks, gpusPerHost, hostsPerTower } = world;
  for (const [name, value] of Object.entries({ ranks, gpusPerHost, hostsPerTower })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} is ${value}, not a positive integer`);
  }
  const towers = ranks / ranksPerTower(world);
  if (Number.isInteger(towers)) return towers;
  throw new RangeError(`${ranks} ranks do not fill towers of ${hostsPerTower} × ${gpusPerHost} ranks each`);
}
