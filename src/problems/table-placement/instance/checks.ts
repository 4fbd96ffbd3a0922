import type { Path } from "../../../instance/document.js";
import { type Finding, received } from "../../../instance/findings.js";
import { hasPlace, type PlacementCluster } from "../../../instance/types/table-placement.js";
import type { PlacementClusterParts } from "./cluster.js";
import type { OptionsInput, TablePlacementInput } from "./schema.js";

/** More devices, or shards of one option, than any cluster has: a slip in a number must not fill the memory. */
const MAX_DEVICES = 65_536;

type Tables = readonly { readonly name: string; readonly devices?: readonly number[] | undefined }[];

/** Checked before anything is made for every device. */
export function checkDeviceCount({ cluster }: TablePlacementInput): Finding[] {
  if (cluster === undefined || cluster.nodes * cluster.gpusPerNode <= MAX_DEVICES) return [];
  const message = `expected at most ${MAX_DEVICES} devices, received ${cluster.nodes} nodes of ${cluster.gpusPerNode} GPUs; correct nodes or gpusPerNode`;
  return [{ path: ["cluster", "nodes"], message }];
}

export function checkCluster(input: TablePlacementInput, parts: PlacementClusterParts): Finding[] {
  return [...checkMemory(input, parts), ...(input.costModel === "torchrec" ? checkTopology(input, parts) : [])];
}

function checkMemory({ cluster }: TablePlacementInput, { nodes, gpusPerNode }: PlacementClusterParts): Finding[] {
  if (cluster === undefined || nodes === null || gpusPerNode === null) return [];
  const devices = nodes * gpusPerNode;
  const findings: Finding[] = [];
  for (const key of ["hbmBytesPerGpu", "hostBytesPerGpu", "ssdBytesPerGpu"] as const) {
    const given = cluster[key];
    if (!Array.isArray(given) || given.length === devices) continue;
    const message = `expected ${devices} entries, one for each device, received ${given.length}; give them all, or one number for all`;
    findings.push({ path: ["cluster", key], message });
  }
  if (cluster.hostBytesPerNode !== undefined && cluster.hostBytesPerGpu !== undefined) {
    const message = "expected hostBytesPerGpu or hostBytesPerNode, received both; keep one";
    findings.push({ path: ["cluster", "hostBytesPerNode"], atKey: true, message });
  }
  return findings;
}

/** What the instance says of the devices in two places must agree. */
function checkTopology(
  { cluster, torchrec }: Extract<TablePlacementInput, { costModel: "torchrec" }>,
  { nodes, gpusPerNode }: PlacementClusterParts,
): Finding[] {
  const { world_size: ranks, local_world_size: local, pod_size: pod = 1 } = torchrec.topology;
  const at = (key: string): Path => ["torchrec", "topology", key];
  if (cluster === undefined) {
    if (ranks === undefined) {
      const message =
        "expected the number of ranks, received nothing; add the key world_size, or cluster with nodes and gpusPerNode";
      return [{ path: at("world_size"), message }];
    }
    if (ranks > MAX_DEVICES) {
      const message = `expected at most ${MAX_DEVICES} ranks, received ${ranks}; correct it`;
      return [{ path: at("world_size"), message }];
    }
    if (nodes !== null) return [];
    const message = `expected a multiple of ${pod * (local ?? ranks)}, the ranks of a host, received ${ranks}; change it or local_world_size`;
    return [{ path: at("world_size"), message }];
  }
  const findings: Finding[] = [];
  const same = (key: string, given: number | undefined, wanted: number, of: string) => {
    if (given === undefined || given === wanted) return;
    const message = `expected ${wanted}, ${of}, received ${given}; leave it out, or change one of the two`;
    findings.push({ path: at(key), message });
  };
  const size = gpusPerNode as number;
  same("world_size", ranks, (nodes as number) * size, "the devices of cluster");
  same("local_world_size", local, size / pod, pod === 1 ? "the gpusPerNode of cluster" : "gpusPerNode / pod_size");
  if (!Number.isInteger(size / pod)) {
    findings.push({
      path: at("pod_size"),
      message: `expected a divisor of gpusPerNode, received ${pod}; change one of the two`,
    });
  }
  const given = (["hbmBytesPerGpu", "hostBytesPerGpu", "ssdBytesPerGpu"] as const).filter(
    (key) => cluster[key] !== undefined,
  );
  if (torchrec.devices !== undefined && given.length > 0) {
    const message = "expected the memory of the devices once, received it in cluster too; keep one of the two";
    findings.push({ path: ["torchrec", "devices"], atKey: true, message });
  }
  if (cluster.hbmBytesPerGpu === undefined && given.length > 0) {
    const message = `expected hbmBytesPerGpu beside ${given[0]}, received nothing; add the key hbmBytesPerGpu`;
    findings.push({ path: ["cluster", "hbmBytesPerGpu"], message });
  }
  return findings;
}

