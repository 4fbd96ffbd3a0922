import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path/posix";
import { NAVIGATION, pagesOf } from "../navigation.mjs";
import { withLinks } from "./markdown-links.mjs";
import { PAGES, PUBLIC, pageName, ROOT } from "./paths.mjs";

/** Characters of a file that is shown on a page; a longer one is copied, to be opened as it is. */
const MAX_SHOWN = 50_000;
const PICTURE = /\.(png|svg|jpe?g|webp)$/;

const LANGUAGES = { ".mjs": "js", ".ts": "ts", ".py": "python", ".json": "json", ".yaml": "yaml" };

/**
 * Writes the pages of the navigation and of everything in the repository that they link to, under the names of the site.
 * `built` are the files that the site has beside its pages. Throws where a page names what is not there.
 */
export function writePages(built) {
  const open = ["docs/site/pages/index.md", ...pagesOf(NAVIGATION).filter((page) => !page.startsWith("api:"))];
  const done = new Set();
  const missing = [];
  while (open.length > 0) {
    const path = open.pop();
    if (done.has(path)) continue;
    done.add(path);
    if (extname(path) !== ".md") {
      writeShown(path);
      continue;
    }
    const text = withLinks(readFileSync(join(ROOT, path), "utf8"), (target) => {
      const [file, anchor] = target.split(/(?=#)/);
      if (file.startsWith("site:")) return `./${target.slice("site:".length)}`;
      if (/^[a-z]+:/.test(target) || file.startsWith("#")) return target;
      const to = normalize(join(dirname(path), file));
      if (built.has(to)) return `./${built.get(to)}`;
      if (!existsSync(join(ROOT, to))) {
        missing.push(`${path}: ${target}`);
        return target;
      }
      if (PICTURE.test(to)) return pictureOf(to);
      if (isRaw(to)) return rawOf(to);
      open.push(to);
      return `./${pageName(to)}.md${anchor ?? ""}`;
    });
    writeFileSync(join(PAGES, `${pageName(path)}.md`), withFront(text, path));
  }
  if (missing.length > 0) throw new Error(`links to what is not there:\n${missing.join("\n")}`);
  return done;
}

/** A page of the API as typedoc made it, by its entry. */
export function writeApiPages(folder) {
  const files = readdirSync(join(folder, "entries"));
  const entries = [["index.md", "index"], ...files.map((file) => [`entries/${file}`, basename(file, ".md")])];
  for (const [file, entry] of entries) {
    const name = entry === "index" ? "shardproof" : `shardproof/${entry}`;
    const text = readFileSync(join(folder, file), "utf8").replace(/^# .*$/m, `# ${name}`);
    const linked = withLinks(text, (target) => {
      const [to, anchor = ""] = target.split(/(?=#)/);
      return to.endsWith(".md") ? `./api-${basename(to)}${anchor}` : target;
    });
    writeFileSync(join(PAGES, `api-${entry}.md`), `---\noutline: 3\neditLink: false\n---\n\n${linked}`);
  }
  return entries.map(([, entry]) => `api:${entry}`);
}

function isRaw(path) {
  return !path.endsWith(".md") && (LANGUAGES[extname(path)] === undefined || sizeOf(path) > MAX_SHOWN);
}

function sizeOf(path) {
  return readFileSync(join(ROOT, path), "utf8").length;
}

/** A file that a page names, on a page of its own. */
function writeShown(path) {
  const text = readFileSync(join(ROOT, path), "utf8").trimEnd();
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const page = `# ${basename(path)}\n\n\`${path}\`\n\n${fence}${LANGUAGES[extname(path)]}\n${text}\n${fence}\n`;
  writeFileSync(join(PAGES, `${pageName(path)}.md`), `---\noutline: false\n---\n\n${page}`);
}

/** In the site under a name of letters: some servers take the endings of sources for programs. */
function rawOf(path) {
  const name = `files/${path.replaceAll("/", "-")}.txt`;
  mkdirSync(join(PUBLIC, "files"), { recursive: true });
  copyFileSync(join(ROOT, path), join(PUBLIC, name));
  return `./${name}`;
}

function pictureOf(path) {
  const name = path.replace(/^docs\//, "").replaceAll("/", "-");
  if (!existsSync(join(PAGES, name))) copyFileSync(join(ROOT, path), join(PAGES, name));
  return `./${name}`;
}

function withFront(text, path) {
  if (text.startsWith("---\n")) return text;
  return path === "CHANGELOG.md" ? `---\noutline: 2\n---\n\n${text}` : text;
}
