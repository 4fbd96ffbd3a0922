// npm run docs:study -- FOLDER: writes the tables of a collected study into docs/studies.md, between its marks, and copies the
// study's page beside it, so that both are of one study.
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const docs = dirname(fileURLToPath(import.meta.url));
const page = join(docs, "studies.md");
const copy = join(docs, "published-study.html");

/** Bytes of a page that is kept in the repository. */
const MAX_PAGE_BYTES = 2_000_000;

const BLOCK = /(<!-- made by: npm run docs:study -->\n)[\s\S]*?(<!-- end -->)/;

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) end("expected the folder of a study: npm run docs:study -- FOLDER");
const [summaryFile, studyPage] = ["summary.md", "study.html"].map((name) => join(folder, name));
for (const file of [summaryFile, studyPage]) {
  if (!existsSync(file)) end(`${file} is not there; make it: npx shardproof study collect ${folder}`);
}
const text = readFileSync(page, "utf8");
if (!BLOCK.test(text)) end(`${page}: expected a block between the marks "made by: npm run docs:study" and "end"`);

const isKept = statSync(studyPage).size <= MAX_PAGE_BYTES;
if (isKept) copyFileSync(studyPage, copy);
// A page of another study beside these tables would be wrong.
else rmSync(copy, { force: true });
writeFileSync(
  page,
  text.replace(BLOCK, (_all, begin, close) => `${begin}\n${blockOf()}\n${close}`),
);
process.stdout.write(`wrote ${page}\n${isKept ? `wrote ${copy}` : `${studyPage} is over 2 MB and not copied`}\n`);

/** The summary as a part of a section: without its title, headings one level down. */
function blockOf() {
  const summary = readFileSync(summaryFile, "utf8").replace(/^# .*\n+/, "");
  const link = "The same with charts, and where each method is worst: [published-study.html](published-study.html).\n";
  return `${summary.replace(/^##/gm, "###")}${isKept ? `\n${link}` : ""}`;
}

function end(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
