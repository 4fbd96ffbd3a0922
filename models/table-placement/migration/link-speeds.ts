import { readPlacedTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import type { Link } from "./transfers.js";

/** Bytes per second of a device over each link, either way; `null` where the instance does not say. */
export type LinkSpeeds = Readonly<Record<Exclude<Link, "local">, number | null>>;

/** Those of `cluster.bandwidth`; beside TorchRec's cost model, where that leaves one out, those of its topology. */
export function linkSpeeds({ cluster, torchrec }: TablePlacementInstance): LinkSpeeds {
  const topology = torchrec === null ? null : readPlacedTorchrecProblem(torchrec).topology;
  const speed = (given: number | undefined, perMillisecond: number | undefined) =>
    given ?? (perMillisecond === undefined ? null : perMillisecond * 1000);
  const { hostToDevice, allToAllIntra, allToAllGlobal } = cluster.bandwidth ?? {};
  return {
    host: speed(hostToDevice, topology?.hbmToDdrBandwidth),
    inside: speed(allToAllIntra, topology?.intraHostBandwidth),
    between: speed(allToAllGlobal, topology?.interHostBandwidth),
  };
}

/** Bytes that go from one device to another (or within one) over a link. */
export interface Sent {
  readonly from: number;
  readonly to: number;
  readonly link: Link;
  readonly bytes: number;
}

/**
 * Seconds that it takes, all devices at once: of every device and link the larger of what comes and what goes, at the link's
 * speed, and of these the largest. `null` where bytes go over a link whose speed is not known.
 */
export function secondsOf(sent: readonly Sent[], speeds: LinkSpeeds): number | null {
  let most = 0;
  for (const link of ["host", "inside", "between"] as const) {
    const over = sent.filter((one) => one.link === link && one.bytes > 0);
    if (over.length === 0) continue;
    const speed = speeds[link];
    if (speed === null) return null;
    for (const side of ["from", "to"] as const) {
      const sums = new Map<number, number>();
      for (const one of over) sums.set(one[side], (sums.get(one[side]) ?? 0) + one.bytes);
      for (const bytes of sums.values()) most = Math.max(most, bytes / speed);
    }
  }
  return most;
}
