import { checkAccessCurve, checkPartNames } from "../../../instance/checks/hot-rows.js";
import { ELEMENT_BYTES } from "../../../instance/data-type.js";
import type { Path } from "../../../instance/document.js";
import { type Finding, received } from "../../../instance/findings.js";
import type { TowerJointInput } from "./schema.js";

/** More GPUs than any model is trained on: a slip must not fill the memory. */
const MAX_GPUS = 4096;

/** What the schema of the joint choice does not see: tables that are the features', towers that fill the nodes, speeds. */
export function checkTowersJoint(input: TowerJointInput): Finding[] {
  return [
    ...checkTables(input),
    ...checkCluster(input),
    ...checkTowerNumber(input),
    ...checkModules(input),
    ...checkFreedoms(input),
  ];
}

function checkTables({ tables, features }: TowerJointInput): Finding[] {
  const known = new Set(features);
  const first = new Map<string, number>();
  const findings = tables.flatMap(({ name }, index): Finding[] => {
    const before = first.get(name);
    first.set(name, before ?? index);
    const path = ["tables", index, "name"];
    if (before !== undefined) {
      const message = `expected one table for each feature, received ${received(name)}, which tables[${before}] has too; leave one out`;
      return [{ path, message }];
    }
    if (known.has(name)) return [];
    return [
      {
        path,
        message: `expected the name of a feature, received ${received(name)}; correct it, or add it to features`,
      },
    ];
  });
  const missing = features.find((name) => !first.has(name));
  if (missing !== undefined && findings.length === 0) {
    const message = `expected one table for each feature, received none for ${JSON.stringify(missing)}; add it`;
    findings.push({ path: ["tables"], message });
  }
  const bytes = tables.reduce(
    (sum, { rows, dim, dataType }) => sum + BigInt(rows) * BigInt(dim) * BigInt(ELEMENT_BYTES[dataType]),
    0n,
  );
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER)) {
    const message = `expected tables of less than 2^53 bytes in all, received ${bytes}; correct rows and dim`;
    findings.push({ path: ["tables"], message });
  }
  return findings;
}

function checkCluster({ cluster }: TowerJointInput): Finding[] {
  const { nodes, gpusPerNode, hardware, bandwidth } = cluster;
  const findings: Finding[] = [];
  if (nodes * gpusPerNode > MAX_GPUS) {
    const message = `expected at most ${MAX_GPUS} GPUs, received ${nodes} × ${gpusPerNode}; correct nodes or gpusPerNode`;
    findings.push({ path: ["cluster"], message });
  }
  for (const kind of ["insideHost", "acrossHosts"] as const) {
    const given = bandwidth[kind];
    if (given === undefined && hardware === undefined) {
      const message = `expected cluster.bandwidth.${kind} or cluster.hardware, received neither; add one of them`;
      findings.push({ path: ["cluster"], message });
    }
    if (!Array.isArray(given)) continue;
    const wrong = given.findIndex(([world], k) => k > 0 && world <= (given[k - 1]?.[0] as number));
    if (wrong === -1) continue;
    const message = `expected points in rising order of ranks, received ${received(given[wrong]?.[0])} after ${given[wrong - 1]?.[0]}; sort them`;
    findings.push({ path: ["cluster", "bandwidth", kind, wrong, 0], message });
  }
  return findings;
}

function checkTowerNumber({ towers, cluster: { nodes }, features }: TowerJointInput): Finding[] {
  if (towers === "any") return [];
  if (nodes % towers !== 0) {
    const message = `expected towers of whole nodes, a number that divides ${nodes}, received ${towers}; correct it, or write any`;
    return [{ path: ["towers"], message }];
  }
  if (towers <= features.length) return [];
  const message = `expected at most ${features.length} towers, one for each feature, received ${towers}; correct it, or write any`;
  return [{ path: ["towers"], message }];
}

function checkModules({ towerModules }: TowerJointInput): Finding[] {
  if (towerModules === undefined || towerModules.perFeature + towerModules.perTower > 0) return [];
  const message = "expected perFeature or perTower above 0, received neither; modules put out something";
  return [{ path: ["towerModules"], message }];
}

/** Hot rows and caches need curves; caches the speed of the host's memory, and links to weigh it against. */
function checkFreedoms({ splits, caches, tables, cluster }: TowerJointInput): Finding[] {
  const findings = tables.flatMap(({ rows, access }, t) => checkAccessCurve(access, rows, ["tables", t, "access"]));
  if (splits !== undefined) findings.push(...checkPartNames(tables));
  const refuse = (path: Path, message: string) => findings.push({ path, atKey: true, message });
  const { gpusPerNode, bandwidth, hostBytesPerGpu } = cluster;
  if ((splits ?? caches) !== undefined && tables.every(({ access }) => access === undefined)) {
    const message = "expected the key access in a table (how often its rows are read), received it in none; add it";
    refuse(splits === undefined ? ["caches"] : ["splits", "hotRows"], message);
  }
  if (caches === undefined) {
    if (bandwidth.hostMemory !== undefined) {
      refuse(
        ["cluster", "bandwidth", "hostMemory"],
        "expected caches beside it, received none; add caches: true, or leave it out",
      );
    }
    if (hostBytesPerGpu !== undefined) {
      refuse(
        ["cluster", "hostBytesPerGpu"],
        "expected caches beside it, received none; add caches: true, or leave it out",
      );
    }
    return findings;
  }
  if (bandwidth.hostMemory === undefined) {
    const message =
      "expected cluster.bandwidth.hostMemory (bytes per second that a GPU reads of its host's memory) beside it, received none; add it";
    refuse(["caches"], message);
  }
  if (gpusPerNode === 1) {
    const message =
      "expected at least two GPUs per node beside it (a tower of one GPU exchanges nothing that misses could be weighed against), received 1; leave caches out";
    refuse(["caches"], message);
  }
  return findings;
}
