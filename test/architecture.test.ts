import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { PROBLEM_NAMES } from "../src/problems/registry.js";

/**
 * The problems: those of the registry, each a folder with a `problem.ts`, and the programs of `solve`. The parts of one import
 * no other's; towers with tables, which are of two, may import both.
 */
const SLICES: readonly string[] = [
  ...readdirSync("src/problems").filter((name) => existsSync(`src/problems/${name}/problem.ts`)),
  "program",
];
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  "grouped-placement": ["table-placement"],
  "joint-towers": ["tower-partition", "table-placement"],
};
const parts = (...names: string[]) => SLICES.flatMap((slice) => names.map((name) => `src/problems/${slice}/${name}`));

const BASICS = ["src/exact", "src/input"];
const PROGRAM = ["src/program", ...BASICS];
const INSTANCE = ["src/instance", ...BASICS];
// The instances of problems are plain data: what computes with them knows their types.
const INSTANCES = ["src/instances"];
const ACCESS = ["src/access", ...INSTANCES, ...INSTANCE];
const COST = ["src/cost", "src/traffic", ...ACCESS];
const MODELS = ["models", "src/proof", "src/program", ...COST];
const DELTA = ["src/problems/table-placement/plan-file/delta"];
const DRAWN = ["src/terminal", "src/text"];
const PLAN_FILES = ["src/problems/plan-file", ...parts("plan-file", "answer")];
const DRIVERS = [
  ...["plan", "compare", "verify", "export", "report", "frontier", "explain"],
  ...["all", "registry", "instances", "plan-schemas"],
].map((name) => `src/problems/${name}`);

