import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "shardproof-docs-study-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("docs:study puts a study's tables between the marks of docs/studies.md, and its page beside it", () => {
  const [docs, study] = [join(folder, "docs"), join(folder, "study")];
  for (const each of [docs, study]) mkdirSync(each);
  for (const name of ["study.mjs", "studies.md"]) cpSync(join("docs", name), join(docs, name));
  const before = readFileSync(join(docs, "studies.md"), "utf8");
  const fill = [join(docs, "study.mjs"), study];
  const refused = spawnSync(process.execPath, fill, { encoding: "utf8" });
  expect([refused.status, refused.stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining("study collect")]]);

  writeFileSync(join(study, "summary.md"), "# a study\n\n12 plans.\n\n## row-tiers\n\n### in paper\n\n| $& |\n");
  writeFileSync(join(study, "study.html"), "<p>page</p>");
  execFileSync(process.execPath, fill);
  execFileSync(process.execPath, fill);
  const after = readFileSync(join(docs, "studies.md"), "utf8");
  const [begin, end] = ["<!-- made by: npm run docs:study -->\n", "<!-- end -->"];
  const made = "12 plans.\n\n### row-tiers\n\n#### in paper\n\n| $& |\n";
  const link = "The same with charts, and where each method is worst: [published-study.html](published-study.html).\n";
  const kept = [before.slice(0, before.indexOf(begin)), before.slice(before.indexOf(end))];
  expect(after).toBe(`${kept[0]}${begin}\n${made}\n${link}\n${kept[1]}`);
  expect(readFileSync(join(docs, "published-study.html"), "utf8")).toBe("<p>page</p>");

  // Too large for the repository: neither the old one nor a link stays.
  writeFileSync(join(study, "study.html"), "p".repeat(2_000_001));
  execFileSync(process.execPath, fill);
  expect(readFileSync(join(docs, "studies.md"), "utf8")).toBe(`${kept[0]}${begin}\n${made}\n${kept[1]}`);
  expect(existsSync(join(docs, "published-study.html"))).toBe(false);
});

const PUBLISHED = "docs/published-study.html";

test.skipIf(!existsSync(PUBLISHED))(
  "the tables of docs/studies.md are those of the page beside it (skipped without that page)",
  () => {
    const block =
      readFileSync("docs/studies.md", "utf8").split(/<!-- (?:made by: npm run docs:study|end) -->/)[1] ?? "";
    const rows = [...block.matchAll(/^\| (?!---)(.*) \|$/gm)].map(([, cells]) => (cells as string).split(" | "));
    const page = readFileSync(PUBLISHED, "utf8");
    const inPage = [...page.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, cells]) =>
      [...(cells as string).matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, text]) => text as string),
    );
    expect(rows.length).toBeGreaterThan(2);
    // The page has seconds at the end of each row.
    const known = new Set(inPage.map((cells) => cells.slice(0, 6).join(" | ")));
    expect(rows.map((cells) => cells.join(" | ")).filter((row) => !known.has(row))).toEqual([]);
  },
);
