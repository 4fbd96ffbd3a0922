import { given } from "../../../input/given.js";
import type { Path } from "../../../instance/document.js";
import type { Finding } from "../../../instance/findings.js";
import { type GroupsChoice, groupShape, groupSizes } from "../../../instance/types/groups.js";
import type { PlacementCluster } from "../../../instance/types/table-placement.js";
import type { PlacementClusterParts } from "./cluster.js";
import type { GroupsInput, PlacementFamily, TorchrecInput } from "./schema.js";

/** What of an instance says that all devices are alike: a plan of one group is then every group's. */
type Memory = Pick<PlacementClusterParts, "hbmBytesPerGpu" | "hostBytesPerGpu" | "ssdBytesPerGpu">;

/** Groups of devices, each with a copy of the tables. */
export function checkGroupSizes(input: TorchrecInput, cluster: PlacementCluster): Finding[] {
  const { groups } = input;
  if (groups === undefined) return [];
  return [
    ...checkBeside(input),
    ...checkTopologyOf(input),
    ...checkAlike(input, cluster),
    ...checkSizes(groups, cluster),
    ...checkMemoryOf(groups),
  ];
}

/** Before anything else of an instance is read: with other costs the key is unknown. */
export function checkGroupCosts(value: unknown, family: PlacementFamily): Finding[] {
  if (family === "torchrec" || typeof value !== "object" || value === null || !("groups" in value)) return [];
  const message =
    "expected costModel torchrec beside groups, whose costs follow from the number of devices, received another; leave groups out, or change costModel";
  return [{ path: ["groups"], atKey: true, message }];
}

/** What is not known of groups: goals in order, plans to move from, devices by number. */
function checkBeside({ goals, thenMinimize, from, tables }: TorchrecInput): Finding[] {
  const given = { goals, thenMinimize, from };
  const keys = (["goals", "thenMinimize", "from"] as const).filter((key) => given[key] !== undefined);
  const own = tables.findIndex(({ devices }) => devices !== undefined);
  const refuse = (path: Path, what: string): Finding => ({
    ...{ path, atKey: true },
    message: `expected groups without ${what}, received both; leave one of the two out`,
  });
  return [
    ...keys.map((key) => refuse([key], key)),
    ...(own === -1 ? [] : [refuse(["tables", own, "devices"], "devices of tables")]),
  ];
}

function checkTopologyOf({ torchrec }: TorchrecInput): Finding[] {
  const topology = torchrec.topology as Readonly<Record<string, unknown>>;
  const at = (key: string, message: string): Finding => ({ path: ["torchrec", "topology", key], message });
  const { pod_size: pod = 1, compute_device: device = "cuda" } = topology;
  const lists = ["hbm_cap", "ddr_cap"].filter((key) => topology[key] !== undefined);
  const known = "expected cuda or mtia beside groups, the devices of TorchRec's DMPCollection; change it";
  return [
    ...(pod === 1 ? [] : [at("pod_size", "expected one host for each NVLink domain beside groups; leave it out")]),
    ...(device === "cuda" || device === "mtia" ? [] : [at("compute_device", known)]),
    ...lists.map((key) => at(key, "expected devices of one capacity beside groups, received a list; leave it out")),
  ];
}

function checkAlike({ torchrec }: TorchrecInput, cluster: Memory): Finding[] {
  const keys = ["hbmBytesPerGpu", "hostBytesPerGpu", "ssdBytesPerGpu"] as const;
  const message = "expected devices of equal memory beside groups, which all have one plan, received unlike ones";
  const unlike = keys.filter((key) => !isAlike(cluster[key] ?? []));
  const given = (torchrec.devices ?? []) as readonly Readonly<Record<string, unknown>>[];
  const differ = given.some((one) => JSON.stringify(one) !== JSON.stringify(given[0]));
  return [
    ...unlike.map((key): Finding => ({ path: ["cluster", key], message: `${message}; give one number for all` })),
    ...(differ ? [{ path: ["torchrec", "devices"], atKey: true, message: `${message}; give all the same` }] : []),
  ];
}

/** Shares of a host's memory may differ by a byte. */
function isAlike(bytes: readonly number[]): boolean {
  const least = bytes.reduce((low, one) => Math.min(low, one), Number.POSITIVE_INFINITY);
  return bytes.every((one) => one - least <= 1);
}

function checkSizes({ sizes, layout }: GroupsInput, cluster: PlacementCluster): Finding[] {
  if (sizes === "all") return [];
  return sizes.flatMap((size, k): Finding[] => {
    const path = ["groups", "sizes", k];
    if (sizes.indexOf(size) !== k)
      return [{ path, message: `expected every size once, received ${size} again; leave it out` }];
    if (groupShape(cluster, layout, size) !== null) return [];
    const known = groupSizes(cluster, layout).join(", ");
    const where = `${cluster.nodes} nodes of ${cluster.gpusPerNode} GPUs`;
    return [
      {
        path,
        message: `expected a size of ${layout} groups on ${where}, received ${size}; choose among ${known}, or write all`,
      },
    ];
  });
}

/** As TorchRec's fully sharded strategy does: weights every iteration, and they alone. */
function checkMemoryOf({ memory, syncEvery, optimizerState }: GroupsInput): Finding[] {
  if (memory !== "fully-sharded") return [];
  const refused = (isRefused: boolean, key: string, expected: string, received: string): Finding[] =>
    isRefused ? [{ path: ["groups", key], message: `expected ${expected}, received ${received}; leave it out` }] : [];
  const [weights, often] = ["which synchronises weights alone", "which synchronises every iteration"];
  return [
    ...refused(syncEvery !== 1, "syncEvery", `1 with fully-sharded memory, ${often}`, `${syncEvery}`),
    ...refused(optimizerState === true, "optimizerState", `false with fully-sharded memory, ${weights}`, "true"),
  ];
}

/** The choice with every default filled in. */
export function groupsOf(input: GroupsInput, cluster: PlacementCluster): GroupsChoice {
  const { sizes, layout, syncEvery, memory, bandwidth } = input;
  const isFullySharded = memory === "fully-sharded";
  return {
    ...{ layout, syncEvery, isFullySharded },
    sizes: sizes === "all" ? groupSizes(cluster, layout) : [...sizes].sort((a, b) => a - b),
    syncsOptimizerState: input.optimizerState ?? !isFullySharded,
    bandwidth: given(bandwidth ?? {}),
  };
}
