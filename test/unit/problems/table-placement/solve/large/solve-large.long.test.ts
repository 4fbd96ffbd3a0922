import { expect, test } from "vitest";
import { aggregatedProgram } from "../../../../../../models/table-placement/aggregated-program.js";
import { estimatedEntries } from "../../../../../../models/table-placement/estimated-entries.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { provedProgram } from "../../../../../../models/table-placement/proved-program.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { requireDirectProgram } from "../../../../../../src/problems/table-placement/plan-file/require-direct-program.js";
import { solveLargePlacement } from "../../../../../../src/problems/table-placement/solve/large/solve-large.js";
import { evaluate } from "../../../../../../src/program/evaluate.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../../support/draws.js";
import { bestPlacement, tinyPlacement } from "../../../../../support/tiny-placement.js";

const draws = drawsOf(60, 0, 15);

test("by the aggregated program no bound is above the optimum, no plan below it, and most are proved or close", () => {
  let [placed, close] = [0, 0];
  for (const seed of draws.seeds) {
    const problem = tinyPlacement(drawFrom(seed));
    const best = bestPlacement(problem);
    const { verdict, certificate, placement } = solveLargePlacement(problem, {
      ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: 60, workSeconds: 1, mostUnits: 30, seed: 0 },
    });
    if (certificate !== null) {
      const { program } = aggregatedProgram(problem);
      const { bound } = checkCertificate(program, certificate);
      if (best !== null) expect(certificate.claim.kind, `seed ${seed}`).toBe("bound");
      if (best !== null) expect(bound?.compare(Rational.fromNumber(best.largest)), `seed ${seed}`).not.toBe(1);
    }
    if (best === null) {
      expect(placement, `seed ${seed}`).toBeNull();
      continue;
    }
    if (placement === null) continue;
    placed++;
    const { violations, largest } = evaluatePlacement(problem, placement);
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(largest.toNumber(), `seed ${seed}`).toBeGreaterThanOrEqual(best.largest);
    expect(verdict?.value?.equals(largest), `seed ${seed}`).toBe(true);
    if (largest.toNumber() <= best.largest * 1.0001) close++;
  }
  expect(placed).toBeGreaterThanOrEqual(draws.atLeast(31));
  expect(placed - close).toBeLessThanOrEqual(draws.atMost(6));
}, 300_000);

test("too little memory for all tables together is proved, and only where no placement is within it", () => {
  let proved = 0;
  for (const seed of draws.seeds) {
    const drawn = tinyPlacement(drawFrom(seed));
    const problem = { ...drawn, hbmBytes: drawn.hbmBytes.map((bytes) => Math.floor(bytes / 3)) };
    const { verdict, certificate } = solveLargePlacement(problem, {
      ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: 60, workSeconds: 1, mostUnits: 30, seed: 0 },
    });
    if (certificate?.claim.kind !== "infeasible") continue;
    proved++;
    expect(bestPlacement(problem), `seed ${seed}`).toBeNull();
    expect(verdict?.status, `seed ${seed}`).toBe("infeasible");
    checkCertificate(aggregatedProgram(problem).program, certificate);
  }
  expect(proved).toBeGreaterThanOrEqual(draws.atLeast(7));
}, 300_000);

test("every placement has a feasible point in the aggregated program, with its own largest cost", () => {
  for (const seed of draws.seeds) {
    const problem = tinyPlacement(drawFrom(seed));
    const best = bestPlacement(problem);
    if (best === null) continue;
    const { program, pointOf } = aggregatedProgram(problem);
    const { objective, violations } = evaluate(program, pointOf(best.placement));
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(objective.toNumber(), `seed ${seed}`).toBe(best.largest);
  }
});

test("a certificate names its program: the aggregated one by its hash, any other is the direct one", () => {
  const problem = tinyPlacement(drawFrom(1));
  const { program } = aggregatedProgram(problem);
  const hash = programHash(program);
  expect(programHash(provedProgram(problem, { certificate: { program: hash } }).program)).toBe(hash);
  expect(programHash(provedProgram(problem, { certificate: { program: "other" } }).program)).not.toBe(hash);
});

test("a direct program that is too large is refused before it is built, in words that say how large it is", () => {
  const problem = tinyPlacement(drawFrom(1));
  expect(() => requireDirectProgram(problem, "small.yaml")).not.toThrow();
  const many = { ...problem, nodes: 10_000_000 };
  const entries = estimatedEntries(many).toLocaleString("en");
  expect(() => requireDirectProgram(many, "large.yaml")).toThrow(
    new RegExp(`large.yaml: expected .* at most 10,000,000 entries, received one of about ${entries}`),
  );
});

test("tables that belong together or apart are placed so, in the work that there is", () => {
  const drawn = tinyPlacement(drawFrom(1));
  const devices = 6;
  const problem: PlacementProblem = {
    ...drawn,
    ...{ nodes: 1, gpusPerNode: devices, hostBytes: null, hostIsPooled: false },
    ...{ together: [[0, 1, 2]], apart: [[3, 4, 5, 6]] },
    hbmBytes: Array.from({ length: devices }, () => 40),
    tables: Array.from({ length: 40 }, (_, t) => ({
      ...{ name: `t${t}`, devices: null },
      options: [
        {
          ...{ shardingType: "table_wise", kernel: "fused", partitionBy: "device" as const },
          shards: [{ cost: 100 + ((7919 * t) % 997), hbmBytes: 1, hostBytes: 0 }],
        },
      ],
    })),
  };
  const { placement } = solveLargePlacement(problem, {
    ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: 600, workSeconds: 1, mostUnits: 300, seed: 0 },
  });
  if (placement === null) throw new Error("no placement was found");
  expect(evaluatePlacement(problem, placement).violations).toEqual([]);
});
