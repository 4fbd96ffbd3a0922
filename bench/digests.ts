/**
 * What must stay the same: digests, timing apart, of what commands write for shipped files, and of what `verify` says of the
 * plan files in bench/frozen/plans. `npm run bench -- digests [PATTERN] [out=FILE] [against=FILE] [seconds=60] [busy]`.
 *
 * `out` decides what is in the file: what is settled within a third of the limit, on a machine with nothing else to do; what
 * is not is listed as left out. `against` runs what is in such a file, says what differs and exits with 1 if anything does; `busy`
 * keeps every core busy meanwhile. Two runs at a time.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { Worker } from "node:worker_threads";
import { Arguments } from "./arguments.js";
import { digestsOf } from "./digests/digests-of.js";
import { filesOf } from "./digests/files.js";

/** The frozen file. */
interface Digests {
  readonly limitSeconds: number;
  /** Files that are not settled within a third of the limit. */
  readonly leftOut: readonly string[];
  /** By command and file: the exit status, and the start of the SHA-256. */
  readonly digests: Readonly<Record<string, string>>;
}

const AT_ONCE = 2;
const BUSY = "for (;;);";

const given = new Arguments(process.argv.slice(3), ["out", "against", "seconds"]);
const [pattern = "."] = given.words.filter((word) => word !== "busy");
const against = given.text("against");
const frozen = against === undefined ? null : (JSON.parse(readFileSync(against, "utf8")) as Digests);
const limitSeconds = given.number("seconds", frozen?.limitSeconds ?? 60);
const loads = given.words.includes("busy") ? cpus().map(() => new Worker(BUSY, { eval: true })) : [];

const files = filesOf(new RegExp(pattern)).filter((file) => frozen === null || !frozen.leftOut.includes(file));
const found = new Map<string, string>();
const leftOut: string[] = [];
const queue = [...files];
await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
await Promise.all(loads.map((load) => load.terminate()));

const made: Digests = {
  ...{ limitSeconds, leftOut: leftOut.sort() },
  digests: Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
};
const out = given.text("out");
if (out !== undefined) writeFileSync(out, `${JSON.stringify(made, null, 2)}\n`);
console.log(`${found.size} digests of ${files.length - leftOut.length} files, ${leftOut.length} files left out`);
if (frozen !== null) compare(frozen);

async function work(): Promise<void> {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    // Whatever is frozen may take its whole limit: a machine may be slow, and may be busy.
    const own = await digestsOf(file, limitSeconds, frozen === null ? limitSeconds / 3 : 2 * limitSeconds);
    if (own === null) leftOut.push(file);
    for (const [task, digest] of own ?? []) found.set(task, digest);
  }
}

function compare({ digests }: Digests): void {
  const asked = new Set(files);
  const before = Object.entries(digests).filter(([task]) => asked.has(task.split(" ")[1] as string));
  const worse = before.filter(([task, digest]) => found.get(task) !== digest);
  for (const [task, digest] of worse) console.log(`differs: ${task}: ${digest} → ${found.get(task) ?? "none"}`);
  for (const task of found.keys()) if (digests[task] === undefined) console.log(`not in the file: ${task}`);
  console.log(`${before.length} digests compared, ${worse.length} differ`);
  if (worse.length > 0) process.exitCode = 1;
}
