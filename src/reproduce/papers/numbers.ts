import { NOTHING } from "../../facts/plan-table.js";
import { csvLines } from "../../text/csv.js";
import { quantity, type Said } from "../../text/said.js";
import { bytes, count, percent, significant, some } from "../../text/units.js";
import type { NumberUnit, PublishedNumber, Verdict } from "../published-number.js";
import { orNothing, type PaperColumn, type PaperSection, paperTable, signedPercent } from "./section.js";

/** How many hold, do not hold, and cannot be checked. */
export type Tally = Readonly<Record<Verdict, number>> & { readonly all: number };

export function tallyOf(numbers: readonly PublishedNumber[]): Tally {
  const of = (wanted: Verdict) => numbers.filter(({ verdict }) => verdict === wanted).length;
  return {
    all: numbers.length,
    holds: of("holds"),
    "does not hold": of("does not hold"),
    "cannot be checked": of("cannot be checked"),
  };
}

/** The numbers that a paper prints, and the statements of its text. */
export function parted(all: readonly PublishedNumber[]): {
  readonly numbers: readonly PublishedNumber[];
  readonly statements: readonly PublishedNumber[];
} {
  return {
    numbers: all.filter(({ kind }) => kind === "number"),
    statements: all.filter(({ kind }) => kind === "statement"),
  };
}

/** `of 118 numbers 40 hold, 35 do not, 43 cannot be checked here`. */
export function tallyText({ all, holds, ...others }: Tally, of: "number" | "statement"): string {
  const [failing, open] = [others["does not hold"], others["cannot be checked"]];
  if (open === all) return `none of ${some(all, of)} can be checked here`;
  const rest = open === 0 ? "" : `, ${count(open)} cannot be checked here`;
  return `of ${some(all, of)} ${count(holds)} ${holds === 1 ? "holds" : "hold"}, ${count(failing)} ${failing === 1 ? "does" : "do"} not${rest}`;
}

/** What the numbers and statements come to by table and rule, those that do not hold, and, on a page, every one. */
export function numberSections(all: readonly PublishedNumber[]): readonly PaperSection[] {
  const { numbers, statements } = parted(all);
  const tallies = [
    ...(numbers.length === 0 ? [] : [tallyText(tallyOf(numbers), "number")]),
    ...(statements.length === 0 ? [] : [tallyText(tallyOf(statements), "statement")]),
  ];
  const numbered = all.map((each, k): Numbered => ({ ...each, k }));
  const failing = numbered.filter(({ verdict }) => verdict === "does not hold");
  const failingTable = paperTable("How far ours is off; words have no number", failing, BESIDE_OURS);
  const everyTable = paperTable("What the paper prints, beside ours", numbered, [
    ...BESIDE_OURS,
    ["verdict", "l", ({ verdict }) => verdict],
    ["held to, or why not", "l", ({ by }) => by],
  ]);
  return [
    {
      id: "published",
      title: `${numbers.length === 0 ? "What is said" : "What the paper prints"}: ${tallies.join("; ")}`,
      parts: [ruleTable(all)],
    },
    {
      id: "failing",
      title: "What does not hold",
      parts: failing.length === 0 ? [{ lines: ["nothing of what could be checked"] }] : [failingTable],
    },
    { id: "every", title: "Every number and statement", parts: [{ ...everyTable, leads: true }], on: "page" },
  ];
}

function ruleTable(all: readonly PublishedNumber[]) {
  const groups = new Map<string, PublishedNumber[]>();
  for (const each of all) {
    const key = JSON.stringify([each.where, each.kind, each.by]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const rows = [...groups.values()].map((group) => ({ ...(group[0] as PublishedNumber), tally: tallyOf(group) }));
  const tallied = (head: string, verdict: Verdict): PaperColumn<(typeof rows)[number]> => [
    head,
    "r",
    ({ tally }) => (tally[verdict] === 0 ? NOTHING : count(tally[verdict])),
  ];
  return paperTable("What is printed, by table and by what it is held to", rows, [
    ["where", "l", ({ where }) => where],
    ["", "l", ({ tally, kind }) => some(tally.all, kind)],
    tallied("hold", "holds"),
    tallied("do not", "does not hold"),
    tallied("cannot be checked", "cannot be checked"),
    ["held to, or why not", "l", ({ by }) => by],
  ]);
}

/** A number with its place among all. */
type Numbered = PublishedNumber & { readonly k: number };

const BESIDE_OURS: readonly PaperColumn<Numbered>[] = [
  ["where", "l", ({ where }) => where],
  ["what", "l", ({ what }) => what],
  ["paper", "r", publishedText],
  ["ours", "r", ownText],
  ["off by", "r", (number) => orNothing(relativeDifference(number), (share) => signedPercent(share, 2))],
];

function publishedText({ published, unit, kind, k }: Numbered): Said {
  if (published === null || (kind === "statement" && unit === "share")) return NOTHING;
  return quantity(`numbers.${k}.published`, published, numberText(published, unit));
}

function ownText({ ours, unit, kind, k }: Numbered): Said {
  if (ours === null) return NOTHING;
  const text = numberText(ours, unit);
  return quantity(`numbers.${k}.ours`, ours, kind === "statement" ? `${text} above` : text);
}

/** Relative to the printed number. */
export function relativeDifference({ ours, published }: PublishedNumber): number | null {
  return ours === null || published === null || published === 0 ? null : (ours - published) / Math.abs(published);
}

/** A number as people read it, with its unit. */
export function numberText(value: number, unit: NumberUnit): string {
  switch (unit) {
    case "share":
      return percent(value);
    case "rows":
    case "elements":
      return count(Math.round(value));
    case "bytes":
      return bytes(value);
    case "AUC":
      return value.toFixed(4);
    case "times":
      return `${significant(value, 4)} ×`;
    case "":
      return significant(value, 4);
    default:
      return `${significant(value, 4)} ${unit === "G parameters" ? "G" : unit}`;
  }
}

/** A number with the paper that prints it. */
export interface OfPaper {
  readonly paper: string;
  readonly numbers: readonly PublishedNumber[];
}

/** RFC 4180 ends its lines so. */
const END = "\r\n";

const COLUMNS = [
  ...["paper", "where", "what", "kind", "unit", "published", "ours", "difference", "relativeDifference"],
  ...["verdict", "heldTo", "equation", "besideProvedOptimum"],
];

/** Every number and statement as CSV, one a line, numbers in full; what there is none of is empty. */
export function numbersCsv(papers: readonly OfPaper[]): string {
  const lines = papers.flatMap(({ paper, numbers }) =>
    numbers.map((number) => {
      const { where, what, kind, unit, published, ours, verdict, by, equation, proved } = number;
      const difference = ours === null || published === null ? null : ours - published;
      return [
        ...[paper, where, what, kind, unit, published, ours, difference, relativeDifference(number)],
        ...[verdict, by, equation, proved],
      ];
    }),
  );
  return csvLines([COLUMNS, ...lines], END);
}
