import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
};

/** The source that an entry is compiled from, by the entry's name. */
const ENTRIES = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === "string" ? [] : [[name, target.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
);

test("each entry of the package is a file of src, with its declarations beside it", () => {
  expect(ENTRIES.map(([name]) => name)).toEqual([
    ...[".", "./program", "./proof", "./torchrec", "./learn", "./simulate", "./reproduce"],
  ]);
  for (const [name, source] of ENTRIES) {
    expect(existsSync(source), `${name}: ${source}`).toBe(true);
    const target = exports[name] as { types: string; default: string };
    expect(target.types).toBe(target.default.replace(/\.js$/, ".d.ts"));
  }
});

test("the main entry is what a plan needs", async () => {
  expect(Object.keys(await import("../../../../src/index.js")).sort()).toEqual([
    ...[
      "InputError",
      "METHODS",
      "SolverError",
      "compare",
      "evaluate",
      "explain",
      "frontier",
      "generate",
      "instanceJsonSchema",
      "loadInstance",
    ],
    ...[
      "parseInstance",
      "plan",
      "plansJsonSchema",
      "readPlan",
      "rowTiers",
      "tablePlacement",
      "towerPartition",
      "verify",
    ],
    ...["writeInstance", "writePlan"],
  ]);
});

test("whoever checks a proof by shardproof/proof loads no solver, no search and no method", () => {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|^import type .*$/gm, "");
    for (const [, path] of code.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*)"(\.[^"]+)"/g)) {
      follow(join(dirname(file), (path as string).replace(/\.js$/, ".ts")));
    }
  };
  follow("src/entries/proof.ts");
  expect(reached.size).toBeGreaterThan(50);
  const searching = [...reached].filter((file) => /^src\/(search|solvers)\/|\/(methods|solve)\//.test(file));
  expect(searching).toEqual([]);
});
