import { type Command, Option } from "commander";
import { example } from "./example.js";
import { countingNumber, wholeNumber } from "./options.js";
import { FORMATS } from "./profile-words.js";

const HELP = `
Row tiers: rows are drawn by their expected appearances in a sample. A log has a sample a line, or lines "sample,row", or is
one that profile reads.
Placements: the ids of every bag are drawn by the table's access, and sent to the devices of their rows. Of a log of one
table (--events), sample i goes to device i mod their number, in whole iterations; compared is that table alone.
Towers with tables: the exchange is run on arrays, rank by rank, and must give what the flat look-up gives.
The result says what was compared, and what was not. A number within 4 standard errors agrees, if half as much again, or
less, would not; docs/row-tiers.md says more.

Exit status: 0 no number of the plan differs from what was observed; 5 some do, or the digest; 3 too few samples to tell any
number that is left to chance; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/tiny/three-tiers-serial.yaml --out plan.json
$ shardproof simulate plan.json --batches 2
…
ar global           106.667 ms predicted, 106.667 ms observed
`);

/** Adds `shardproof simulate`; its code is loaded when it runs. */
export function addSimulateCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("simulate")
    .description("send sampled or logged traffic through a plan: predicted beside observed bytes of every collective")
    .argument("<plan>", "plan file of row tiers, table placement, or towers with tables; - is standard input")
    .option("--instance <file>", "where the instance is (default: where the plan says)")
    .option("--batches <n>", "iterations to draw (default: 10)", countingNumber)
    .option(
      "--samples <n>",
      "of a device in an iteration, where a placement's cost model has none (default: 1024)",
      countingNumber,
    )
    .addOption(
      new Option("--index-order <order>", "how a placement's blocks hold rows (default: spread)").choices([
        "spread",
        "falling",
      ]),
    )
    .option("--seed <n>", "seed of the drawn traffic (default: 0)", wholeNumber)
    .option("--events <file>", "replay a log of one table instead of drawing")
    .option("--row <column>", "of a log that profile reads: the column of row ids, or of lists of them")
    .option("--list <column>", "of such a log: the column of lists, where that does not show")
    .option("--sample <column>", "of such a log: the samples (default: a line is one)")
    .addOption(new Option("--format <format>", "of such a log (default: by its name)").choices(FORMATS))
    .option("--table <name>", "the table that the log is of (default: the only one)")
    .option("--rank-file <file>", "ids, the hottest first (default: ids are ranks from 0)")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (plan, options) => finish((await import("./simulate.js")).runSimulate(plan, options)));
}