export function checkCostModel(input: TablePlacementInput): Finding[] {
  const { costModel } = input;
  const isNeural = typeof costModel === "object";
  const name = isNeural ? "neural" : costModel;
  const used = {
    ...(isNeural || name === "lookup" || name === "size-lookup"
      ? { poolingFactor: "the mean look-ups per sample" }
      : {}),
    ...(isNeural ? { accessBins: "AutoShard's 17 shares of distinct indices" } : {}),
  };
  return (input.tables as readonly Readonly<Record<string, unknown>>[]).flatMap((table, index) =>
    Object.entries(used).flatMap(([key, what]): Finding[] => {
      if (table[key] !== undefined) return [];
      const message = `expected ${what}, because the cost model ${name} uses them, received nothing; add the key ${key}`;
      return [{ path: ["tables", index, key], message }];
    }),
  );
}

/** A cost network places parts of tables without knowing of one another. */
export function checkDistinctDevices({ costModel, tables }: TablePlacementInput): Finding[] {
  if (typeof costModel !== "object") return [];
  const message =
    "expected a cost model that adds up beside distinctDevices, received a network; leave it out, or change costModel";
  return (tables as readonly { readonly distinctDevices?: boolean | undefined }[]).flatMap((table, index): Finding[] =>
    table.distinctDevices ? [{ path: ["tables", index, "distinctDevices"], atKey: true, message }] : [],
  );
}

export function checkTableDevices(tables: Tables, { nodes, gpusPerNode }: PlacementCluster): Finding[] {
  const count = nodes * gpusPerNode;
  return tables.flatMap(({ devices = [] }, t) =>
    devices.flatMap((device, index): Finding[] => {
      const path = ["tables", t, "devices", index];
      if (device >= count) {
        const message = `expected a device from 0 to ${count - 1} (${nodes} × ${gpusPerNode}), received ${device}; correct it`;
        return [{ path, message }];
      }
      if (devices.indexOf(device) === index) return [];
      return [{ path, message: `expected each device once, received ${device} again; remove it` }];
    }),
  );
}

export function checkGroups({ tables, together, apart }: TablePlacementInput): Finding[] {
  const known = new Set((tables as Tables).map(({ name }) => name));
  return Object.entries({ together, apart }).flatMap(([key, groups]) =>
    groups.flatMap((group, g) =>
      group.flatMap((name, index): Finding[] => {
        const path = [key, g, index];
        if (!known.has(name)) {
          return [{ path, message: `expected the name of a table, received ${received(name)}; correct it` }];
        }
        if (group.indexOf(name) === index) return [];
        return [{ path, message: `expected each table once, received ${received(name)} again; remove it` }];
      }),
    ),
  );
}

/** At least one option of every table must have a place on the cluster; the others are left out. */
export function checkOptions(tables: OptionsInput["tables"], cluster: PlacementCluster): Finding[] {
  const { nodes, gpusPerNode } = cluster;
  return tables.flatMap(({ options, distinctDevices }, t): Finding[] => {
    const tooMany = options.findIndex(({ shards }) => shardsOf(shards) > MAX_DEVICES);
    if (tooMany !== -1) {
      const message = `expected at most ${MAX_DEVICES} shards, received more; correct the counts`;
      return [{ path: ["tables", t, "options", tooMany, "shards"], message }];
    }
    const isDistinct = (own: boolean | undefined) => own === true || distinctDevices === true;
    if (
      options.some((own) => hasPlace(own.partitionBy, shardsOf(own.shards), cluster, isDistinct(own.distinctDevices)))
    )
      return [];
    const message = `expected an option whose shards have a place on ${nodes} × ${gpusPerNode} devices (uniform, and distinctDevices: at most as many as devices; multi_host: whole groups of gpusPerNode), received none; correct the counts`;
    return [{ path: ["tables", t, "options"], message }];
  });
}

function shardsOf(shards: readonly (readonly [number, unknown])[]): number {
  return shards.reduce((sum, [count]) => sum + count, 0);
}
