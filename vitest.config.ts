import { defineConfig } from "vitest/config";

/**
 * A test file named `*.long.test.ts` takes long: large instances, many draws, many processes. `npm test` runs the others,
 * `npm run test:all` (and so .ci/run) all of them; whoever names a file to `npx vitest run` gets it, whatever its length.
 */
const LONG = "test/**/*.long.test.ts";

export default defineConfig({
  test: {
    // WebAssembly solvers hold up to 2 GiB each; two workers fit the smallest machine we support.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "short", include: ["test/**/*.test.ts"], exclude: [LONG] } },
      { extends: true, test: { name: "long", include: [LONG] } },
    ],
  },
});
