import { hottestShare, type Profile } from "../../profile/profile.js";
import type { LogProfile } from "../../profile/profile-columns.js";
import { facts, paint, table } from "../../terminal/table.js";
import { count, percent } from "../../text/units.js";

const SHARES = [0.001, 0.01, 0.1];

/** What a log comes to: its size, and how much of it the hottest rows take. */
export function showProfile(profile: Profile): string {
  const { rows, samples, accesses, meanLength, counts, files } = profile;
  const unread = counts.at(-1)?.[0] === 0 ? (counts.at(-1)?.[1] ?? 0) : 0;
  const lines: [string, string][] = [
    ["rows", unread === 0 ? count(rows) : `${count(rows)}, ${count(unread)} of them never read`],
    ["samples", count(samples)],
    ["accesses", count(accesses)],
    ["mean length", `${Number(meanLength.toPrecision(6))} accesses per sample`],
    ["distinct counts", count(counts.length)],
  ];
  const hottest = SHARES.map((share) => {
    const hot = Math.max(1, Math.round(rows * share));
    return [`${share * 100} %`, count(hot), percent(hottestShare(profile, hot))];
  });
  return `${paint.bold(titleOf(files))}\n\n${facts(lines)}\n\n${table(["hottest", "rows", "of accesses"], hottest, "rrr")}\n`;
}

/** The same of several columns, a line each. */
export function showLogProfile({ samples, files, columns }: LogProfile): string {
  const rows = columns.map(({ name, profile }) => [
    name,
    count(profile.rows),
    count(profile.accesses),
    String(Number(profile.meanLength.toPrecision(6))),
    count(profile.counts.length),
    percent(hottestShare(profile, Math.max(1, Math.round(profile.rows * 0.01)))),
  ]);
  const head = ["column", "rows", "accesses", "mean length", "counts", "hottest 1 %"];
  return `${paint.bold(titleOf(files))}\n\n${facts([["samples", count(samples)]])}\n\n${table(head, rows, "lrrrrr")}\n`;
}

function titleOf(files: readonly string[]): string {
  return files.length === 1 ? (files[0] as string) : `${files[0]} and ${count(files.length - 1)} more`;
}
