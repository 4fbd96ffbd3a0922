import { beforeAll, expect, test } from "vitest";
import { numbersCsv } from "../../../../src/reproduce/papers/numbers.js";
import { type PaperShown, shownPaper } from "../../../../src/reproduce/papers/paper.js";
import { VERDICTS } from "../../../../src/reproduce/published-number.js";
import { csvLines } from "../../../../src/text/csv.js";
import { NOTHING_REACHED, quickPapers } from "./papers-support.js";

let papers: readonly PaperShown[];
beforeAll(async () => {
  papers = [...(await quickPapers()), NOTHING_REACHED].map(shownPaper);
});

/** RFC 4180 read by its grammar: fields with quotes doubled inside quotes, lines that end in CRLF. */
function parsed(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no field of RFC 4180 at ${field.lastIndex}`);
    const [, raw = "", end] = match;
    line.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ",") continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

test("a line a number, with the page's numbers in full", () => {
  const [head, ...lines] = parsed(numbersCsv(papers)) as [string[], ...string[][]];
  const all = papers.flatMap(({ paper, numbers }) => numbers.map((number) => ({ paper, ...number })));
  expect(lines).toHaveLength(all.length);
  const of = (line: readonly string[], name: string) => line[head.indexOf(name)] as string;
  for (const [k, line] of lines.entries()) {
    const number = all[k] as (typeof all)[number];
    expect(line).toHaveLength(head.length);
    for (const name of ["paper", "where", "what", "verdict"] as const) expect(of(line, name)).toBe(number[name]);
    expect(of(line, "heldTo")).toBe(number.by);
    expect(of(line, "equation")).toBe(number.equation ?? "");
    expect(VERDICTS).toContain(of(line, "verdict"));
    expect(of(line, "besideProvedOptimum")).toBe(String(number.proved));
    const { published, ours } = number;
    expect(of(line, "published")).toBe(published === null ? "" : String(published));
    expect(of(line, "ours")).toBe(ours === null ? "" : String(ours));
    const hasBoth = published !== null && ours !== null;
    expect(of(line, "difference")).toBe(hasBoth ? String(ours - published) : "");
    expect(of(line, "relativeDifference") === "").toBe(!hasBoth || published === 0);
  }
  expect(lines.some((line) => of(line, "what").includes(","))).toBe(true);
});

test("quotes, commas and line breaks stay in their field", () => {
  const cells = ['a "b"', "c,d", "e\r\nf", "", "g"];
  expect(parsed(csvLines([cells], "\r\n"))).toEqual([cells]);
  expect(csvLines([[null, 1.5, true]])).toBe(",1.5,true\n");
});
