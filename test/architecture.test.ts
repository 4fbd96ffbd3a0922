import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { PROBLEM_NAMES } from "../src/problems/planning/registry.js";

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
// How instances are read, and the types of them: plain data, which what computes with them knows.
const INSTANCE = ["src/instance", ...BASICS];
const ACCESS = ["src/access", ...INSTANCE];
const COST = ["src/cost", ...ACCESS];
const MODELS = ["models", "src/proof", "src/program", ...COST];
const DRAWN = ["src/terminal", "src/text"];
const PLAN_FILES = ["src/plan-file", ...parts("plan-file", "answer")];

/** What a placement is among, and what moves: types. */
const PLACED_TYPES = ["models/table-placement/space", "models/table-placement/migration/delta"];

/** The most rooms and floors that the house may have. */
const MOST_ROOMS = 30;
const MOST_FLOORS = 10;

/**
 * What each room, or part of one, may import, from the foundations up. Beside those listed, every file may import its own room
 * and src/errors. Where only part of a room may be imported, the part is named.
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
  "src/instance": BASICS,
  // Row classes, whatever rows are counted by; DuckDB, where it is installed; what moves in an iteration, as cost models say it
  // and simulations count it.
  "src/access": INSTANCE,
  "src/profile": ["src/files", ...ACCESS],
  "src/cost": ACCESS,
  // Mathematics alone.
  models: ["src/program", ...COST],
  // What is alike in all plan files.
  "src/plan-file": ["src/proof/certificate", ...INSTANCE],
  // What is said of a plan, for terminal and page alike.
  "src/facts": ["src/plan-file", "src/text"],
  // Pages. What a plan says is handed in.
  "src/report": ["src/plan-file", "src/facts", "src/proof/certificate", "src/text"],
  // Plans for other tools, whose problem has read them.
  "src/interop": ["src/files", "src/plan-file", ...DRAWN, ...MODELS],
  // What all verifiers share: no search and no method.
  "src/problems/verification": ["src/plan-file", "src/proof", ...DRAWN, ...INSTANCE],
  "src/problems/show": ["src/plan-file", "src/facts", ...DRAWN],
  // What the parts of problems are handed or made of: options, the program's text, one way to run a method again.
  "src/problems": [
    ...["src/plan-file", "src/problems/verification", "src/proof/verdict", "src/proof/certificate"],
    ...["src/report/input", "src/report/page-section", "src/search", "src/solvers", "src/facts", "src/text"],
    ...[...INSTANCE, ...PROGRAM],
  ],
  // The drivers know no problem: the registry has them all, and the types of their plan files.
  "src/problems/planning": [
    ...["src/report", "src/facts", "src/text", ...PLAN_FILES, ...INSTANCE, ...PROGRAM],
    ...["problem", "plan-options", "frontier-options", "explain-options", "exportable", "rerun", "verification"].map(
      (name) => `src/problems/${name}`,
    ),
    ...[...parts("problem"), "src/problems/program/vipr-text", "src/problems/program/solve"],
  ],
  ...Object.fromEntries(SLICES.flatMap((slice) => Object.entries(partsOf(slice)))),
  // Never src/cost: its evidence is independent of the model. Of a plan it knows the file alone.
  // Logs it reads as profile does.
  "src/simulate": [
    ...["src/plan-file", "src/problems/row-tiers/plan-file/plan-file", "src/problems/row-tiers/instance/reader"],
    ...["models/table-placement/migration/delta", "src/profile", ...ACCESS],
  ],
  // What is run of a plan, beside what the cost model says of it.
  "src/simulate/plans": [
    ...["src/simulate", "src/interop/exportable", "src/plan-file", ...parts("exportable", "instance", "plan-file")],
    ...MODELS,
  ],
  // Published tables beside ours, and what is said of them: tables and figures, for terminal, page and CSV.
  "src/reproduce": [
    ...["src/search", "src/report", "src/facts", "src/text", ...parts("solve", "methods", "instance/reader")],
    ...["src/problems/tower-partition/report", ...PLAN_FILES, ...MODELS],
  ],
  // Many plans: instances drawn or to be filled in, jobs, their lines worked and checked, tables and pages of them. It drives the
  // drivers.
  "src/study": [
    ...["src/problems", "src/plan-file", "src/interop/instance-text", "src/report", "src/facts", ...DRAWN, ...COST],
  ],
  "src/cli": [
    ...["src/problems", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/report", "src/search"],
    ...["src/files", "src/vipr", "src/solvers", "src/study", "src/facts", "src/plan-file", ...DRAWN, ...MODELS],
  ],
  // What a page runs in its worker.
  "src/browser": [
    ...["src/problems/planning", ...PLAN_FILES, "src/problems/problem", "src/problems/program"],
    ...["src/search", "src/report", "src/facts", "src/text", ...INSTANCE, ...PROGRAM],
  ],
  // What users call: by the main entry, which is src/index.ts, and the further entries by subject.
  "src/entries": [
    ...["src/problems", "src/simulate", "src/interop", "src/profile", "src/reproduce", "src/study", "src/search"],
    ...["src/vipr", "src/solvers", "src/plan-file", ...MODELS],
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
    return targetsOf(file)
      .filter((target) => homeOf(target) !== homeOf(file))
      .map((target) => target.replace(/\.ts$/, ""))
      .filter((target) => !["src/errors", ...allowed].some((folder) => isInside(target, folder)))
      .map((target) => `${file}: ${target}`);
  });
  expect(offences.join("\n")).toBe("");
});

test("no import runs back up: at most thirty rooms on ten floors, each above all that it imports", () => {
  const below = new Map<string, Set<string>>();
  for (const file of files) {
    const own = below.get(roomOf(file)) ?? new Set();
    for (const target of targetsOf(file)) if (roomOf(target) !== roomOf(file)) own.add(roomOf(target));
    below.set(roomOf(file), own);
  }
  const floors: string[][] = [];
  const left = new Set([...below.keys()].sort());
  while (left.size > 0) {
    const floor = [...left].filter((room) => [...(below.get(room) as Set<string>)].every((one) => !left.has(one)));
    if (floor.length === 0) break;
    floors.push(floor);
    for (const room of floor) left.delete(room);
  }
  expect([...left]).toEqual([]);
  expect(below.size).toBeLessThanOrEqual(MOST_ROOMS);
  expect(floors.length).toBeLessThanOrEqual(MOST_FLOORS);
  process.stdout.write(floors.map((rooms, k) => `${k + 1}  ${rooms.join("  ").replaceAll("src/", "")}\n`).join(""));
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
  const targets = new Map(files.map((file) => [file, targetsOf(file)]));
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
  const file = ["src/plan-file", ...own("plan-file", "answer", "model", "instance")];
  const checking = ["src/problems/verification", "src/text", ...file, ...MODELS];
  const search = [...own("solve", "methods"), ...file, "src/search", "src/solvers", ...MODELS];
  const rooms: Readonly<Record<string, readonly string[]>> = {
    instance: INSTANCE,
    // The problem's entry: its parts, each loaded when it is asked for. Of models, what a decision is: types alone.
    problem: [
      ...own("instance", "solve", "plan-file", "facts", "tiles", "verify", "export", "proved", "show", "charts"),
      ...own("explain", "frontier"),
      ...own("report", "problem", "model"),
      ...["models", "src/access", "src/instance", "src/plan-file", ...shared("problem", "show")],
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
    "vipr-text": ["src/vipr", "src/text", "src/problems/verification", ...shared("proved-program"), ...file, ...MODELS],
    "point-by-name": MODELS,
    exportable: ["src/interop/exportable", ...file, ...shared("exportable"), ...MODELS],
    "program-words": ["src/text", ...file, ...MODELS],
    export: [
      ...own("export", "exportable", "program-words"),
      "src/interop",
      ...file,
      ...shared("exportable"),
      ...MODELS,
    ],
    // What is proved of a plan, as a program; where VIPR has no words for its proof it is searched for anew.
    proved: [...own("proved", "verify", "solve"), ...file, ...shared("proved-program"), ...MODELS],
    // What comes from TorchRec: a problem as an instance, a plan beside ours.
    "import-problem": ["src/interop", ...file, ...MODELS],
    score: ["src/interop", ...file, ...MODELS],
    // How a placement becomes another one.
    delta: ["src/interop/exportable", ...own("exportable"), ...file, ...MODELS],
    "worth-facts": ["models/table-placement/migration/delta", "src/text", ...file, "src/facts"],
    fullest: ["src/text", "src/facts"],
    tiles: [...own("facts", "fullest"), ...file, "src/facts", "src/text"],
    facts: [...own("facts", "fullest", "worth-facts", "instance"), ...file, "src/facts", "src/instance", "src/text"],
    tables: [...own("tables", "facts", "instance"), ...file, "src/facts", "src/instance", "src/text"],
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
      ...[...file, ...shared("show"), "src/facts", ...DRAWN, ...COST, ...PLACED_TYPES],
    ],
    report: [
      ...[...own("report", "facts", "tables", "tiles"), ...file, "src/facts"],
      ...["src/report", "src/text", "src/instance"],
    ],
    charts: [...own("report/input", "frontier", "explain"), ...search],
  };
  return Object.fromEntries(Object.entries(rooms).map(([room, list]) => [`src/problems/${slice}/${room}`, list]));
}

function linesOf(list: readonly string[]): { file: string; line: string }[] {
  return list.flatMap((file) =>
    codeOf(file)
      .split("\n")
      .map((line) => ({ file, line })),
  );
}

/** The files of the project that a file imports. */
function targetsOf(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts"));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The part of the house that {@link MAY_IMPORT} knows a file by: a folder of src, a part of a problem, or what all problems share. */
function homeOf(file: string): string {
  const [top, second, third, fourth] = file.replace(/\.ts$/, "").split("/") as [string, string, string?, string?];
  if (top === "models") return top;
  if (third === undefined) return "src/entries";
  if (second === "simulate" && third === "plans") return "src/simulate/plans";
  if (second !== "problems") return `${top}/${second}`;
  if (fourth === undefined) return "src/problems";
  return SLICES.some((slice) => slice === third) ? `src/problems/${third}/${fourth}` : `src/problems/${third}`;
}

/** The room of a file: a folder of src; models are one. */
function roomOf(file: string): string {
  return homeOf(file).split("/").slice(0, 2).join("/");
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
