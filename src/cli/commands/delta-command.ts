import { type Command, Option } from "commander";
import { example } from "./example.js";

const HELP = `
What of every shard comes from where, parameters and optimizer state; in which steps, so that no memory is exceeded on the
way; and whether it is worth it: the cost now, under the new instance, the cost after, and the seconds of moving. Tables may
have been added, dropped or grown, and devices may have come or gone. The steps are then simulated, rank by rank.

--to torchrec writes what TorchRec's DistributedModelParallel.reshard takes (changed_shard_to_params): the tables whose
shards change. It moves table-wise and column-wise shards on the same ranks; what it cannot move is named.

Exit status: 0 the steps fit; 3 the best steps found need more memory; 5 the simulation differs; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/tiny/placement-migration-before.yaml --out before.json
$ shardproof plan instances/tiny/placement-migration-after.yaml --out after.json
$ shardproof delta before.json after.json
…
`);

/** Adds `shardproof delta`; its code is loaded when it runs. */
export function addDeltaCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("delta")
    .description("from one placement to another: what moves, in steps that fit into memory, and whether it is worth it")
    .argument("<old>", "plan file of where the tables are")
    .argument("<new>", "plan file of where they shall be; - is standard input")
    .option("--old-instance <file>", "where the old plan's instance is (default: where the plan says)")
    .option("--instance <file>", "where the new plan's instance is (default: where the plan says)")
    .option("--optimizer <class>", "the optimizer whose state moves, where a table does not name its own")
    .addOption(
      new Option("--to <form>", "what to write: all of it, or what TorchRec's reshard takes (default: delta)").choices([
        "delta",
        "torchrec",
      ]),
    )
    .option("--module <path>", "torchrec: the module inside the model that the tables are in, such as sparse.ebc")
    .option("--out <file>", "write it")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no notes")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (old, now, options) => finish((await import("./delta.js")).runDelta(old, now, options)));
}
