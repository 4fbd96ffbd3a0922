import { execFileSync } from "node:child_process";
import { defineConfig } from "vitest/config";

/**
 * A test file named `*.long.test.ts` takes long: large instances, many draws, many processes. `npm test` runs the others,
 * `npm run test:all` (and so .ci/run) all of them; whoever names a file to `npx vitest run` gets it, whatever its length.
 */
const LONG = "test/**/*.long.test.ts";

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
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // Tests of commands load the built program as Node does.
      server: { deps: { external: [/\/dist\/src\//] } },
      projects: [
        { extends: true, test: { name: "short", include: ["test/**/*.test.ts"], exclude: [LONG] } },
        { extends: true, test: { name: "long", include: [LONG] } },
      ],
    },
  };
});
