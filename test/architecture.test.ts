import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/**
 * What each folder may import, from the foundations up. Beside the folders listed, every file may import its own folder
 * and src/errors. Where only part of a folder may be imported, the part is named.
 */
const BASICS = ["src/exact", "src/input"];
const PROGRAM = ["src/program", ...BASICS];
const INSTANCE = ["src/instance", ...BASICS];
const ACCESS = ["src/access", ...INSTANCE];
const COST = ["src/cost", ...ACCESS];
const PLAN = ["src/plan", "src/proof", "src/program", ...COST];
const MODELS = ["models", ...PLAN];
const ALL_BUT_THE_SURFACE = ["src/optimize", "src/heuristics", "src/solvers", ...MODELS];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/errors": [],
  // Limits of what is read, and the reading that keeps them.
  "src/input": [],
  // Numbers and names as people read them: it knows no terminal and no page.
  "src/text": [],
  "src/exact": [],
  // How files are replaced: whole, in one step.
  "src/files": [],
  "src/program": BASICS,
  "src/solvers": PROGRAM,
  "src/proof": PROGRAM,
  "src/instance": BASICS,
  // DuckDB, where it is installed: Parquet, and logs that memory does not hold.
  "src/duckdb": ["src/input"],
  "src/access": ["src/duckdb", ...INSTANCE],
  "src/profile": ["src/duckdb", "src/files", "src/access", ...BASICS],
  "src/cost": ACCESS,
  // A placement is evaluated where its problem is: these files of models import nothing of src/plan.
  "src/plan": [
    "models/table-placement/problem",
    "models/table-placement/evaluate",
    "models/tower-partition/problem",
    "models/tower-partition/evaluate",
    "models/tower-placement",
    "src/proof",
    ...PROGRAM,
    ...COST,
  ],
  models: ["src/plan", ...PROGRAM, ...COST],
  "src/heuristics": [
    "models/row-tiers/unit-classes",
    "models/table-placement/problem",
    "models/tower-partition/problem",
    "models/tower-partition/evaluate",
    "src/plan",
    ...COST,
  ],
  "src/optimize": ["src/heuristics", "src/solvers", ...MODELS],
  // Never src/optimize, src/heuristics or src/solvers: it builds and evaluates with the same models as planning, and searches
  // for nothing. Published methods that it runs again are handed to it.
  "src/verify": ["src/text", ...MODELS],
  // Never src/cost: its evidence is independent of the model. Of a plan it knows the file alone.
  "src/simulate": ["src/plan/canonical-json", "src/plan/read-plan", "src/plan/row-tiers/schema", ...ACCESS],
  "src/interop": ["src/duckdb", "src/files", ...MODELS],
  "src/reproduce": ALL_BUT_THE_SURFACE,
  "src/report": ["src/plan", "src/proof/certificate", "src/text"],
  "src/cli": [
    ...ALL_BUT_THE_SURFACE,
    ...["src/verify", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/report", "src/index"],
    ...["src/files", "src/text"],
  ],
  // What a page runs in its worker. Of the command line, what shows and what a report needs.
  "src/browser": [
    ...["src/optimize", "src/verify", "src/report", "src/cli/show", "src/cli/report-plan", "src/text", ...PLAN],
  ],
  "src/index": [
    ...ALL_BUT_THE_SURFACE,
    "src/verify",
    "src/simulate",
    "src/interop",
    "src/profile",
    "src/reproduce",
    "src/report",
  ],
};

const files = [...sourcesIn("src"), ...sourcesIn("models")];

test("there is source to look at", () => {
  expect(files.length).toBeGreaterThan(50);
});

test("every file imports only what its folder may", () => {
  const offences = files.flatMap((file) => {
    const allowed = MAY_IMPORT[homeOf(file)];
    if (allowed === undefined) return [`${file}: its folder is not in the table`];
    const targets = importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ""));
    return targets
      .filter((target) => ![homeOf(file), "src/errors", ...allowed].some((folder) => isInside(target, folder)))
      .map((target) => `${file}: ${target}`);
  });
  expect(offences).toEqual([]);
});

test("the imports of a file are found", () => {
  expect(importsOf("src/cli/main.ts")).toEqual(
    expect.arrayContaining(["commander", "./failure.js", "./plan-command.js"]),
  );
});

test("every file imports only packages that package.json has", () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const known = Object.keys({ ...dependencies, ...optionalDependencies });
  const offences = files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .filter((specifier) => !known.some((name) => isInside(specifier, name)))
      .map((specifier) => `${file}: ${specifier}`),
  );
  expect(offences).toEqual([]);
});

test("no file has more than 400 lines", () => {
  const lengths = files.map((file) => ({ file, lines: readFileSync(file, "utf8").trimEnd().split("\n").length }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

test("only the command line knows the console and the process", () => {
  const offences = linesOf(files.filter((file) => homeOf(file) !== "src/cli")).filter(({ line }) =>
    /\bconsole\.|(?<![\w.])process\.|from "node:process"/.test(line),
  );
  expect(offences).toEqual([]);
});

test("only a verdict calls something proved", () => {
  // Reading a status is free, and types name it between bars; making one is src/proof/verdict.ts's alone.
  const offences = linesOf(files.filter((file) => file !== "src/proof/verdict.ts")).filter(
    ({ line }) => /["'`]proved["'`]/.test(line) && !/[!=]== "proved"|case "proved"|\| "proved"|"proved" \|/.test(line),
  );
  expect(offences).toEqual([]);
});

function linesOf(list: readonly string[]): { file: string; line: string }[] {
  return list.flatMap((file) =>
    codeOf(file)
      .split("\n")
      .map((line) => ({ file, line })),
  );
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function homeOf(file: string): string {
  const [top, second] = file.split("/") as [string, string];
  return top === "models" ? top : `${top}/${second.replace(/\.ts$/, "")}`;
}

function isInside(target: string, folder: string): boolean {
  return target === folder || target.startsWith(`${folder}/`);
}

/** The file without comments, so that a docstring may speak of anything. */
function codeOf(file: string): string {
  return readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

function importsOf(file: string): string[] {
  const statements = codeOf(file).matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)"([^"]+)"/gm);
  return [...statements].map((match) => match[1] as string);
}
