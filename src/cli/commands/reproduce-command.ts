import type { Command } from "commander";
import { example } from "./example.js";
import { positive } from "./options.js";

const HELP = `
flexshard  tables 5 and 6, figure 3, and the optima beside its greedy plans (about a minute; --quick: a second)
autoshard  tables 2 and 3, figures 8 to 11, under costs measured on CPUs (two minutes; --quick: seconds)
dmt        tables 3 to 5, figures 9 to 11, bytes of its exchange (a second)

Exit status: 0 all of it is there, and proved where it is a proof; 3 the time limit or Ctrl-C left some out; 2 bad usage.
`;

const EXAMPLE = example(`
$ shardproof reproduce flexshard --quick
…
Table 5: rows and shares of accesses per tier
…
model  sharding  tier                 rows       paper   off by  accesses   paper
RM-1   2-tier    data_parallel     346,156     346,144  +0.00 %    52.5 %  52.5 %
`);

/** Adds `reproduce` to the commands. Its code is loaded when it runs. */
export function addReproduceCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("reproduce")
    .description("a paper's published tables beside what this program computes")
    .argument("<paper>", "flexshard, autoshard or dmt")
    .option("--time-limit <seconds>", "end with what is done by then (default: no limit)", positive)
    .option("--quick", "seconds: without flexshard's optima, autoshard with hardly any training")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (paper, options) => finish((await import("./reproduce.js")).runReproduce(paper, options)));
}
