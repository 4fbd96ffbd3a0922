import { InputError } from "../errors/input-error.js";

/** How often the rows of a table are read, as an instance takes it. */
export interface Profile {
  readonly shardproof: 1;
  /** Rows of the table, or those that were read where it is not known. */
  readonly rows: number;
  readonly samples: number;
  readonly accesses: number;
  /** Accesses per sample. */
  readonly meanLength: number;
  /** [rows, expected appearances of such a row in one sample], falling: `access: {histogram: …}` of an instance. */
  readonly histogram: readonly (readonly [rows: number, appearances: number])[];
  /** [accesses, rows with so many], falling: exact. */
  readonly counts: readonly (readonly [accesses: number, rows: number])[];
  readonly files: readonly string[];
}

export interface ProfileParts {
  /** [accesses, rows], falling. */
  readonly counts: readonly (readonly [accesses: number, rows: number])[];
  readonly samples: number;
  /** Rows of the table; those that no count has are never read. */
  readonly tableRows: number | undefined;
  readonly files: readonly string[];
  /** Of several, for messages. */
  readonly column?: string | undefined;
}

/** Throws `InputError` when there are more rows than the table has. */
export function profileOf({ counts, samples, tableRows, files, column }: ProfileParts): Profile {
  const found = counts.reduce((sum, [, rows]) => sum + rows, 0);
  if (tableRows !== undefined && found > tableRows) {
    const of = column === undefined ? "" : `column "${column}": `;
    const said = column === undefined ? "--rows" : "the instance's";
    const message = `${of}expected at most ${tableRows} rows (${said}), received ${found} distinct row ids in the log; correct one of both`;
    throw new InputError(message, files[0]);
  }
  const all = [...counts];
  const unread = (tableRows ?? found) - found;
  const [least, rowsOfLeast] = all.at(-1) ?? [-1, 0];
  if (unread > 0 && least === 0) all[all.length - 1] = [0, rowsOfLeast + unread];
  else if (unread > 0) all.push([0, unread]);
  const accesses = Number(counts.reduce((sum, [count, rows]) => sum + BigInt(count) * BigInt(rows), 0n));
  return {
    shardproof: 1,
    rows: found + unread,
    samples,
    accesses,
    meanLength: accesses / samples,
    histogram: merged(all.map(([count, rows]) => [rows, count / samples])),
    counts: all,
    files,
  };
}

/** Bins whose appearances are one double are one bin. */
function merged(bins: readonly (readonly [number, number])[]): [number, number][] {
  const result: [number, number][] = [];
  for (const [rows, appearances] of bins) {
    const last = result.at(-1);
    if (last?.[1] === appearances) last[0] += rows;
    else result.push([rows, appearances]);
  }
  return result;
}

/** The share of all accesses that the hottest rows take. */
export function hottestShare({ counts, accesses }: Profile, hottestRows: number): number {
  let left = hottestRows;
  let taken = 0;
  for (const [count, rows] of counts) {
    taken += count * Math.min(left, rows);
    left -= rows;
    if (left <= 0) break;
  }
  return accesses === 0 ? 0 : taken / accesses;
}

/** The profile as JSON, a bin per line; the same profile is the same text. */
export function writeProfile(profile: Profile): string {
  const lines = Object.entries(profile).map(([key, value]) => {
    const isBins = key === "histogram" || key === "counts";
    const text = isBins
      ? `[\n${(value as Profile["counts"]).map((bin) => `    ${JSON.stringify(bin)}`).join(",\n")}\n  ]`
      : JSON.stringify(value);
    return `  ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** The profile as a counts file in its histogram form: `access: {counts: {file, samples}}` of an instance. */
export function writeCountsCsv({ counts }: Profile): string {
  return `rows,accesses_per_row\n${counts.map(([accesses, rows]) => `${rows},${accesses}\n`).join("")}`;
}
