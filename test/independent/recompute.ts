import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";

/** What evaluate.py says of a plan: numbers compared, those that differ, and whether it tried all plans for the optimum. */
export interface Recomputed {
  readonly compared: number;
  readonly differences: readonly string[];
  readonly enumerated: boolean;
}

export const hasPython = spawnSync("python3", ["--version"]).status === 0;

interface AnyPlan {
  readonly objective: { readonly value: number | null };
}

/**
 * A plan recomputed by the second implementation. It reads the instance's YAML and the plan file alone, and shares no code with
 * the program. Throws where Python is missing or fails.
 */
export function recompute(file: string, plan: AnyPlan): Recomputed {
  const instance: unknown = parse(readFileSync(file, "utf8"), { merge: true, maxAliasCount: -1 });
  const input = JSON.stringify({ instance, plan: { ...plan, certificate: null }, folder: dirname(file) });
  const { status, stdout, stderr } = spawnSync("python3", ["-B", "test/independent/evaluate.py"], {
    input: `${input}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${file}: evaluate.py ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Recomputed;
}

/**
 * Expects the second implementation to agree with a plan; without Python nothing is expected, and plans.test.ts shows as
 * skipped.
 */
export function expectRecomputed(file: string, plan: AnyPlan): void {
  if (!hasPython) return;
  const { compared, differences, enumerated } = recompute(file, plan);
  expect(differences).toEqual([]);
  // Of a plan that does not exist there is only that to say, and only where everything was tried.
  if (plan.objective.value !== null || enumerated) expect(compared).toBeGreaterThan(0);
}
