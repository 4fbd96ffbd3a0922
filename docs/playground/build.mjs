/**
 * Builds the playground: one page that holds everything, written to docs/playground/dist/index.html or to the file named.
 *
 * The worker is the program itself, bundled from its sources with the shims beside this file in place of what Node has and
 * a browser has not; it and HiGHS are packed with gzip inside the page, so that it opens from disk.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { parse } from "yaml";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const source = (name) => join(here, name);

/** What stands in for each module that a browser has not. */
const SHIMS = {
  "node:crypto": "crypto",
  "node:fs": "files",
  "node:fs/promises": "files",
  "node:child_process": "files",
  "node:path": "path",
  "node:os": "system",
  os: "system",
  "node:util": "system",
  util: "system",
  "node:perf_hooks": "system",
  "node:worker_threads": "system",
  highs: "highs",
  "./worker/worker-client.js": "worker-client",
};

/**
 * Imported when they are needed, which is never in a page: optional packages, gzip, what HiGHS takes from Node, and what writes
 * folders.
 */
const MISSING = [
  "glpk.js",
  "@duckdb/node-api",
  "node:module",
  "node:zlib",
  "*/remap/write-remap.js",
  "*/remap/write-placement-remap.js",
];

const shims = {
  name: "shims",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, importer }) => {
      const shim = Object.hasOwn(SHIMS, path) ? SHIMS[path] : undefined;
      // The shim of HiGHS is where the package itself comes in.
      if (shim === undefined || importer.startsWith(source("shims"))) return undefined;
      return { path: source(`shims/${shim}.ts`) };
    });
  },
};

async function bundle(entry, options = {}) {
  const { outputFiles, warnings } = await build({
    ...(typeof entry === "string" ? { entryPoints: [entry] } : entry),
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    target: "es2023",
    format: "iife",
    charset: "utf8",
    logLevel: "warning",
    ...options,
  });
  if (warnings.length > 0) throw new Error("the bundle has warnings, see above");
  return outputFiles[0].text;
}

/** What the page shares with the program's sources: colours, limits, and what a report in it needs to be allowed. */
async function shared() {
  const contents = `export { COLOURS } from "../../src/report/palette.ts";
export { SCRIPT } from "../../src/report/script.ts";
export { STYLE } from "../../src/report/style.ts";
export { LIMITS } from "./limits.ts";`;
  const text = await bundle({ stdin: { contents, resolveDir: here } }, { format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

/** The instances of instances/tiny, but those that name files, and one of a paper; then the programs. */
function examples() {
  const NAME_FILES = ["placement-migration.yaml", "row-moves.yaml", "towers-file.yaml"];
  const tiny = readdirSync(join(root, "instances/tiny"))
    .filter((name) => name.endsWith(".yaml") && !NAME_FILES.includes(name))
    .sort()
    .map((name) => ["tiny", name]);
  const programs = readdirSync(join(root, "instances/programs"))
    .filter((name) => /\.(mps|lp)$/.test(name))
    .sort()
    .map((name) => ["programs", name]);
  return [["paper", "flexshard-rm1.yaml"], ...tiny, ...programs].map(([folder, name]) => {
    const text = readFileSync(join(root, "instances", folder, name), "utf8");
    const problem = /^problem: ([\w-]+)/m.exec(text)?.[1] ?? "program";
    return { name, group: problem.replace("-", " "), text, about: aboutOf(text) };
  });
}

/** The first sentence of what an instance says of its source, or of the comment that a program begins with. */
function aboutOf(text) {
  const said = /^shardproof:/m.test(text)
    ? String(parse(text).source ?? "")
    : (/^[*\\\\] *(.*)$/m.exec(text)?.[1] ?? "");
  // A sentence ends where the next begins with a capital letter: not at "et al. 2023", and not within "a; b".
  const [first] = said.trim().split(/(?<=[.;]) (?=[A-Z"])(?<!\b(?:al|e\.g|i\.e|cf|vs|No)\. )/);
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.;]?$/, ".");
  return sentence === "." ? "" : sentence;
}

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/** Inside an element of script, nothing may end it. */
const inScript = (text) => text.replaceAll("</", "<\\/");

const { COLOURS, SCRIPT, STYLE, LIMITS } = await shared();
const colours = Object.entries(COLOURS).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`);
const own = "--panel:light-dark(#f6f8fa,#1d2229);--good:light-dark(#00684b,#4fd6a8);--bad:light-dark(#a83e00,#ff9d63)";
const rules = await bundle(source("page.css"), { target: undefined });
const style = `:root{color-scheme:light dark;${colours.join(";")};${own};--action:#0069a6}${rules.trim()}`;
const script = inScript(await bundle(source("page.ts")));
const worker = await bundle(source("worker.ts"), {
  plugins: [shims],
  external: MISSING,
  inject: [source("shims/process.ts")],
  define: { "import.meta.url": '"blob:"' },
});
const highs = readFileSync(createRequire(import.meta.url).resolve("highs/runtime"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const policy = [
  "default-src 'none'",
  // HiGHS is WebAssembly, and Vega compiles the expressions of charts; both inherit from the page.
  `script-src ${hashOf(script)} ${hashOf(SCRIPT)} 'wasm-unsafe-eval' 'unsafe-eval'`,
  `style-src ${hashOf(style)} ${hashOf(STYLE)}`,
  "worker-src blob:",
  // By a blob's address the worker sees that somebody cancels.
  "connect-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
];
const parts = {
  policy: policy.join("; "),
  style,
  script,
  examples: inScript(JSON.stringify(examples())),
  worker: packed(worker),
  highs: packed(highs),
  version,
  mostMiB: String(LIMITS.text / 2 ** 20),
  mostSeconds: String(LIMITS.seconds),
  mostMinutes: String(LIMITS.seconds / 60),
};
const page = readFileSync(source("page.template"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
const file = process.argv[2] ?? source("dist/index.html");
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, page);
const kibibytes = (text) => `${Math.round(text.length / 1024)} KiB`;
process.stdout.write(`${file}: ${kibibytes(page)} (worker ${kibibytes(worker)}, packed ${kibibytes(parts.worker)})\n`);
