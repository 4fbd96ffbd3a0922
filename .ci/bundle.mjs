/**
 * Makes dist/, which is what is published, of build/, which is what the compiler makes: the programs that somebody starts, imports
 * or runs as a thread, bundled with what they share, and the declarations that the entries lead to. A tenth of the files, and a
 * start that opens as few.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiled = join(root, "build");
const bundled = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.values(manifest.exports).filter((entry) => typeof entry === "object");

/** Packages that every start loads: a hundred and seventy small files, most of them languages of zod's that nobody asks for. */
const LOADED_ALWAYS = ["zod", "yaml"];
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

/**
 * The short ones of the modules that import nothing of the package, or only such, in `rounds`. Every chunk imports all of them, which
 * makes them one file in place of a hundred small ones; that costs no start anything to speak of.
 */
function basics(files, rounds, mostCharacters) {
  const needed = files.map((file) => {
    const text = readFileSync(join(compiled, file), "utf8");
    const paths = text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"/gm);
    const own = Array.from(paths, ([, from, bare]) => from ?? bare).filter((path) => !path.startsWith("node:"));
    const isBound = /\bimport\(|import\.meta/.test(text) || own.some((path) => !path.startsWith("."));
    return { file, isBound, isShort: text.length <= mostCharacters, own: own.map((path) => join(dirname(file), path)) };
  });
  const found = new Set();
  for (let k = 0; k < rounds; k++) {
    const next = needed.filter(({ isBound, own }) => !isBound && own.every((path) => found.has(path)));
    for (const { file } of next) found.add(file);
  }
  return needed.flatMap(({ file, isShort }) => (isShort && found.has(file) ? [file] : []));
}

/** A module keeps the address that it would have in dist/: threads and instances are found from there. */
const addresses = {
  name: "addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\/build\/.*\.js$/ }, ({ path }) => {
      // A clone may lie below a folder of that name too.
      if (relative(compiled, path).startsWith("..")) return undefined;
      const own = JSON.stringify(join("dist", relative(compiled, path)));
      const address = `new URL(${own}, import.meta.resolve("${manifest.name}/package.json")).href`;
      const text = readFileSync(path, "utf8");
      return {
        contents: text.replaceAll("import.meta.url", address).replaceAll(WHOLE_ZOD, 'import * as z from "zod"'),
      };
    });
  },
};

const external = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
  (name) => !LOADED_ALWAYS.includes(name),
);
const modules = readdirSync(compiled, { recursive: true }).filter((file) => file.endsWith(".js"));
const [main] = Object.values(manifest.bin).map(inFolder);
const programs = new Set([...entries.map((entry) => inFolder(entry.default)), main, ...modules.flatMap(opened)]);
const small = basics(
  modules.filter((file) => !programs.has(file)),
  3,
  1500,
);
rmSync(bundled, { recursive: true, force: true });
mkdirSync(bundled);
const shared = join(bundled, "basics.js");
writeFileSync(shared, small.map((file) => `import ${JSON.stringify(join(compiled, file))};`).join("\n"));
await build({
  entryPoints: Array.from(programs, (file) => join(compiled, file)),
  inject: [shared],
  outdir: bundled,
  outbase: compiled,
  chunkNames: "src/shared/[hash]",
  ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20", external },
  ...{ charset: "utf8", legalComments: "none", minifyWhitespace: true, minifySyntax: true, logLevel: "warning" },
  // yaml is CommonJS, and asks for a module of Node's.
  banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  plugins: [addresses],
});
rmSync(shared);
const types = reached(
  entries.map((entry) => inFolder(entry.types)),
  importedTypes,
);
for (const file of types) {
  mkdirSync(dirname(join(bundled, file)), { recursive: true });
  cpSync(join(compiled, file), join(bundled, file));
}
const licences = LOADED_ALWAYS.map(
  (name) => `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8")}`,
);
writeFileSync(join(bundled, "LICENCES"), licences.join("\n"));
chmodSync(join(bundled, main), 0o755);
