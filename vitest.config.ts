import { execFileSync } from "node:child_process";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * A test file named `*.long.test.ts` takes long: large instances, many draws, many processes. `npm test` runs the others, and .ci/run
 * these after them; whoever names a file to `npx vitest run` gets it, whatever its length.
 */
const LONG = "test/**/*.long.test.ts";

/** Files that replace modules or clocks for all that is loaded with them. */
const APART = [
  "test/unit/cli/interrupt.test.ts",
  "test/unit/cli/memory.test.ts",
  "test/unit/cli/solve-model.test.ts",
  "test/unit/problems/row-tiers/solve/time-limit.test.ts",
  "test/unit/search/exact-milp/time-limit.test.ts",
  "test/unit/solvers/native.test.ts",
  "test/unit/study/own-run.test.ts",
];

/** What takes longest, in that order: it begins first, so that no worker is left with it at the end. */
const LONGEST = [
  "browser/site.long",
  "browser/pages.long",
  "cli/study.long",
  "solve/option-dive/option-dive-turns.long",
  "cli/limits.long",
  "cli/reproduce-autoshard.long",
  "cluster/counting.long",
  "unit/report/page.long",
  "python/recorded.long",
  "golden/placement-learned.long",
  "unit/problems/clock-does-not-steer.long",
  "cli/own-process",
  "cli/every-command",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Other problems are drawn on every commit; see test/support/draws.ts. */
function seedOfCommit(): number {
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return Number.parseInt(head.slice(0, 7), 16);
  } catch {
    return 0;
  }
}

export default defineConfig(({ mode }) => {
  const isDeep = mode === "deep";
  process.env.DRAWS ??= isDeep ? "1" : "0.1";
  if (process.env.DRAWS_SEED === undefined) {
    process.env.DRAWS_SEED = isDeep ? "0" : `${seedOfCommit()}`;
    process.stderr.write(`problems are drawn with DRAWS=${process.env.DRAWS} DRAWS_SEED=${process.env.DRAWS_SEED}\n`);
  }
  return {
    test: {
      // WebAssembly solvers hold up to 2 GiB each; two workers fit the smallest machine we support.
      maxWorkers: 2,
      // Against tests that hang: what a search may take is told in units of work, and a busy machine is no fault.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // Tests of commands load the built program as Node does.
      server: { deps: { external: [/\/build\/src\//] } },
      // One process for all files of a worker: what they import is loaded once. Those that replace modules have one each.
      isolate: false,
      sequence: { sequencer: LongestFirst },
      projects: [
        { extends: true, test: { name: "short", include: ["test/**/*.test.ts"], exclude: [LONG, ...APART] } },
        { extends: true, test: { name: "long", include: [LONG] } },
        { extends: true, test: { name: "apart", include: APART, isolate: true } },
      ],
    },
  };
});
