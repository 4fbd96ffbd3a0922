/**
 * Makes dist/, which is what is published, of build/, which is what the compiler makes: the programs that somebody starts, imports
 * or runs as a thread, bundled with what they share, and the declarations that the entries lead to. A tenth of the files, and a
 * start that opens as few.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build");
const bundled = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.values(manifest.exports).filter((entry) => typeof entry === "object");

/** Packages that every start loads: some two hundred small files, most of them languages of zod's that nobody asks for. */
const LOADED_ALWAYS = ["commander", "fast-string-truncated-width", "fast-string-width", "picocolors", "yaml", "zod"];
/** As its own bundle has it, all of zod would be kept. */
const WHOLE_ZOD = 'import { z } from "zod"';

/** Paths in package.json are of dist/; here, of the same file in either folder. */
const inFolder = (path) => relative("dist", path);

/** What can be reached from files by what `next` finds in the text of each. */
function reached(files, next) {
  const seen = new Set(files);
  for (const file of seen) for (const found of next(file, readFileSync(join(compiled, file), "utf8"))) seen.add(found);
  return [...seen];
}

/** Declarations name their neighbours as the program does, with .js. */
function* importedTypes(file, text) {
  for (const [, path] of text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)\.js"/g)) {
    yield `${join(dirname(file), path)}.d.ts`;
  }
}

/** Threads are opened by where their program lies: `new URL("./thread.js", …)`. */
function opened(file) {
  const text = readFileSync(join(compiled, file), "utf8");
  const paths = Array.from(text.matchAll(/new URL\("(\.[^"]+\.js)"/g), ([, path]) => join(dirname(file), path));
  return paths.filter((path) => existsSync(join(compiled, path)));
}

/** What a module imports whenever it is loaded: other modules, and packages by their names. */
function imported(file) {
  const text = readFileSync(join(compiled, file), "utf8");
  const paths = text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"/gm);
  return Array.from(paths, ([, from, bare]) => from ?? bare).map((path) =>
    path.startsWith(".") ? join(dirname(file), path) : path,
  );
}

/** All that is loaded with some modules. */
function loadedWith(files) {
  const seen = new Set(files);
  for (const file of seen) if (file.endsWith(".js")) for (const next of imported(file)) seen.add(next);
  return seen;
}

/** A module keeps the address that it would have in dist/: threads and instances are found from there. */
const addresses = {
  name: "addresses",
  transform(text, path) {
    // A clone may lie below a folder of that name too.
    if (relative(compiled, path).startsWith("..")) return undefined;
    const own = JSON.stringify(join("dist", relative(compiled, path)));
    const address = `new URL(${own}, import.meta.resolve("${manifest.name}/package.json")).href`;
    return text.replaceAll("import.meta.url", address).replaceAll(WHOLE_ZOD, 'import * as z from "zod"');
  },
};

const external = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
  (name) => !LOADED_ALWAYS.includes(name),
);
const modules = readdirSync(compiled, { recursive: true }).filter((file) => file.endsWith(".js"));
const [main] = Object.values(manifest.bin).map(inFolder);
const programs = new Set([...entries.map((entry) => inFolder(entry.default)), main, ...modules.flatMap(opened)]);
const problems = modules.filter((file) => /^src\/problems\/[^/]+\/problem\.js$/.test(file)).map(dirname);
/** What is loaded one after the other: the programs, the command line, planning, how problems are solved, and how plans are shown. */
const stages = [
  ...Array.from(programs, (file) => [file]),
  ["src/cli/command-line.js", "src/cli/commands/plan.js"],
  ["src/problems/planning/plan.js"],
  ...problems.map((problem) => ["plan", "evaluate", "own"].map((name) => join(problem, "solve", `${name}.js`))),
  [
    "src/cli/commands/plan-shown.js",
    ...problems.flatMap((problem) => [join(problem, "facts.js"), join(problem, "show/plan.js")]),
  ],
].map((files) => loadedWith(files.filter((file) => existsSync(join(compiled, file)))));

/** Modules that are loaded at the same stages are one file: opening files takes longer than what is in them. */
function fileOf(path) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? relative(compiled, path);
  const loading = stages.flatMap((files, k) => (files.has(name) ? [k] : []));
  return loading.length === 0 || programs.has(name) ? null : loading.join("-");
}

rmSync(bundled, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(Array.from(programs, (file) => [file.replace(/\.js$/, ""), join(compiled, file)])),
  platform: "node",
  // An entry may hold what others share with it.
  preserveEntrySignatures: "allow-extension",
  // Where a module is at hand, asking for it later costs nothing.
  checks: { ineffectiveDynamicImport: false },
  external: (path) => external.some((name) => path === name || path.startsWith(`${name}/`)),
  plugins: [addresses],
});
await bundle.write({
  dir: bundled,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "src/shared/[hash].js",
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: "loaded together" }] },
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
});
const types = reached(
  entries.map((entry) => inFolder(entry.types)),
  importedTypes,
);
for (const file of types) {
  mkdirSync(dirname(join(bundled, file)), { recursive: true });
  cpSync(join(compiled, file), join(bundled, file));
}
const licences = LOADED_ALWAYS.map((name) => {
  const folder = join(root, "node_modules", name);
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return `${name}\n\n${readFileSync(join(folder, licence), "utf8")}`;
});
writeFileSync(join(bundled, "LICENCES"), licences.join("\n"));
chmodSync(join(bundled, main), 0o755);
