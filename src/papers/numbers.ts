import { NOTHING, type PlanRow } from "../problems/plan-table.js";
import type { NumberUnit, PublishedNumber, Verdict } from "../reproduce/published-number.js";
import { quantity, type Said } from "../text/said.js";
import { bytes, count, percent, significant, some } from "../text/units.js";
import { type PaperSection, paperTable } from "./section.js";

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
  const failing = all.flatMap((each, k) => (each.verdict === "does not hold" ? [{ each, k }] : []));
  return [
    {
      id: "published",
      title: `${numbers.length === 0 ? "What is said" : "What the paper prints"}: ${tallies.join("; ")}`,
      parts: [ruleTable(all)],
    },
    {
      id: "failing",
      title: "What does not hold",
      parts: failing.length === 0 ? [{ lines: ["nothing of what could be checked"] }] : [failingTable(failing)],
    },
    { id: "every", title: "Every number and statement", parts: [{ ...everyTable(all), leads: true }], on: "page" },
  ];
}

function ruleTable(all: readonly PublishedNumber[]) {
  const groups = new Map<string, PublishedNumber[]>();
  for (const each of all) {
    const key = JSON.stringify([each.where, each.kind, each.by]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const rows = [...groups.values()].map((group) => {
    const [{ where, by, kind }] = group as [PublishedNumber, ...PublishedNumber[]];
    const tally = tallyOf(group);
    const shown = (number: number): Said => (number === 0 ? NOTHING : count(number));
    return [
      where,
      some(group.length, kind),
      shown(tally.holds),
      shown(tally["does not hold"]),
      shown(tally["cannot be checked"]),
      by,
    ];
  });
  const head = ["where", "", "hold", "do not", "cannot be checked", "held to, or why not"];
  return paperTable("What is printed, by table and by what it is held to", head, rows, "llrrrl");
}

interface Numbered {
  readonly each: PublishedNumber;
  /** Its place among all. */
  readonly k: number;
}

function failingTable(failing: readonly Numbered[]) {
  const rows = failing.map(({ each, k }) => besideOurs(each, k));
  return paperTable(
    "How far ours is off; words have no number",
    ["where", "what", "paper", "ours", "off by"],
    rows,
    "llrrr",
  );
}

function everyTable(all: readonly PublishedNumber[]) {
  const rows = all.map((each, k): PlanRow["cells"] => [...besideOurs(each, k), each.verdict, each.by]);
  const head = ["where", "what", "paper", "ours", "off by", "verdict", "held to, or why not"];
  const table = paperTable("What the paper prints, beside ours", head, [], "llrrrll");
  return { ...table, rows: rows.map((cells) => ({ cells })) };
}

function besideOurs(each: PublishedNumber, k: number): readonly Said[] {
  return [each.where, each.what, publishedText(each, k), ownText(each, k), offBy(each)];
}

function publishedText({ published, unit, kind }: PublishedNumber, k: number): Said {
  if (published === null || (kind === "statement" && unit === "share")) return NOTHING;
  return quantity(`numbers.${k}.published`, published, numberText(published, unit));
}

function ownText({ ours, unit, kind }: PublishedNumber, k: number): Said {
  if (ours === null) return NOTHING;
  const text = numberText(ours, unit);
  return quantity(`numbers.${k}.ours`, ours, kind === "statement" ? `${text} above` : text);
}

/** Relative to the printed number. */
export function relativeDifference({ ours, published }: PublishedNumber): number | null {
  return ours === null || published === null || published === 0 ? null : (ours - published) / Math.abs(published);
}

function offBy(number: PublishedNumber): Said {
  const share = relativeDifference(number);
  if (share === null) return NOTHING;
  return `${share < 0 ? "−" : "+"}${(Math.abs(share) * 100).toFixed(2)} %`;
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
