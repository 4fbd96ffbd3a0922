import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders of the build: the site's own, the repository's, and what is made (ignored by git). */
export const SITE = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const ROOT = resolve(SITE, "../..");
export const MADE = join(SITE, "made");
/** The Markdown that the generator reads, all in one folder: relative links then hold under every address. */
export const PAGES = join(MADE, "pages");
/** What is copied into the site as it is. */
export const PUBLIC = join(PAGES, "public");
export const DIST = join(SITE, "dist");

/** The name of a page in the site, of a path in the repository: `models/row-tiers/README.md` is `models-row-tiers`. */
export function pageName(path) {
  if (path.startsWith("api:")) return `api-${path.slice(4)}`;
  if (path === "README.md") return "overview";
  if (path === "docs/README.md") return "contents";
  return path
    .replace(/^docs\/(site\/pages\/)?/, "")
    .replace(/(\/README)?\.md$/, "")
    .replaceAll(/[/.]/g, "-")
    .toLowerCase();
}
