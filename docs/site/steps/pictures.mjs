import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PAGES, PUBLIC, ROOT, SITE } from "./paths.mjs";

/** Those in the repository: the README's, and those that the site has where there is no browser. */
const KEPT = join(SITE, "pictures");

/** A picture: its name, the page, the height of what it shows in pixels, and the theme. */
const PICTURES = [
  ["report", "examples/rows.html", 868],
  ["report-dark", "examples/rows.html", 868, "dark"],
  ["tables", "examples/tables.html", 868],
  ["towers", "examples/towers.html", 868],
  ["comparison", "examples/comparison.html", 868],
  ["study", "examples/study.html", 868],
];
const WIDTH = 1160;

/**
 * Takes pictures of the example pages for the site; `keep` also puts them into the repository. Where there is no browser the
 * ones of the repository are used, and it says so.
 */
export async function takePictures(keep) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    if (keep) throw new Error(`no browser at ${executablePath}: set CHROMIUM to take pictures`);
    for (const [name] of PICTURES) copyFileSync(keptAt(name), join(PAGES, `${name}.png`));
    return `no browser at ${executablePath} (CHROMIUM names another): the pictures are those of the repository`;
  }
  const { chromium } = createRequire(join(ROOT, "package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const [name, page, height, colorScheme = "light"] of PICTURES) {
      const tab = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme });
      await tab.goto(pathToFileURL(join(PUBLIC, page)).href);
      await tab.screenshot({ path: join(PAGES, `${name}.png`) });
      await tab.close();
    }
  } finally {
    await browser.close();
  }
  if (keep) for (const [name] of PICTURES) copyFileSync(join(PAGES, `${name}.png`), keptAt(name));
  return keep
    ? `took ${PICTURES.length} pictures, and kept them in the repository`
    : `took ${PICTURES.length} pictures`;
}

/** The README's own stands in docs, which the package has. */
function keptAt(name) {
  mkdirSync(KEPT, { recursive: true });
  return name === "report" ? join(ROOT, "docs/report.png") : join(KEPT, `${name}.png`);
}
