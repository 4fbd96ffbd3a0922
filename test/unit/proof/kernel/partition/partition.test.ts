import { describe, expect, test } from "vitest";
import { neuralProgram } from "../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../models/table-placement/learned/evaluate.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { programHash } from "../../../../../src/program/hash.js";
import type { Program } from "../../../../../src/program/program.js";
import { readCertificate } from "../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { partitionBelow } from "../../../../../src/proof/kernel/partition/partition.js";
import { viewOf } from "../../../../../src/proof/kernel/view.js";
import { drawNeural, everyPlacement, type NeuralDraw } from "../../../models/neural-support.js";

/** A program with its load rows and the least largest cost, `null` where nothing fits. */
function drawSmall(drawn: NeuralDraw, withCeiling: boolean) {
  const { problem, head } = drawNeural(drawn);
  let best: Rational | null = null;
  for (const placement of everyPlacement(problem)) {
    const { objective, violations } = evaluateNeural(head, problem, placement);
    if (violations.length === 0 && (best === null || objective.compare(best) < 0)) best = objective;
  }
  const { program, structure } = neuralProgram(problem, head, withCeiling ? best : null);
  return { program, rows: structure.devices.map(({ costRow }) => costRow), best };
}

function certificateOf(program: Program, claim: Rational | null, partition: readonly string[]) {
  return readCertificate({
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
    steps: [{ partition }],
  });
}

const kinds: readonly [string, NeuralDraw][] = [
  ["memory that binds", { seed: 0, tables: [3, 5], devices: [2, 3], rooms: [1.02, 1.15, 1.4] }],
  ["devices may be empty", { seed: 100, tables: [1, 3], devices: [3, 4], rooms: [100] }],
  [
    "tables bound to places or to one another",
    { seed: 200, tables: [4, 4], devices: [2, 3], rooms: [100], isBound: true },
  ],
];

describe.each(kinds)("%s", (_, drawn) => {
  test("nothing is below the optimum, and a certificate of one step proves it; no more is proved", () => {
    let below = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const { program, rows, best } = drawSmall({ ...drawn, seed: drawn.seed + seed }, seed % 2 === 0);
      const names = rows.map((row) => program.rows[row]?.name as string);
      const { view, box } = viewOf(program);
      const found = partitionBelow(view, box, rows, best);
      // Rows that tie tables together are left out: then there may be sets, and no proof.
      if (drawn.isBound !== true) expect(found.kind).toBe("none");
      if (found.kind === "found") {
        expect(() => checkCertificate(program, certificateOf(program, best, names))).toThrow(/sets of tables are left/);
        continue;
      }
      below++;
      expect(checkCertificate(program, certificateOf(program, best, names)).bound).toEqual(best);
      if (best === null) continue;
      const above = best.multiply(Rational.of(1_000_000_001n, 1_000_000_000n));
      expect(partitionBelow(view, box, rows, above).kind).toBe("found");
      expect(() => checkCertificate(program, certificateOf(program, above, names))).toThrow(/sets of tables are left/);
    }
    expect(below).toBeGreaterThan(2);
  });
});

test("what is found puts every table on one device", () => {
  const { program, rows, best } = drawSmall({ seed: 7, tables: [5, 5], devices: [3, 3], rooms: [100] }, false);
  const { view, box } = viewOf(program);
  const found = partitionBelow(view, box, rows, best?.multiply(Rational.of(2n)) ?? null);
  if (found.kind !== "found") throw new Error("a placement was expected");
  const names = found.columns.map((j) => program.columns[j]?.name as string);
  expect(names.map((name) => name.split("_")[1]).sort()).toEqual(["0", "1", "2", "3", "4"]);
});

test("a proof that leaves out a device, or names another row, is refused", () => {
  const { program, rows, best } = drawSmall({ seed: 7, tables: [4, 4], devices: [2, 2], rooms: [100] }, true);
  const [first, second] = rows.map((row) => program.rows[row]?.name as string) as [string, string];
  const refused = (names: readonly string[]) =>
    expect(() => checkCertificate(program, certificateOf(program, best, names))).toThrow(/^step 1: /);
  expect(checkCertificate(program, certificateOf(program, best, [second, first])).bound).toEqual(best);
  refused([first]);
  refused([first, first]);
  refused([first, second, "no such row"]);
  refused([first, program.rows[0]?.name as string]);
});
