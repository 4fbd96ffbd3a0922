/**
 * Plans shipped instances with a limit of work, three times each: as they are, on one core, and with a small heap:
 * `npm run bench -- determinism [PATTERN] [work=4] [seconds=600]`. Of each instance there may be one file only, timing apart, and the
 * clock, which ends what takes so many seconds, may end none. (`digests … busy` is the same without a limit of work.)
 */
import { table } from "../src/terminal/table.js";
import { Arguments } from "./arguments.js";
import { digestOf } from "./digests/digests-of.js";
import { filesOf } from "./digests/files.js";
import { runCommand, type Way } from "./digests/run-command.js";

const WAYS: Readonly<Record<string, Way>> = {
  plain: {},
  "one core": { before: ["taskset", "-c", "0"] },
  "small heap": { options: ["--max-old-space-size=192"] },
};

const given = new Arguments(process.argv.slice(3), ["work", "seconds"]);
const [work, seconds] = [given.number("work", 4), given.number("seconds", 600)];
const files = filesOf(new RegExp(given.words[0] ?? ".")).filter((name) => /^instances\/.*\.yaml$/.test(name));
const rows: string[][] = [];
let isSame = true;
for (const file of files) {
  const args = ["plan", file, "--json", "--work-limit", `${work}`, "--time-limit", `${seconds}`];
  const digests: string[] = [];
  let longest = 0;
  for (const way of Object.values(WAYS)) {
    const started = performance.now();
    digests.push(digestOf(await runCommand(args, { way })));
    longest = Math.max(longest, (performance.now() - started) / 1000);
  }
  const word = longest >= seconds ? "LATE" : new Set(digests).size === 1 ? "yes" : "NO";
  isSame &&= word === "yes";
  rows.push([file, longest.toFixed(1), ...digests, word]);
  console.error(rows.at(-1)?.join("  "));
}
console.log(table(["instance", "longest s", ...Object.keys(WAYS), "the same"], rows, "lrllll"));
if (!isSame) process.exitCode = 1;
