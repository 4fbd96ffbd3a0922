import type { Command } from "commander";
import { example } from "./example.js";
import { seconds } from "./options.js";

const HELP = `
  flexshard  tables 4 to 6, figures 3 and 5 to 7, and the optima beside its greedy plans (seconds; --quick: a second)
  autoshard  tables 2 and 3, figures 8 to 11, under costs measured on CPUs (minutes; --quick: seconds)
  dmt        tables 3 to 6, figures 1 and 9 to 13, bytes of its exchange (a second)
  joint      no paper: what hot rows and sizes of caches bring, each switched off in turn (minutes; --quick: a model, little search)

Every number that a paper prints holds here, does not hold, or cannot be checked; the last tables say which, and what it
was held to. --out is a page with the papers' figures, --csv has every number on a line.

Exit status: 0 all of it is there, and proved where it is a proof; 3 the time limit or Ctrl-C left some out; 2 bad usage.
`;

const EXAMPLE = example(`
$ shardproof reproduce flexshard --quick
…
Table 5: rows and shares of accesses per tier
…
model  sharding  tier                 rows       paper   off by  accesses
RM-1   2-tier    data_parallel     346,156     346,144  +0.00 %    52.5 %
`);

/** Adds `reproduce` to the commands. Its code is loaded when it runs. */
export function addReproduceCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("reproduce")
    .description("papers' published numbers and figures beside what this program computes")
    .argument("<papers...>", "flexshard, autoshard, dmt, joint; one or several")
    .option("--out <file>", "also a self-contained HTML page with the figures")
    .option("--csv <file>", "also every published number beside ours, one a line (RFC 4180)")
    .option("--time-limit <seconds>", "end with what is done by then (default: no limit)", seconds)
    .option("--quick", "seconds: without flexshard's optima, autoshard with hardly any training")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (papers, options) => finish((await import("./reproduce.js")).runReproduce(papers, options)));
}
