/**
 * Packs what is published: `node .ci/stage.mjs FOLDER` writes the tarball into FOLDER and says in JSON where it is and what
 * is in it. It packs what `npm run build` has made.
 *
 * The list is that of package.json. Of dist/ go the programs that somebody starts, imports or runs as a thread, bundled with
 * what they share, and the declarations that the entries lead to: a tenth of the files, and a start that opens as few.
 * package.json goes without scripts, which npm would ask about, and without what only development needs.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What npm would pack in a folder, or packs into another. */
function pack(folder, ...options) {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  return JSON.parse(text)[0];
}

/** What can be reached from files by what `next` finds in the text of each. */
function reached(files, next) {
  const seen = new Set(files);
  for (const file of seen) for (const found of next(file, readFileSync(join(root, file), "utf8"))) seen.add(found);
  return [...seen];
}

/** Declarations name their neighbours as the program does, with .js. */
function* importedTypes(file, text) {
  for (const [, path] of text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)\.js"/g)) {
    yield `${join(dirname(file), path)}.d.ts`;
  }
}

/** Threads are opened by where their program lies: `new URL("./thread.js", …)`. */
function* opened(file, text) {
  for (const [, path] of text.matchAll(/new URL\("(\.[^"]+\.js)"/g)) {
    const found = join(dirname(file), path);
    if (existsSync(join(root, found))) yield found;
  }
}

/**
 * The modules that import nothing of the package, or only such, in `rounds`. Every chunk imports all of them, which makes them
 * one file in place of a hundred small ones; that costs no start anything to speak of.
 */
function basics(files, rounds) {
  const needed = files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const paths = text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"/gm);
    const own = Array.from(paths, ([, from, bare]) => from ?? bare).filter((path) => !path.startsWith("node:"));
    const isBound = /\bimport\(|import\.meta/.test(text) || own.some((path) => !path.startsWith("."));
    return { file, isBound, own: own.map((path) => join(dirname(file), path)) };
  });
  const found = new Set();
  for (let k = 0; k < rounds; k++) {
    const next = needed.filter(({ isBound, own }) => !isBound && own.every((path) => found.has(path)));
    for (const { file } of next) found.add(file);
  }
  return [...found];
}

/** A module keeps the address that it had before it was bundled: threads and instances are found from there. */
const addresses = {
  name: "addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      const address = `new URL(${JSON.stringify(relative(root, path))}, import.meta.resolve("shardproof/package.json")).href`;
      return { contents: text.replaceAll("import.meta.url", address) };
    });
  },
};

async function stage(folder) {
  const { scripts: _, devDependencies: __, ...manifest } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const listed = pack(root, "--dry-run").files.map(({ path }) => path);
  const built = listed.filter((file) => file.startsWith("dist/") && file.endsWith(".js"));
  const entries = Object.values(manifest.exports).filter((entry) => typeof entry === "object");
  const threads = built.flatMap((file) => [...opened(file, readFileSync(join(root, file), "utf8"))]);
  const programs = new Set(
    [...entries.map((entry) => entry.default), ...Object.values(manifest.bin), ...threads].map((file) => join(file)),
  );
  const shared = join(folder, "basics.js");
  const small = basics(
    built.filter((file) => !programs.has(file)),
    3,
  );
  writeFileSync(shared, small.map((file) => `import ${JSON.stringify(join(root, file))};`).join("\n"));
  await build({
    entryPoints: Array.from(programs, (file) => join(root, file)),
    inject: [shared],
    outdir: join(folder, "dist"),
    outbase: join(root, "dist"),
    chunkNames: "src/shared/[hash]",
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20", packages: "external" },
    ...{ charset: "utf8", legalComments: "none", minifyWhitespace: true, minifySyntax: true, logLevel: "warning" },
    plugins: [addresses],
  });
  rmSync(shared);
  const types = reached(
    entries.map((entry) => join(entry.types)),
    importedTypes,
  );
  const others = listed.filter((file) => !file.startsWith("dist/") && file !== "package.json");
  for (const file of [...types, ...others]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const folder = mkdtempSync(join(realpathSync(tmpdir()), "shardproof-stage-"));
try {
  await stage(folder);
  const into = process.argv[2] ?? root;
  const { filename, size, files } = pack(folder, "--pack-destination", into);
  const paths = files.map(({ path }) => path);
  process.stdout.write(`${JSON.stringify({ tarball: join(into, filename), size, files: paths })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
