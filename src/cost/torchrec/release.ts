/** Releases of TorchRec whose planner's costs are known, by their first two numbers, the newest last. */
export const RELEASES = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9"] as const;
export type TorchrecRelease = (typeof RELEASES)[number];

/** The release whose costs a problem has that names none. */
export const NEWEST_RELEASE: TorchrecRelease = "1.9";

/**
 * The release that a version is of: `1.1`, `"1.1.0"`, `"1.7.0-rc1"` and `"1.9.0a0"` are of 1.1, 1.7 and 1.9. `null`: of none
 * that is known.
 */
export function releaseOf(version: number | string): TorchrecRelease | null {
  const [, major, minor = "0"] = /^(\d+)(?:\.(\d+)(?:[.+-]\S*|(?:a|b|rc)\d+)?)?$/.exec(String(version)) ?? [];
  return RELEASES.find((release) => release === `${major}.${minor}`) ?? null;
}

/** What a version has to be, in words. */
export const KNOWN_RELEASES = `a release of TorchRec whose costs are known, ${RELEASES[0]} to ${NEWEST_RELEASE}`;

/** Whether `release` is older than `first`. */
export function isBefore(release: TorchrecRelease, first: TorchrecRelease): boolean {
  return RELEASES.indexOf(release) < RELEASES.indexOf(first);
}

/** What a newer release does otherwise than an older one, which lacks it. */
function since(first: TorchrecRelease): (release: TorchrecRelease) => boolean {
  return (release) => !isBefore(release, first);
}

/** Host memory is read through the link between it and HBM, not at its own bandwidth; a load factor of 0 is one. */
export const hasHostLink = since("1.1");

/** Inputs and outputs that a pipeline holds add up; otherwise the larger of the two counts. */
export const addsPipelineOutputs = since("1.1");

/** The state of an optimizer that runs in the backward pass counts as memory. */
export const countsOptimizerState = since("1.1");

/** table_row_wise and grid_shard exchange between hosts in both passes (torchrec#2782), not in the forward pass alone. */
export const exchangesBackward = since("1.2");

/** A feature with fewer than one index for a sample is absent from some, and has no outputs there. */
export const omitsAbsentFeatures = since("1.7");