/**
 * What each room may import, from the foundations up. Beside those listed, every file may import its own room and
 * src/errors. Where only part of a room may be imported, the part is named.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/errors": [],
  // Limits of what is read, and the reading that keeps them; amounts with their units.
  "src/input": ["src/exact"],
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
  // How instances are read, whatever their problem.
  "src/instance": BASICS,
  // DuckDB, where it is installed: Parquet, and logs that memory does not hold.
  "src/duckdb": ["src/input"],
  "src/access": ["src/duckdb", ...INSTANCES, ...INSTANCE],
  "src/profile": ["src/duckdb", "src/files", "src/access", ...BASICS],
  // What moves in an iteration, as cost models say it and simulations count it: types alone, but for the ranks of towers.
  "src/traffic": ["src/access/row-classes"],
  "src/cost": ["src/traffic", ...ACCESS],
  // Instances to fill in.
  "src/init": [...INSTANCES, ...INSTANCE],
  // Instances that are drawn: what a file of one may hold.
  "src/generate": ["src/interop/instance-text", ...COST],
  // Mathematics alone.
  models: ["src/program", ...COST],
  // What is alike in all plan files.
  "src/problems/plan-file": ["src/proof/certificate", ...INSTANCE],
  // What all verifiers share: no search and no method.
  "src/problems/verification": [
    "models/row-tiers/assignment",
    "src/problems/plan-file",
    "src/proof",
    ...DRAWN,
    ...INSTANCE,
  ],
  "src/problems/show": ["src/problems/plan-file", "src/problems/facts", "src/problems/plan-table", ...DRAWN],
  // What the parts of problems are handed or made of: options, the program's text, one way to run a method again.
  "src/problems": [
    ...["src/problems/plan-file", "src/problems/verification", ...INSTANCES],
    ...[
      "src/proof/verdict",
      "src/proof/certificate",
      "src/report/input",
      "src/report/page-section",
      "src/search",
      "src/solvers",
      "src/text",
    ],
    ...INSTANCE,
    ...PROGRAM,
  ],
  // The drivers know no problem: the registry has them all, and the types of their plan files.
  "the drivers": [
    ...["src/problems", "src/report", "src/text", ...PLAN_FILES, ...INSTANCE, ...PROGRAM].filter(
      (room) => room !== "src/problems",
    ),
    ...[
      "problem",
      "facts",
      "plan-options",
      "frontier-options",
      "explain-options",
      "exportable",
      "rerun",
      "verification",
    ].map((name) => `src/problems/${name}`),
    ...[...DRIVERS, ...parts("problem"), "src/problems/program/vipr-text", "src/problems/program/solve"],
  ],
  ...Object.fromEntries(SLICES.flatMap((slice) => Object.entries(partsOf(slice)))),
  // Never src/cost: its evidence is independent of the model. Of a plan it knows the file alone.
  // Logs it reads as profile does.
  "src/simulate": [
    ...["src/problems/plan-file", "src/problems/row-tiers/plan-file/plan-file", "src/profile", "src/duckdb"],
    ...DELTA,
    ...["src/traffic", ...ACCESS],
  ],
  "src/interop": [
    ...["src/duckdb", "src/files", "src/problems/exportable", ...PLAN_FILES, ...parts("exportable")],
    ...[...DRAWN, ...MODELS],
  ],
  "src/reproduce": ["src/search", ...parts("solve", "methods"), ...PLAN_FILES, ...MODELS],
  // What is said of a paper beside ours: tables and figures, for terminal, page and CSV.
  "src/papers": [
    ...["src/reproduce", "src/report", "src/problems/plan-table", "src/problems/tiles", "src/text"],
    ...["src/problems/tower-partition/report", "src/problems/table-placement/methods/reward-check"],
  ],
  // Many plans: jobs, their lines worked and checked, tables and pages of them. It drives the drivers.
  "src/study": [
    ...["src/problems", "src/generate", "src/interop/instance-text", "src/report", "src/duckdb", ...DRAWN, ...INSTANCE],
  ],
  // Pages. What a plan says is handed in.
  "src/report": [
    "src/problems/plan-file",
    "src/problems/facts",
    "src/problems/plan-table",
    "src/problems/tiles",
    "src/proof/certificate",
    "src/text",
  ],
  "src/cli": [
    ...[
      "src/problems",
      "src/simulate",
      "src/interop",
      "src/profile",
      "src/reproduce",
      "src/papers",
      "src/report",
      "src/search",
    ],
    ...["src/files", "src/vipr", "src/solvers", "src/generate", "src/init", "src/study", ...DRAWN, ...MODELS],
  ],
  // What a page runs in its worker. Of the command line, how progress reads.
  "src/browser": [
    ...[
      ...DRIVERS,
      ...PLAN_FILES,
      "src/problems/facts",
      "src/problems/problem",
      "src/problems/program",
      "src/search",
      "src/report",
      "src/text",
    ],
    ...["src/cli/terminal/progress", ...INSTANCE, ...PROGRAM],
  ],
  // What users call by the main entry, and the further entries by subject.
  "src/library": ["src/problems", "src/interop/instance-text", ...MODELS],
  "src/entries": [
    ...["src/problems", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/search"],
    ...["src/vipr", "src/solvers", ...MODELS],
  ],
  "src/index": ["src/library", "src/generate", "src/problems", "src/solvers/solver-error", ...INSTANCE],
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
      .filter((target) => homeOf(`${target}.ts`) !== homeOf(file))
      .filter((target) => !["src/errors", ...allowed].some((folder) => isInside(target, folder)))
      .map((target) => `${file}: ${target}`);
  });
  expect(offences.join("\n")).toBe("");
});

test("the rules of certificates are the checker's alone, and what it shares with searches knows none", () => {
  const importing = (of: (file: string) => boolean, folders: readonly string[]) =>
    files.filter(of).flatMap((file) =>
      importsOf(file)
        .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ""))
        .filter((target) => folders.some((folder) => isInside(target, folder)))
        .map((target) => `${file}: ${target}`),
    );
  const isShared = (file: string) => isInside(file, "src/proof/kernel");
  const certificates = ["src/proof/rules", "src/proof/certificate", "src/proof/grammar", "src/proof/check"];
  expect(importing(isShared, certificates)).toEqual([]);
  expect(importing((file) => !isInside(file, "src/proof"), ["src/proof/rules"])).toEqual([]);
});

test("the imports of a file are found", () => {
  expect(importsOf("src/cli/command-line.ts")).toEqual(
    expect.arrayContaining(["commander", "./terminal/failure.js", "./commands/plan.js"]),
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

test("no files import one another in a circle, types included", () => {
  const targets = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts")),
    ]),
  );
  const done = new Set<string>();
  const path: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.push([...path.slice(at), file].join(" -> "));
    if (at !== -1 || done.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  expect(circles.join("\n")).toBe("");
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

test("no driver asks which problem it has, and none has a table of problems: the registry does", () => {
  expect(PROBLEM_NAMES).toContain("row-tiers");
  const asks = new RegExp(`problem [!=]== "(${PROBLEM_NAMES.join("|")})"|"(${PROBLEM_NAMES.join("|")})":`);
  const offences = linesOf(files.filter((file) => !/^src\/(simulate|problems\/[^/]+\/problem\.ts)/.test(file))).filter(
    ({ line }) => asks.test(line),
  );
  expect(offences).toEqual([]);
});

test("only a verdict calls something proved", () => {
  // Reading a status is free, and types name it between bars or as what is read; making one is src/proof/verdict.ts's alone.
  const offences = linesOf(files.filter((file) => file !== "src/proof/verdict.ts")).filter(
    ({ line }) =>
      /["'`]proved["'`]/.test(line) &&
      !/[!=]== "proved"|case "proved"|\| "proved"|"proved" \||readonly status: "proved"/.test(line),
  );
  expect(offences).toEqual([]);
});

/** What each part of a problem may import: verifying, exporting and showing know no search and no method. */
function partsOf(slice: string): Readonly<Record<string, readonly string[]>> {
  const own = (...names: string[]) =>
    [slice, ...(COMPOSED[slice] ?? [])].flatMap((of) => names.map((name) => `src/problems/${of}/${name}`));
  const shared = (...names: string[]) => names.map((name) => `src/problems/${name}`);
  const file = ["src/problems/plan-file", ...own("plan-file", "answer", "model")];
  const checking = ["src/problems/verification", "src/text", ...file, ...MODELS];
  const search = [...own("solve", "methods"), ...file, "src/search", "src/solvers", ...MODELS];
  const rooms: Readonly<Record<string, readonly string[]>> = {
    instance: INSTANCE,
    // The problem's entry: its parts, each loaded when it is asked for. Of models, what a decision is: types alone.
    problem: [
      ...own("instance", "solve", "plan-file", "facts", "tiles", "verify", "export", "proved", "show", "charts"),
      ...own("explain", "frontier"),
      ...own("report", "problem", "model"),
      ...["models", "src/access", "src/instance", "src/problems/plan-file", ...shared("problem", "show")],
    ],
    "plan-file": [...file, ...MODELS],
    // The mathematics of one that has no folder in models.
    model: [...own("model"), ...MODELS],
    answer: [...file, ...MODELS],
    methods: [...file, "models", ...COST],
    solve: [
      ...search,
      ...shared(
        "plan-options",
        "own-method",
        "evaluation",
        "published-plan",
        "searched",
        "require-method",
        "solver-claim",
        "rerun",
        "verification",
      ),
    ],
    frontier: [...search, ...shared("plan-options", "frontier-options", "spread-budgets")],
    // Why a plan is as it is: searches without one choice or another.
    explain: [...search, ...shared("explain-options")],
    verify: [...own("verify", "verify-prices", "verify-vipr", "point-by-name"), ...checking],
    "verify-prices": checking,
    "verify-vipr": ["src/vipr", ...checking],
    "vipr-text": ["src/vipr", "src/problems/verification", ...shared("proved-program"), ...file, ...MODELS],
    "point-by-name": MODELS,
    exportable: [...file, ...shared("exportable"), ...MODELS],
    "program-words": ["src/text", ...file, ...MODELS],
    export: [
      ...own("export", "exportable", "program-words"),
      "src/interop",
      ...file,
      ...shared("exportable"),
      ...MODELS,
    ],
    // What is proved of a plan, as a program; where VIPR has no words for its proof it is searched for anew.
    proved: [...own("verify", "solve"), ...file, ...shared("proved-program"), ...MODELS],
    // What is run of a plan, beside what the cost model says of it.
    simulate: [...own("exportable", "instance"), "src/simulate", ...file, ...MODELS],
    // How a placement becomes another one.
    delta: [...own("exportable"), ...file, ...MODELS],
    "worth-facts": ["src/text", ...file, ...shared("facts")],
    fullest: ["src/text", ...shared("facts")],
    tiles: [...own("facts", "fullest"), ...file, ...shared("facts", "tiles"), "src/text"],
    facts: [
      ...own("facts", "fullest", "worth-facts", "instance"),
      ...file,
      ...shared("facts", "tiles"),
      "src/instance",
      "src/text",
    ],
    tables: [
      ...own("tables", "facts", "instance"),
      ...file,
      ...shared("facts", "plan-table"),
      "src/instance",
      "src/text",
    ],
    // Of methods and search, what a comparison is made of: types alone.
    show: [
      ...own(
        "show",
        "facts",
        "worth-facts",
        "tables",
        "solve/compare",
        "solve/embedding-analysis",
        "methods/reward-check",
        "frontier/report",
      ),
      ...[...file, ...shared("show", "facts"), ...DRAWN, ...COST],
    ],
    report: [
      ...[...own("report", "facts", "tables", "tiles"), ...file, ...shared("facts", "plan-table", "tiles")],
      ...["src/report", "src/text", "src/instance"],
    ],
    charts: [...own("report/input", "frontier", "explain"), ...search],
  };
  const foreign = INSTANCES.filter((room) => !own("instance").includes(room));
  return Object.fromEntries(
    Object.entries(rooms).map(([room, list]) => [
      `src/problems/${slice}/${room}`,
      list.filter((one) => !foreign.includes(one)),
    ]),
  );
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
  if (fourth === undefined) return DRIVERS.includes(`src/problems/${third}`) ? "the drivers" : "src/problems";
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
