import type { Path } from "../../instance/document.js";
import type { Finding } from "../../instance/findings.js";
import { type ComputeKernel, GUARDED_KERNELS } from "./kernels.js";
import { isBefore, KNOWN_RELEASES, NEWEST_RELEASE, releaseOf, type TorchrecRelease } from "./release.js";
import type { TorchrecProblemInput, TorchrecTableInput } from "./schema.js";

/** What the schema cannot say about a problem file: numbers that must fit together. */
export function checkTorchrecProblem(input: TorchrecProblemInput): Finding[] {
  return [
    ...checkRelease(input),
    ...checkTopology(input),
    ...checkNames(input.tables),
    ...input.tables.flatMap(checkTable),
    ...input.tables.flatMap((table, index) => checkRowNodes(input, table, index)),
    ...input.tables.flatMap((table, index) => checkTpu(input, table, index)),
  ];
}

function checkTopology({ topology, devices }: TorchrecProblemInput): Finding[] {
  const { world_size: worldSize, local_world_size: localWorldSize = worldSize, pod_size: podSize } = topology;
  const group = podSize * localWorldSize;
  const findings: Finding[] = [];
  if (worldSize % group !== 0) {
    findings.push({
      path: ["topology", "world_size"],
      message: `expected a multiple of ${group}, the ranks of ${podSize === 1 ? "a host" : "an NVLink domain"}, received ${worldSize}; change it or local_world_size`,
    });
  }
  const lists: [Path, readonly unknown[] | undefined][] = [
    [["devices"], devices],
    [["topology", "hbm_cap"], topology.hbm_cap],
    [["topology", "ddr_cap"], topology.ddr_cap],
  ];
  for (const [path, list] of lists) {
    if (list === undefined || list.length === worldSize) continue;
    findings.push({
      path,
      message: `expected ${worldSize} entries, one for each rank, received ${list.length}; change them or world_size`,
    });
  }
  return findings;
}

function checkNames(tables: readonly TorchrecTableInput[]): Finding[] {
  const first = new Map<string, number>();
  return tables.flatMap(({ name }, index): Finding[] => {
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, index);
      return [];
    }
    const message = `expected a name that no other table has, received ${name}, the name of tables[${earlier}] too; rename one`;
    return [{ path: ["tables", index, "name"], message }];
  });
}

function checkTable(table: TorchrecTableInput, index: number): Finding[] {
  const at: Path = ["tables", index];
  return [...checkFeatureLists(table, at), ...checkSharder(table, at), ...checkCacheStatistics(table, at)];
}

/** torchrec#4681 refuses what it cannot use when it plans. */
function checkRowNodes(
  { topology, multi_node_table_row_wise: isAllowed }: TorchrecProblemInput,
  { num_nodes: given }: TorchrecTableInput,
  index: number,
): Finding[] {
  if (given === undefined) return [];
  const path: Path = ["tables", index, "num_nodes"];
  if (!isAllowed) {
    const message =
      "num_nodes is proposed (torchrec#4681) and in no release; leave it out, or say multi_node_table_row_wise: true under torchrec";
    return [{ path, message }];
  }
  const { world_size: ranks, local_world_size: local = ranks, pod_size: pod } = topology;
  const hosts = Math.floor(ranks / (pod * local));
  const most = Math.max(...[given].flat());
  if (most <= hosts) return [];
  return [{ path, message: `expected at most ${hosts}, the nodes that there are, received ${most}; correct it` }];
}

/** On TPUs TorchRec enumerates a kernel that its estimator raises for, but where a table names its kernels. */
function checkTpu(
  { topology }: TorchrecProblemInput,
  { name, sharder, compute_kernels }: TorchrecTableInput,
  index: number,
): Finding[] {
  const isQuantised = sharder === "quant_embedding_bag_collection";
  if (topology.compute_device !== "tpu" || isQuantised || compute_kernels?.length) return [];
  const message = `expected compute_kernels of ${name}, because TorchRec's own planner raises for unfused_tpu without, received none; say compute_kernels: [fused]`;
  return [{ path: ["tables", index, "compute_kernels"], message }];
}

function checkFeatureLists(table: TorchrecTableInput, at: Path): Finding[] {
  const features = table.pooling_factors.length;
  return (["num_poolings", "batch_sizes"] as const).flatMap((key): Finding[] => {
    const list = table[key];
    if (!list?.length || list.length === features) return [];
    const message = `expected ${features} entries, one for each of pooling_factors, received ${list.length}; give them all`;
    return [{ path: [...at, key], message }];
  });
}

