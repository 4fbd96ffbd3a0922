import { type Command, Option } from "commander";
import { example } from "./example.js";
import { countingNumber, wholeNumber } from "./options.js";
import { FORMATS } from "./profile-words.js";

const HELP = `
Rows are drawn by their expected appearances p in a sample: ⌊p⌋ times, and once more with probability p − ⌊p⌋,
independently of all others. A log has one sample per line, row ids with spaces between them, or lines "sample,row"; or it
is one that profile reads (Parquet, any columns: --row, --list, --sample), of a table of an instance that profile filled in.
A plan of table placement: the ids of every bag are drawn by the table's access (rows are read alike where it has none), and
sent to the devices of their rows; hot rows are read on the sample's own. Compared are ids, vectors, misses of caches, and the
rows that every device looks up, with what the cost model says. Ids are dealt to blocks of rows (--index-order spread), as the
cost model has it. With --events the samples of a log of one table are sent instead, sample i to device i mod their number, in
whole iterations; compared is that table alone.
A plan of towers with tables: its exchange is run on arrays, rank by rank, and must give what the flat look-up gives.

Compared are the digest, rows, bytes, shares of accesses, seconds of collectives, objective, memory and budgets; the result
says what is not. A number within 4 standard errors of what was observed agrees, if one half as large again, or smaller by
as much, would not; otherwise there are too few samples to tell.

Exit status: 0 no number of the plan differs from what was observed (of towers: all are equal); 5 some do, or the digest;
3 too few samples to tell any number that is left to chance; 2 bad input or usage.
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
    .option("--rank-file <file>", "row ids in falling order of access (default: ids are ranks from 0)")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (plan, options) => finish((await import("./simulate.js")).runSimulate(plan, options)));
}
