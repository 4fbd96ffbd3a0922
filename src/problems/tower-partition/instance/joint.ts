import { accessOf } from "../../../instance/access-of.js";
import { ELEMENT_BYTES } from "../../../instance/data-type.js";
import { withDefaultPoints } from "../../../instance/schema/hot-rows.js";
import type { TowerJoint, TowerLink, TowerTable } from "../../../instance/types/tower-partition.js";
import type { TowerJointInput } from "./schema.js";

/** The joint choice of an instance whose checks found nothing. */
export function towerJointOf({
  towers,
  cluster,
  training,
  tables,
  features,
  towerModules,
  splits,
  caches,
}: TowerJointInput): TowerJoint {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const { nodes, gpusPerNode, hbmBytesPerGpu, hostBytesPerGpu, hardware, bandwidth, latency } = cluster;
  const link = (kind: "insideHost" | "acrossHosts"): TowerLink => {
    const given = bandwidth[kind];
    const points = typeof given === "number" ? [[1, given] as const] : given;
    return {
      latencySeconds: latency[kind],
      bandwidth: points?.map(([world, bytesPerSecond]) => ({ world, bytesPerSecond })) ?? null,
    };
  };
  return {
    towers: towers === "any" ? null : towers,
    cluster: {
      nodes,
      gpusPerNode,
      hbmBytesPerGpu: hbmBytesPerGpu ?? null,
      ...(bandwidth.hostMemory === undefined
        ? {}
        : { host: { bytesPerGpu: hostBytesPerGpu ?? null, bytesPerSecond: bandwidth.hostMemory } }),
      hardware: hardware ?? null,
      insideHost: link("insideHost"),
      acrossHosts: link("acrossHosts"),
    },
    batchPerGpu: training.batchPerGpu,
    wireElementBytes: ELEMENT_BYTES[training.wireDataType],
    tables: features.map((feature): TowerTable => {
      const { rows, dim, dataType, poolingFactor, access } = byName.get(feature) as TowerJointInput["tables"][number];
      const known = access === undefined ? {} : { access: accessOf(access) };
      return { rows, dim, elementBytes: ELEMENT_BYTES[dataType], poolingFactor, ...known };
    }),
    modules: towerModules ?? null,
    ...(splits === undefined ? {} : { hotRows: withDefaultPoints(splits.hotRows) }),
    ...(caches === undefined ? {} : { caches: withDefaultPoints(caches) }),
  };
}

/** The numbers of towers that are tried, falling: divisors of the nodes that leave no tower empty, or the one asked for. */
export function towerNumbers({ towers, cluster: { nodes } }: TowerJoint, features: number): readonly number[] {
  if (towers !== null) return [towers];
  const all = Array.from({ length: Math.min(nodes, features) }, (_, k) => k + 1);
  return all.filter((count) => nodes % count === 0).reverse();
}
