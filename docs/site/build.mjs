/**
 * Makes the site: npm run docs:site. Its own packages are installed first, as they are locked; the program has to be built.
 * `-- --keep-pictures` also puts the pictures into the repository.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NAVIGATION, pagesOf } from "./navigation.mjs";
import { deadLinks } from "./steps/check-links.mjs";
import { makeExamples } from "./steps/examples.mjs";
import { writeApiPages, writePages } from "./steps/pages.mjs";
import { DIST, MADE, PUBLIC, ROOT, SITE } from "./steps/paths.mjs";
import { takePictures } from "./steps/pictures.mjs";
import { makeRelative } from "./steps/relative-base.mjs";

const options = process.argv.slice(2);
const unknown = options.filter((option) => option !== "--keep-pictures");
if (unknown.length > 0) end(`unknown option ${unknown[0]}; there is --keep-pictures`);
const playground = join(ROOT, "docs/playground/dist/index.html");
for (const file of [join(ROOT, "dist/src/cli/main.js"), playground]) {
  if (!existsSync(file)) end(`${file} is not there; build the program first: npm run build`);
}

for (const folder of [MADE, DIST]) rmSync(folder, { recursive: true, force: true });
mkdirSync(join(PUBLIC, "playground"), { recursive: true });
copyFileSync(playground, join(PUBLIC, "playground/index.html"));

say("example reports");
makeExamples();
say("pictures");
say(`  ${await takePictures(options.includes("--keep-pictures"))}`);
say("pages of the API");
execFileSync(process.execPath, ["node_modules/typedoc/bin/typedoc"], { cwd: SITE, stdio: "inherit" });
const api = writeApiPages(join(MADE, "api"));
const inNavigation = pagesOf(NAVIGATION).filter((page) => page.startsWith("api:"));
if (api.toSorted().join() !== inNavigation.toSorted().join()) end(`navigation.mjs has not the API's pages: ${api}`);
say("pages");
const published = join(PUBLIC, "examples/published-study.html");
writePages(new Map(existsSync(published) ? [["docs/published-study.html", "examples/published-study.html"]] : []));
const { build } = await import("vitepress");
await build(SITE);
// It would stand under addresses of any depth, where nothing relative holds; servers have their own.
rmSync(join(DIST, "404.html"));
makeRelative(DIST);
const dead = deadLinks(DIST);
if (dead.length > 0) end(`dead links:\n${dead.join("\n")}`);
say(`wrote ${DIST}: every link and anchor leads somewhere; see it: python3 -m http.server -d docs/site/dist`);

function say(text) {
  process.stdout.write(`${text}\n`);
}

function end(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
