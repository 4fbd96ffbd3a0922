import { buildRowTiers } from "../../../models/row-tiers/build.js";
import type { RowClasses } from "../../../src/access/row-classes.js";
import type { RowTiersInstance, Tier } from "../../../src/instance/types/row-tiers.js";
import { planDigest } from "../../../src/plan-file/canonical-json.js";
import { nearest } from "../../../src/plan-file/rounding.js";
import { evaluateRuns } from "../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import type { WrittenPlan } from "../../../src/problems/row-tiers/plan-file/plan-file.js";

/** A plan file's content for runs: its numbers are those of the cost model. */
export function writtenPlan(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  runs: readonly (readonly (readonly [number, Tier])[])[],
): WrittenPlan {
  const assignment = runs.map((list) => list.map(([rows, tier]) => ({ rows, tier })));
  const evaluation = evaluateRuns(instance, access, assignment);
  const hasHost = instance.tiers.includes("host");
  const plan: Omit<WrittenPlan, "digest"> = {
    shardproof: 1,
    problem: "row-tiers",
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    method: "by-hand",
    status: "heuristic",
    request: { gap: 0, timeLimitSeconds: 1, seed: 0 },
    objective: { kind: instance.objective, value: nearest(evaluation.objective), bound: null, gap: null },
    exact: { value: null, bound: null, bytesPerGpu: null, budgetBytesPerGpu: "0" },
    memory: {
      bytesPerGpu: nearest(evaluation.memoryBytes),
      budgetBytesPerGpu: nearest(buildRowTiers(instance, access).budgetBytes),
      hbmBytesPerGpu: instance.cluster.hbmBytesPerGpu ?? null,
      ...(hasHost
        ? {
            host: {
              bytesPerNode: nearest(evaluation.hostBytes),
              budgetBytesPerNode: instance.cluster.hostBytesPerNode ?? 0,
            },
          }
        : {}),
    },
    collectives: Object.fromEntries(
      Object.entries(evaluation.collectives)
        .filter(([name]) => hasHost || name !== "hostToDevice")
        .map(([name, seconds]) => [name, nearest(seconds)]),
    ) as NonNullable<WrittenPlan["collectives"]>,
    prices: { secondsPerGiBPerGpu: null, pricePerByte: null },
    baseline: [],
    infeasibility: null,
    claim: null,
    tables: instance.tables.map(({ name, rows }, index) => ({
      name,
      rows,
      tiers: (evaluation.tables[index] ?? []).map((tier) => ({
        tier: tier.tier,
        rows: tier.rows,
        accessShare: nearest(tier.accessShare),
        parameterBytes: nearest(tier.parameterBytes),
        readBytesPerSample: nearest(tier.readBytes),
        memoryBytesPerGpu: nearest(tier.memoryBytes),
        ...(tier.tier === "host" ? { hostBytesPerNode: nearest(tier.hostBytes) } : {}),
        collectives: Object.fromEntries(
          tier.collectives.map(({ collective, seconds }) => [collective, nearest(seconds)]),
        ),
      })),
      runs: (runs[index] ?? []).map(([rows, tier]): [number, string] => [rows, tier]),
    })),
    proof: null,
    certificate: null,
    timing: { readSeconds: 0, solveSeconds: 0, proveSeconds: 0, totalSeconds: 0 },
  };
  return { ...plan, digest: planDigest(plan) };
}
