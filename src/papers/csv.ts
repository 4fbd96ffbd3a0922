import type { PublishedNumber } from "../reproduce/published-number.js";
import { csvLines } from "../text/csv.js";
import { relativeDifference } from "./numbers.js";

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
