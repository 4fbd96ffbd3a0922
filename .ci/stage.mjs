/**
 * Packs what is published: `node .ci/stage.mjs FOLDER` writes the tarball into FOLDER and says in JSON where it is and what
 * is in it. It packs what `npm run build` has made; package.json goes without scripts, which npm would ask about, and without what
 * only development needs.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What npm would pack in a folder, or packs into another. */
function pack(folder, ...options) {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  return JSON.parse(text)[0];
}

const folder = mkdtempSync(join(realpathSync(tmpdir()), "shardproof-stage-"));
try {
  for (const { path } of pack(root, "--dry-run").files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  const { scripts: _, devDependencies: __, ...manifest } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const into = process.argv[2] ?? root;
  const { filename, size, files } = pack(folder, "--pack-destination", into);
  const paths = files.map(({ path }) => path);
  process.stdout.write(`${JSON.stringify({ tarball: join(into, filename), size, files: paths })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
