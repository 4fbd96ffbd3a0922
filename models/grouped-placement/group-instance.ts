import type { PlacedDocument } from "../../src/instance/document.js";
import { type GroupShape, type GroupsChoice, groupShape } from "../../src/instance/types/groups.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";

/** An instance whose devices are parted into groups. */
export type GroupedInstance = TablePlacementInstance & { readonly groups: GroupsChoice };

/** The tables on one group of so many devices, with what its copies in the other groups cost. */
export function groupInstance({ groups, ...instance }: GroupedInstance, size: number): TablePlacementInstance {
  const { cluster, torchrec } = instance;
  const { nodes, gpusPerNode } = cluster;
  const shape = groupShape(cluster, groups.layout, size);
  if (shape === null) throw new RangeError(`groups of ${size} do not come out even`);
  const first = (bytes: readonly number[] | null) => bytes && alike(bytes).slice(0, size);
  return {
    ...instance,
    cluster: {
      ...cluster,
      nodes: shape.nodes,
      gpusPerNode: shape.gpusPerNode,
      hbmBytesPerGpu: first(cluster.hbmBytesPerGpu),
      hostBytesPerGpu: first(cluster.hostBytesPerGpu),
      ssdBytesPerGpu: first(cluster.ssdBytesPerGpu),
    },
    torchrec: torchrec && ofGroup(torchrec, shape),
    group: { shape, choice: groups, cluster: { nodes, gpusPerNode } },
  };
}

/** Shares of a host's memory differ by a byte; every group has to do with the least. */
function alike(bytes: readonly number[]): readonly number[] {
  const least = bytes.reduce((low, one) => Math.min(low, one), Number.POSITIVE_INFINITY);
  return bytes.map(() => least);
}

/** The same tables in a TorchRec problem whose ranks are those of one group, as its planner is asked for a `DMPCollection`. */
function ofGroup(document: PlacedDocument, { size, gpusPerNode }: GroupShape): PlacedDocument {
  const whole = document.value as { readonly topology?: object; readonly devices?: readonly DeviceInput[] };
  return {
    ...document,
    value: {
      ...whole,
      topology: { ...whole.topology, world_size: size, local_world_size: gpusPerNode },
      ...(whole.devices === undefined ? {} : { devices: new Array(size).fill(leastOf(whole.devices)) }),
    },
  };
}

type DeviceInput = Readonly<Record<string, number>>;

function leastOf(devices: readonly DeviceInput[]): DeviceInput {
  const [first = {}] = devices;
  const least = (key: string) =>
    devices.reduce((low, one) => Math.min(low, one[key] as number), Number.POSITIVE_INFINITY);
  return Object.fromEntries(Object.keys(first).map((key) => [key, least(key)]));
}
