/** Eighths of a letter, from the thinnest. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/** A share of 0 to 1 as a bar of `width` letters; nothing where the terminal is none, or has no such letters. */
export function bar(share: number, width: number): string {
  if (!hasBlocks()) return "";
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  return `${"█".repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8]}`.padEnd(width);
}

/** As the locale says; the Linux console has UTF-8 but not these letters. */
function hasBlocks(): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = process.env;
  if (process.stdout.isTTY !== true || TERM === "dumb" || TERM === "linux") return false;
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
}
