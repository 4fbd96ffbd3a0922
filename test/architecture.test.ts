import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** The problems. A problem's parts import no other problem's; towers with tables, which are of two, may. */
const SLICES = ["row-tiers", "table-placement", "tower-partition", "joint-towers", "program"] as const;
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  "joint-towers": ["tower-partition", "table-placement"],
  // Plans of towers alone and of towers with tables are of one file format.
  "tower-partition": ["joint-towers", "table-placement"],
};
const slices = (...parts: string[]) => SLICES.flatMap((slice) => parts.map((part) => `src/problems/${slice}/${part}`));
const PLAN_FILES = slices("plan-file", "answer");
const EXPORTABLE = slices("exportable");

const CHECKED = [
  "src/problems/verification",
  "src/problems/plan-file",
  "src/text",
  "models",
  "src/proof",
  "src/program",
].concat("src/access", "src/cost", "src/instance", "src/exact", "src/input");

/**
 * What each room may import, from the foundations up. Beside those listed, every file may import its own room and
 * src/errors. Where only part of a room may be imported, the part is named.
 */
const BASICS = ["src/exact", "src/input"];
const PROGRAM = ["src/program", ...BASICS];
const INSTANCE = ["src/instance", ...BASICS];
const ACCESS = ["src/access", ...INSTANCE];
const COST = ["src/cost", ...ACCESS];
const MODELS = ["models", "src/proof", "src/program", ...COST];
const DRAWN = ["src/terminal", "src/text"];
/** What a problem's parts share, whatever the problem. */
const SHARED = [
  "src/problems/plan-file",
  "src/problems/plan-options",
  "src/problems/require-method",
  "src/problems/solver-claim",
];
const DRIVERS = ["plan", "verify", "export", "export-program", "report", "published-methods"].map(
  (driver) => `src/problems/${driver}`,
);
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/errors": [],
  // Limits of what is read, and the reading that keeps them.
  "src/input": [],
  // Numbers and names as people read them: it knows no terminal and no page.
  "src/text": [],
  "src/exact": [],
  // How files are replaced: whole, in one step.
  "src/files": [],
  // Tables and plots made of characters.
  "src/terminal": ["src/exact", "src/text"],
  "src/program": BASICS,
  "src/solvers": PROGRAM,
  "src/proof": PROGRAM,
  // VIPR's certificates: ours written as theirs, theirs checked.
  "src/vipr": ["src/proof", ...PROGRAM],
  // The engine. It knows no problem.
  "src/search": ["src/proof", "src/solvers", ...PROGRAM],
  "src/instance": BASICS,
  // DuckDB, where it is installed: Parquet, and logs that memory does not hold.
  "src/duckdb": ["src/input"],
  "src/access": ["src/duckdb", ...INSTANCE],
  "src/profile": ["src/duckdb", "src/files", "src/access", ...BASICS],
  "src/cost": ACCESS,
  models: ["src/program", "src/problems/row-tiers/plan-file/assignment", ...COST],
  // What is alike in all plan files; the shapes of each are read here.
  "src/problems/plan-file": [...PLAN_FILES, ...INSTANCE],
  // What all verifiers share: no search and no method.
  "src/problems/verification": ["models", ...PLAN_FILES, ...DRAWN, "src/problems/plan-file", "src/proof", ...ACCESS],
  "src/problems/show": [...DRAWN, "src/problems/plan", ...PLAN_FILES, "src/problems/table-placement/show", ...SHARED],
  // The drivers, and the parts that they hand to all problems.
  "src/problems": [
    "src/problems",
    "models",
    "src/report",
    "src/search",
    "src/solvers",
    "src/text",
    ...ACCESS,
    ...PROGRAM,
  ],
  ...Object.fromEntries(SLICES.flatMap((slice) => Object.entries(partsOf(slice)))),
  // Never src/cost: its evidence is independent of the model. Of a plan it knows the file alone.
  "src/simulate": ["src/problems/plan-file", "src/problems/row-tiers/plan-file/schema", ...ACCESS],
  "src/interop": ["src/duckdb", "src/files", ...PLAN_FILES, ...EXPORTABLE, "src/problems/plan-file", ...MODELS],
  "src/reproduce": ["src/search", ...slices("solve", "methods", "plan-file"), "src/problems/plan-file", ...MODELS],
  "src/report": [...PLAN_FILES, ...slices("report"), "src/problems/plan-file", "src/proof/certificate", "src/text"],
  "src/cli": [
    ...["src/problems", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/report", "src/search"],
    ...["src/files", "src/vipr", "src/solvers", ...DRAWN, ...MODELS],
  ],
  // What a page runs in its worker. Of the command line, how progress reads.
  "src/browser": [
    ...[...DRIVERS, "src/problems/plan-file", "src/problems/program", "src/search", "src/report", "src/text"],
    ...["src/cli/terminal/progress", ...INSTANCE, ...PROGRAM],
  ],
  "src/index": [
    ...["src/problems", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/report", "src/search"],
    ...["src/vipr", "src/solvers", ...MODELS],
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
  expect(offences.join("\n")).toBe("");
});

test("the imports of a file are found", () => {
  expect(importsOf("src/cli/main.ts")).toEqual(
    expect.arrayContaining(["commander", "./terminal/failure.js", "./commands/plan-command.js"]),
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
  expect(offences.join("\n")).toBe("");
});

test("no file has more than 400 lines", () => {
  const lengths = files.map((file) => ({ file, lines: readFileSync(file, "utf8").trimEnd().split("\n").length }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

test("only the command line and what draws for it know the console and the process", () => {
  const offences = linesOf(files.filter((file) => !["src/cli", "src/terminal"].includes(homeOf(file)))).filter(
    ({ line }) => /\bconsole\.|(?<![\w.])process\.|from "node:process"/.test(line),
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

/** What each part of a problem may import; `show`, `verify` and the plan file know no search and no method. */
function partsOf(slice: string): Readonly<Record<string, readonly string[]>> {
  const own = (...parts: string[]) =>
    [slice, ...(COMPOSED[slice] ?? [])].flatMap((name) => parts.map((part) => `src/problems/${name}/${part}`));
  const file = own("plan-file", "answer");
  const parts: Readonly<Record<string, readonly string[]>> = {
    "plan-file": [...file, "src/problems/plan-file", ...MODELS],
    answer: ["src/problems/plan-file", ...MODELS],
    methods: [...file, "src/problems/plan-file", ...["models"], ...COST],
    solve: [...own("solve", "methods"), ...file, "src/search", "src/solvers", ...SHARED, ...MODELS],
    frontier: [...own("solve", "methods"), ...file, "src/search", ...SHARED, ...MODELS],
    verify: [...own("verify", "verify-prices", "verify-vipr", "point-by-name"), ...file, ...CHECKED],
    "verify-prices": [...file, ...CHECKED],
    "verify-vipr": ["src/vipr", ...file, ...CHECKED],
    "point-by-name": MODELS,
    exportable: [...file, "src/interop/within-limits", "src/problems/plan-file", ...MODELS],
    "export-vipr": ["src/vipr", ...file, "src/problems/plan-file", ...MODELS],
    // Of methods and search, what a comparison is made of: types alone.
    show: [
      ...own("show", "solve/compare", "solve/embedding-analysis", "methods/reward-check", "frontier/report"),
      ...file,
      ...DRAWN,
      "src/problems/show",
      "src/problems/plan-file",
      ...COST,
    ],
    report: [...own("report"), ...file, "src/report", "src/text", "src/problems/plan-file"],
    charts: [...own("solve", "methods", "frontier"), ...file, "src/report/input", "src/problems/plan-file", ...MODELS],
  };
  return Object.fromEntries(Object.entries(parts).map(([part, list]) => [`src/problems/${slice}/${part}`, list]));
}

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

/** The room of a file: a folder of src, a part of a problem, or what all problems share. */
function homeOf(file: string): string {
  const [top, second, third, fourth] = file.replace(/\.ts$/, "").split("/") as [string, string, string?, string?];
  if (top === "models") return top;
  if (second !== "problems" || third === undefined) return `${top}/${second}`;
  if (fourth === undefined) return "src/problems";
  return SLICES.some((slice) => slice === third) ? `src/problems/${third}/${fourth}` : `src/problems/${third}`;
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