function checkSharder({ sharder, is_pooled }: TorchrecTableInput, at: Path): Finding[] {
  if (sharder === undefined || is_pooled === (sharder !== "embedding_collection")) return [];
  const wanted = is_pooled
    ? "embedding_bag_collection, feature_processed_embedding_bag_collection or quant_embedding_bag_collection"
    : "embedding_collection";
  const message = `expected ${wanted} for a table whose output is ${is_pooled ? "pooled" : "a sequence"}, received ${sharder}; change it or is_pooled`;
  return [{ path: [...at, "sharder"], message }];
}

function checkCacheStatistics({ cache_stats }: TorchrecTableInput, at: Path): Finding[] {
  if (!cache_stats) return [];
  const given = (["miss_rate", "mrc_hist_counts"] as const).filter((key) => cache_stats[key] !== undefined);
  if (given.length === 1) return [];
  const message = `expected exactly one of miss_rate and mrc_hist_counts, received ${given.length === 0 ? "neither" : "both"}; give one`;
  return [{ path: [...at, "cache_stats"], message }];
}

/** The release that a problem names is known, and so are the costs of all that the problem asks for in it. */
export function checkRelease(input: TorchrecProblemInput): Finding[] {
  const { version } = input;
  if (version === undefined) return [];
  const release = releaseOf(version);
  if (release === null) {
    const message = `expected ${KNOWN_RELEASES}, received ${version}; leave it out for ${NEWEST_RELEASE}`;
    return [{ path: ["version"], message }];
  }
  return [...unknownOfJob(input), ...input.tables.flatMap(unknownOfTable)]
    .filter(({ from }) => isBefore(release, from))
    .map(({ path, what, from }) => {
      const known = `which is known from ${from} on; leave it out, or change version`;
      return { path, message: `expected what is known of TorchRec ${release}, received ${what}, ${known}` };
    });
}

/** What a problem asks for, and the first release in which it has the costs that are known. */
interface Asked {
  readonly path: Path;
  readonly what: string;
  readonly from: TorchrecRelease;
}

function unknownOfJob(input: TorchrecProblemInput): Asked[] {
  const { topology, is_inference, run_embedding_at_peak_memory, reservation } = input;
  const device = topology.compute_device;
  return [
    ...asked(topology.hbm_to_ddr_mem_bw !== undefined, "1.1", "a link to host memory", "topology", "hbm_to_ddr_mem_bw"),
    ...asked(topology.pod_size > 1, "1.7", "NVLink domains of several hosts", "topology", "pod_size"),
    ...asked(device !== "cuda" && device !== "cpu", "1.7", device, "topology", "compute_device"),
    ...asked(is_inference, "1.6", "inference", "is_inference"),
    ...asked(run_embedding_at_peak_memory, "1.1", "embeddings at peak memory", "run_embedding_at_peak_memory"),
    ...asked(reservation?.policy === "fixed_absolute", "1.7", "fixed_absolute", "reservation", "policy"),
    ...asked(reservation?.policy === "sku_aware", "1.9", "sku_aware", "reservation", "policy"),
  ];
}

function unknownOfTable(table: TorchrecTableInput, t: number): Asked[] {
  const { sharding_types, compute_kernels, use_virtual_table, num_nodes } = table;
  const at: Path = ["tables", t];
  const grid = sharding_types?.indexOf("grid_shard") ?? -1;
  const kernel = compute_kernels?.findIndex((one: ComputeKernel) => GUARDED_KERNELS.has(one)) ?? -1;
  return [
    ...asked(grid >= 0, "1.1", "grid_shard", ...at, "sharding_types", grid),
    ...asked(kernel >= 0, "1.7", String(compute_kernels?.[kernel]), ...at, "compute_kernels", kernel),
    ...asked(num_nodes !== undefined, "1.9", "num_nodes", ...at, "num_nodes"),
    ...asked(use_virtual_table === true, "1.7", "a virtual table", ...at, "use_virtual_table"),
  ];
}

function asked(isAsked: boolean, from: TorchrecRelease, what: string, ...path: Path): Asked[] {
  return isAsked ? [{ path, what, from }] : [];
}
