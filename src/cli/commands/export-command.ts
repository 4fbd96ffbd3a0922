import { type Command, Option } from "commander";
import { example } from "./example.js";
import { EXPORT_TARGETS } from "./export-targets.js";
import { seconds } from "./options.js";
import { collected } from "./single-options.js";

const EXAMPLE = example(`
$ shardproof plan instances/tiny/placement-torchrec.yaml --out plan.json
$ shardproof export plan.json --to torchrec --module sparse.ebc --out sharding.json
…
module      table  sharding    kernel  shards  GPUs
sparse.ebc  t0     row_wise    fused        2     2
`);

/** Adds `export` to the commands. Its code is loaded when it runs. */
export function addExportCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("export")
    .description("a plan for other tools: where each row goes, sharding plans for TorchRec, its program or proof")
    .argument("<plan>", "plan file; - is standard input")
    .addOption(
      new Option("--to <target>", "what to write (lp, mps: the program; vipr: the proof)")
        .choices(EXPORT_TARGETS)
        .makeOptionMandatory(),
    )
    .option("--out <path>", "remap: a folder; the others: a file (default: standard output)")
    .option("--instance <file>", "where the plan's instance is (default: where the plan says)")
    .addOption(new Option("--format <format>", "remap: of its files (default: npy)").choices(["npy", "parquet"]))
    .option("--rank-file <table=file>", "remap: row ids of a table, the hottest first; may be repeated", collected)
    .option(
      "--ids-are-ranks",
      "remap: row ids are in falling order of access where no file says their order, 0 the hottest",
    )
    .option("--spread", "remap: deal hot rows over the GPUs of a sharded tier, instead of the hottest first")
    .option(
      "--module <path>",
      "torchrec: the module inside the model that the placed tables are in, such as sparse.ebc",
    )
    .option("--exact", "mps and lp: the program that is proved, every digit, instead of natural units in doubles")
    .option("--time-limit <seconds>", "vipr: for proving anew what VIPR has no words for (default: 60)", seconds)
    .option("--json", "remap and torchrec: machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", EXAMPLE)
    .action(async (plan, options) => finish((await import("./export.js")).runExport(plan, options)));
}
