import type { Finding } from "../../../instance/findings.js";
import type { MovesFrom, PlacementCluster } from "../../../instance/types/table-placement.js";

/** Which of a plan's ranks is which device of the instance that moves from it. */
export type RanksNow = Pick<MovesFrom, "ranks" | "goneHosts">;

type Shape = Pick<PlacementCluster, "nodes" | "gpusPerNode">;

/**
 * The devices that the ranks of a plan on the cluster `then` are now: those given, or the devices of the same number on the
 * same host, which are gone where there is no such device.
 */
export function ranksNow(then: Shape, now: Shape, given?: readonly (number | null)[]): RanksNow {
  const devices = now.nodes * now.gpusPerNode;
  const hostThen = (rank: number) => Math.floor(rank / then.gpusPerNode);
  const known =
    given ??
    Array.from({ length: then.nodes * then.gpusPerNode }, (_, rank) => {
      const [host, slot] = [hostThen(rank), rank % then.gpusPerNode];
      return host < now.nodes && slot < now.gpusPerNode ? host * now.gpusPerNode + slot : null;
    });
  const goneHosts: number[] = [];
  const ranks = known.map((device, rank) => {
    if (device !== null) return device;
    // A host is still there where another of its devices is.
    const sibling = known.find((other, k) => other !== null && hostThen(k) === hostThen(rank)) ?? null;
    goneHosts.push(sibling === null ? now.nodes + hostThen(rank) : Math.floor(sibling / now.gpusPerNode));
    return devices + goneHosts.length - 1;
  });
  return { ranks, goneHosts };
}

/** The devices that a file gives for ranks: one for each rank, none twice. */
export function checkRanks(given: readonly (number | null)[], ranks: number, devices: number): Finding[] {
  if (given.length !== ranks) {
    const message = `expected ${ranks} entries, one for each rank of the plan, received ${given.length}; give them all`;
    return [{ path: ["from", "ranks"], message }];
  }
  return given.flatMap((device, rank): Finding[] => {
    if (device === null) return [];
    const path = ["from", "ranks", rank];
    if (device >= devices) {
      return [{ path, message: `expected a device from 0 to ${devices - 1}, received ${device}; correct it` }];
    }
    if (given.indexOf(device) === rank) return [];
    return [{ path, message: `expected each device once, received ${device} again; correct it` }];
  });
}
