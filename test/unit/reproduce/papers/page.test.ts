import { beforeAll, expect, test } from "vitest";
import { showPapers } from "../../../../src/cli/show/reproduced.js";
import { parted, tallyOf } from "../../../../src/reproduce/papers/numbers.js";
import { papersPage } from "../../../../src/reproduce/papers/page.js";
import type { Reproduced } from "../../../../src/reproduce/papers/paper.js";
import { shownPaper } from "../../../../src/reproduce/papers/paper.js";
import { NOTHING_REACHED, pageText, quickPapers, withMoreFlops } from "./papers-support.js";

let papers: readonly Reproduced[];
let page: string;
beforeAll(async () => {
  papers = [...(await quickPapers()), NOTHING_REACHED];
  page = await papersPage(papers);
}, 300_000);

/** The number of a tile. */
function tile(of: string, name: string): string | undefined {
  return new RegExp(`<span class="name">${name}</span><span class="large[^"]*">([^<]*)`).exec(of)?.[1];
}

test("every word and number of the terminal's tables is on the page, in its order", () => {
  const text = pageText(page);
  const shown = papers.map(shownPaper);
  const lines = showPapers(shown).split("\n");
  // Rows of tables: cells are two spaces apart. The picture of characters is a figure there.
  const rows = lines.filter((line) => /^ {2,}\S.* {2}\S/.test(line) && !/[█▓▒░│─]/.test(line));
  expect(rows.length).toBeGreaterThan(200);
  const missing = rows.filter((row) => !text.includes(row.trim().replace(/\s+/g, " ")));
  expect(missing.filter((row) => !heads(shown).has(row.trim().replace(/\s+/g, " ")))).toEqual([]);
});

/** Heads that a page has more words in, where the terminal leaves them empty. */
function heads(shown: ReturnType<typeof shownPaper>[]): ReadonlySet<string> {
  const all = shown.flatMap(({ sections }) => sections.flatMap(({ parts }) => parts ?? []));
  return new Set(
    all.flatMap((part) =>
      "columns" in part && part.columns.some(({ head }) => typeof head !== "string")
        ? [
            part.columns
              .map(({ head }) => (typeof head === "string" ? head : ""))
              .join(" ")
              .replace(/\s+/g, " ")
              .trim(),
          ]
        : [],
    ),
  );
}

test("the first screen counts what the numbers come to", () => {
  const { numbers, statements } = parted(papers.flatMap((each) => shownPaper(each).numbers));
  const [tally, said] = [tallyOf(numbers), tallyOf(statements)];
  expect(tile(page, "published numbers that repeat")).toBe(String(tally.holds));
  expect(tile(page, "that do not")).toBe(String(tally["does not hold"]));
  expect(tile(page, "statements of the text")).toBe(`${said.holds} of ${said.all}`);
  expect(tile(page, "held against a proved optimum")).toBe("None");
  const checked = tally.holds + tally["does not hold"];
  expect(pageText(page)).toContain(
    `${tally.holds} of the ${checked} published numbers that can be set beside ours repeat, and ${tally["does not hold"]} do not`,
  );
});

test("a number that is off is seen: in the tile, in the list, in the terminal", async () => {
  const broken = withMoreFlops(papers, 0.25);
  const after = await papersPage(broken);
  const number = (of: string, name: string) => Number(tile(of, name));
  expect(number(after, "that do not")).toBe(number(page, "that do not") + 2);
  expect(number(after, "published numbers that repeat")).toBe(number(page, "published numbers that repeat") - 2);
  const row = /table 4 +DLRM: million flops per sample +14\.74 MFlops +14\.99 MFlops +\+1\.68 %/;
  expect(pageText(after)).toMatch(row);
  expect(pageText(page)).not.toMatch(row);
  expect(showPapers(broken.map(shownPaper))).toMatch(row);
}, 300_000);

test("the same bytes each time, and room to spare", async () => {
  expect(await papersPage(papers)).toBe(page);
  expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
}, 300_000);

test("figures that the papers have as pictures alone say so; what was not reached is said", () => {
  for (const title of ["Figure 3", "Figure 5", "Figure 6", "Figure 7", "Figure 9", "Figure 10", "Figure 12"]) {
    expect(page).toMatch(new RegExp(`<h3>${title}: `));
  }
  expect(page).toContain("The paper&#39;s figure has no numbers: drawn from ours alone.");
  expect(page).toContain("The paper&#39;s matrix is not published");
  expect(page).toContain('<strong class="bad">Not reached in the time limit:</strong> Figures 8 and 9');
  expect(page).not.toContain("No picture can be drawn");
});

test("it asks for nothing: no script, style or picture from elsewhere", () => {
  expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(page.match(/(src|href)="(?!#)[^"]*"/g)).toBeNull();
});
