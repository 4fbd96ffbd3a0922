import type { Path } from "../../instance/document.js";
import type { Finding } from "../../instance/findings.js";
import { type ComputeKernel, GUARDED_KERNELS } from "./kernels.js";
import { isBefore, KNOWN_RELEASES, NEWEST_RELEASE, releaseOf, type TorchrecRelease } from "./release.js";
import type { TorchrecProblemInput, TorchrecTableInput } from "./schema.js";

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
    .map(({ path, what, from }) => ({ path, message: unknownText(release, what, from) }));
}

/** What a problem asks for, and the first release in which it has the costs that are known. */
interface Asked {
  readonly path: Path;
  readonly what: string;
  readonly from: TorchrecRelease;
}

function unknownText(release: TorchrecRelease, what: string, from: TorchrecRelease): string {
  return `expected what is known of TorchRec ${release}, received ${what}, which is known from ${from} on; leave it out, or change version`;
}

function unknownOfJob(input: TorchrecProblemInput): Asked[] {
  const { topology, is_inference, run_embedding_at_peak_memory, reservation } = input;
  const device = topology.compute_device;
  const asked = (isAsked: boolean, from: TorchrecRelease, what: string, ...path: Path): Asked[] =>
    isAsked ? [{ path, what, from }] : [];
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

function unknownOfTable(
  { sharding_types, compute_kernels, use_virtual_table, num_nodes }: TorchrecTableInput,
  t: number,
): Asked[] {
  const at = (...path: Path): Path => ["tables", t, ...path];
  const grid = sharding_types?.indexOf("grid_shard") ?? -1;
  const kernel = compute_kernels?.findIndex((one: ComputeKernel) => GUARDED_KERNELS.has(one)) ?? -1;
  return [
    ...(grid < 0 ? [] : [{ path: at("sharding_types", grid), what: "grid_shard", from: "1.1" as const }]),
    ...(kernel < 0
      ? []
      : [{ path: at("compute_kernels", kernel), what: String(compute_kernels?.[kernel]), from: "1.7" as const }]),
    ...(num_nodes === undefined ? [] : [{ path: at("num_nodes"), what: "num_nodes", from: "1.9" as const }]),
    ...(use_virtual_table === true
      ? [{ path: at("use_virtual_table"), what: "a virtual table", from: "1.7" as const }]
      : []),
  ];
}
