import { type Command, Option } from "commander";
import { NETWORK_KINDS } from "../../cost/neural/features.js";
import { example } from "./example.js";
import { countingNumber, wholeNumber } from "./options.js";

const HELP = `
DATA is a JSON file of sets of tables with the milliseconds that a device took for each; instances/costs/ has two of
them and says in README.md what is in them. Of the sets 80 % are learned from, 10 % choose the best epoch, and 10 % test it.

  neural         AutoShard's network, 21 features of a table
  neural-convex  the same with a head that is convex in the sum of the tables
  neuroshard     NeuroShard's network, 20 features

With --stream DATA is a stream of JSON lines, - for standard input: the first line names the tables, each other one is a set,
as a micro-benchmark that is running has them. The newest go into a buffer that the network learns from as they arrive
(AutoShard's way); Ctrl-C ends the stream.

The weights go into an instance as costModel: {neural: FILE}. Ctrl-C ends with the best weights so far and exit status 3.
`;

const EXAMPLE = example(`
$ shardproof learn-cost instances/costs/cpu-4-workers.json --out weights.json
…
data     instances/costs/cpu-4-workers.json: 5,019 sets of 5,136 tables
`);

/** Adds `shardproof learn-cost`; its code is loaded when it runs. */
export function addLearnCostCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("learn-cost")
    .description("train a cost network on measured costs of sets of tables")
    .argument("<data>", "measured costs (JSON; - with --stream)")
    .requiredOption("--out <file>", "write the weights")
    .addOption(new Option("--kind <kind>", "of network (default: neural)").choices(NETWORK_KINDS))
    .option("--epochs <n>", "passes over the data (default: 100)", countingNumber)
    .option("--seed <n>", "seed of the random numbers (default: 0)", wholeNumber)
    .option("--stream", "the sets arrive one by one, as JSON lines")
    .option("--buffer <n>", "with --stream: sets that are kept (default: 5000)", countingNumber)
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (data, options) => finish((await import("./learn-cost.js")).runLearnCost(data, options)));
}
