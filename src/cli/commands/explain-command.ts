import type { Command } from "commander";
import { example } from "./example.js";
import { MEMORY_LIMIT_TEXT, memoryBytes, seconds, wholeNumber } from "./options.js";

const HELP = `
The plan is verified first, its published methods apart. Then, for every table that has another option, it is proved what
the best plan without this table's option costs at least; what there was no time for is named, with the bounds that hold
all the same. The instance is looked for where the plan says it was.

Exit status: 0 explained; 5 the plan failed its check, and the output says what; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/tiny/placement-torchrec.yaml --out plan.json
$ shardproof explain plan.json
…
  load binds    device 1: t0, t1
…
`);

/** Adds `shardproof explain`; its code is loaded when it runs. */
export function addExplainCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("explain")
    .description("why a placement is as it is: what fills devices, what binds, what other options would cost at least")
    .argument("<plan>", "plan file of a table placement; - is standard input")
    .option("--instance <file>", "where the instance is (default: where the plan says)")
    .option("--time-limit <seconds>", "of the whole command: then what is proved so far (default: 60)", seconds)
    .option("--memory-limit <bytes>", MEMORY_LIMIT_TEXT, memoryBytes)
    .option("--seed <n>", "seed of the random numbers of searches (default: 0)", wholeNumber)
    .option("--json", "machine-readable result on standard output")
    .option("--out <file>", "write the JSON with the certificate of every bound")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (plan, options) => finish((await import("./explain.js")).runExplain(plan, options)));
}
