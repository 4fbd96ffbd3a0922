/**
 * What every strategy of the exact methods is good for: shipped instances and drawn ones, planned with everything and without
 * each strategy in turn, in CPU time. `npm run bench -- ablation [PATTERN [SECONDS [STRATEGY …]]]`; every instance in a process
 * of its own, one after the other. Where the gap is closed both ways, times count; where it is open, gaps at the limit.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { table } from "../src/terminal/table.js";
import type { Run } from "./ablation-run.js";

const [, , , pattern = ".", seconds = "10", ...only] = process.argv;
const INSTANCES = new URL("../../instances/", import.meta.url).pathname;
const CHILD = new URL("./ablation-run.js", import.meta.url).pathname;

/** By the names of drawn-instances.ts. */
const DRAWN = ["12x4", "18x5", "26x8", "40x8", "80x8", "8x3x5", "10x4x4", "16x4x6", "26x8x10"].flatMap((shape) =>
  [1, 2].map((seed) => `lognormal/${shape}/${seed}`),
);

/** Times and gaps that differ by less are alike: caches and collections of garbage differ by as much. */
const ALIKE = 1.25;
/** Runs that differ by fewer seconds, and gaps below this, are alike. */
const MOMENT = 0.1;
const CLOSED = 1e-9;

const shipped = (readdirSync(INSTANCES, { recursive: true }) as string[])
  .filter((name) => name.endsWith(".yaml") && !name.includes("bad/"))
  .sort();
const runs = new Map<string, readonly Run[]>();
for (const name of [...shipped, ...DRAWN].filter((one) => new RegExp(pattern).test(one))) {
  const own = await runsOf(name);
  runs.set(name, own);
  for (const run of own) console.error([name, run.without ?? "(everything)", run.status, shown(run)].join("  "));
}
for (const problem of new Set([...runs.values()].flatMap((own) => own.map((run) => run.problem)))) tell(problem);

async function runsOf(name: string): Promise<readonly Run[]> {
  const file = DRAWN.includes(name) ? name : INSTANCES + name;
  const child = spawn(process.execPath, [CHILD, file, seconds, ...only], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: Run[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line) as Run);
  return lines;
}

/** What leaving out a strategy did to one instance. */
interface Effect {
  readonly name: string;
  /** −1 where the strategy was a burden, 1 where it helped, 0 where neither shows. */
  readonly sign: -1 | 0 | 1;
  readonly text: string;
}

function tell(problem: string): void {
  const own = [...runs].filter(([, [first]]) => first?.problem === problem);
  const strategies = [...new Set(own.flatMap(([, list]) => list.flatMap(({ without }) => without ?? [])))];
  const rows = strategies.map((strategy) => {
    const effects = own.flatMap(([name, list]) => {
      const before = list.findLast(({ without }) => without === null);
      const after = list.find(({ without }) => without === strategy);
      return before === undefined || after === undefined ? [] : [effectOf(name, before, after)];
    });
    const worse = effects.filter(({ sign }) => sign > 0);
    const better = effects.filter(({ sign }) => sign < 0);
    const texts = [...worse, ...better].map(({ name, text }) => `${name} ${text}`);
    return [strategy, `${effects.length}`, `${worse.length}`, `${better.length}`, texts.join(", ")];
  });
  console.log(`\n${problem}, ${seconds} s`);
  console.log(table(["strategy", "had a turn", "worse without", "better without", "where"], rows, "lrrrl"));
}

function effectOf(name: string, before: Run, after: Run): Effect {
  const [with_, without] = [gapOf(before), gapOf(after)];
  const isClosed = [with_, without].map((gap) => gap <= CLOSED) as [boolean, boolean];
  if (isClosed[0] !== isClosed[1]) {
    const text = isClosed[0] ? `closed only with it (${shown(after)})` : `closed only without it (${shown(before)})`;
    return { name, sign: isClosed[0] ? 1 : -1, text };
  }
  const [a, b] = isClosed[0] ? [before.seconds, after.seconds] : [with_, without];
  const isSame = isClosed[0] && Math.abs(a - b) < MOMENT;
  const ratio = b / a;
  if (a === b || isSame || (ratio < ALIKE && ratio > 1 / ALIKE)) return { name, sign: 0, text: "" };
  return { name, sign: ratio > 1 ? 1 : -1, text: `${isClosed[0] ? "time" : "gap"} ×${ratio.toPrecision(2)}` };
}

/** Infinite where there is no plan, or nothing is proved of it. */
function gapOf({ status, gap }: Run): number {
  return status === "infeasible" ? 0 : (gap ?? Number.POSITIVE_INFINITY);
}

function shown(run: Run): string {
  const gap = gapOf(run);
  return gap <= CLOSED ? `${run.seconds.toFixed(2)} s` : `gap ${(100 * gap).toPrecision(2)} %`;
}
