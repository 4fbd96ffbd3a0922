import { parseArgs } from "node:util";
import { certificates } from "./attack/certificates.js";
import { groupings } from "./attack/groupings.js";
import { ladders } from "./attack/ladders.js";
import { joint, plans } from "./attack/plans.js";
import { groupingSequences, ladderSequences, programSequences } from "./attack/sequences.js";
import { solve } from "./attack/solve.js";
import { type Attack, Tally } from "./attack/tally.js";
import { jointTowers, rows, towers } from "./drawn/others.js";
import { placements } from "./drawn/placements.js";

const SEQUENCES: readonly Attack[] = [programSequences, ladderSequences, groupingSequences];
const DRAWN: readonly Attack[] = [placements, towers, rows, jointTowers];
const ATTACKS: readonly Attack[] = [...[certificates, groupings, ladders, joint, plans, solve], ...SEQUENCES, ...DRAWN];

const USAGE = `npm run fuzz -- [--kind ${ATTACKS.map(({ name }) => name).join("|")}] [--seed N] [--runs N | --seconds N]

Tries to have something false accepted, or something true answered wrongly. Without --kind every kind in turn. --runs is the number
of subjects of each kind (300 where nothing is said), --seconds ends each kind after that time. The same seed makes the
same subjects. Exit 1 where anything false was accepted, anything answered wrongly, or anything crashed.
`;

/** Faults that are printed whole; all are counted. */
const MAX_PRINTED = 5;

const { values } = parseArgs({
  options: {
    kind: { type: "string" },
    seed: { type: "string", default: "0" },
    runs: { type: "string" },
    seconds: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

process.exitCode = values.help ? usage("") : await run();
// Solvers keep threads of their own.
process.exit();

async function run(): Promise<number> {
  const chosen = values.kind === undefined ? ATTACKS : ATTACKS.filter(({ name }) => name === values.kind);
  if (chosen.length === 0) return usage(`there is no kind "${values.kind}"\n\n`);
  const numbers = [values.seed, values.runs ?? "300", values.seconds ?? "1"].map(Number);
  if (!numbers.every((number) => Number.isFinite(number) && number >= 0)) return usage("a number was expected\n\n");
  const [seed, wanted, seconds] = numbers as [number, number, number];
  const runs = values.runs === undefined && values.seconds !== undefined ? Number.POSITIVE_INFINITY : wanted;
  const limit = values.seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
  let faults = 0;
  for (const attack of chosen) {
    const tally = await attackFor(attack, seed, runs, limit);
    faults += tally.faults.length;
    process.stdout.write(`${attack.name}: ${tally}${tally.reached}, ${tally.faults.length} false or wrong\n`);
    for (const report of tally.faults.slice(0, MAX_PRINTED)) process.stdout.write(`${report}\n\n`);
  }
  return faults === 0 ? 0 : 1;
}

/** An error that nobody expects is a fault of its own. */
async function attackFor(attack: Attack, seed: number, runs: number, limit: number): Promise<Tally> {
  const tally = new Tally();
  const started = performance.now();
  let told = started;
  for (let k = 0; k < runs && performance.now() - started < limit; k++) {
    try {
      await attack.round(seed + k, tally);
    } catch (error) {
      tally.fault(`seed ${seed + k}: ${error instanceof Error ? error.stack : error}`);
    }
    if (!process.stderr.isTTY || performance.now() - told < 1000) continue;
    told = performance.now();
    process.stderr.write(`\r${attack.name}: ${tally}, ${tally.faults.length} false or wrong\u001b[K`);
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  return tally;
}

function usage(complaint: string): number {
  process.stderr.write(`${complaint}${USAGE}`);
  return complaint === "" ? 0 : 2;
}
