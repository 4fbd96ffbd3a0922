import type { World } from "../../src/access/traffic/exchange.js";
import type { WireSpeed, WireSpeeds } from "../../src/cost/dmt/collective-seconds.js";
import { HARDWARE } from "../../src/cost/dmt/hardware.js";
import type { TowerJoint, TowerLink } from "../../src/instance/types/tower-partition.js";

/** A number of towers, each of the same number of hosts. */
export interface TowerShape {
  /** T. */
  readonly towers: number;
  /** K. */
  readonly hostsPerTower: number;
}

/** The world of `nodes` hosts that are parted into T towers of K hosts. */
export function worldOf({ cluster: { nodes, gpusPerNode } }: TowerJoint, { hostsPerTower }: TowerShape): World {
  return { ranks: nodes * gpusPerNode, gpusPerHost: gpusPerNode, hostsPerTower };
}

/** The speeds of both kinds of links: as the instance gives them, else those of its hardware (DMT, table 1). */
export function speedsOf({ cluster }: TowerJoint): WireSpeeds {
  const hardware = HARDWARE.find(({ name }) => name === cluster.hardware);
  const speed = ({ latencySeconds, bandwidth }: TowerLink, asMade: number | undefined): WireSpeed => {
    if (bandwidth !== null) return { latencySeconds, bandwidth };
    if (asMade === undefined) throw new RangeError("links without a bandwidth need a hardware");
    return { latencySeconds, bandwidth: [{ world: 1, bytesPerSecond: asMade }] };
  };
  return {
    insideHost: speed(cluster.insideHost, hardware?.scaleUpBytesPerSecond),
    acrossHosts: speed(cluster.acrossHosts, hardware?.scaleOutBytesPerSecond),
  };
}

/** O_t of a tower of so many features; `undefined` where there are no tower modules. */
export function moduleOutput({ modules }: TowerJoint, features: number): number | undefined {
  return modules === null ? undefined : modules.width * (modules.perFeature * features + modules.perTower);
}
