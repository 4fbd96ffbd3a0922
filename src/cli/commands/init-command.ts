import { Argument, type Command } from "commander";
import { example } from "./example.js";

/** The problems and presets by name: their texts are loaded when the command runs. */
const PROBLEMS = ["row-tiers", "table-placement", "tower-partition"] as const;

const HELP = `
A comment explains every key: what it means, its unit, what is filled in, how to find one's own number. Presets are clusters
whose numbers somebody has published; --list has them with their sources. All keys are in docs/instance-keys.md.

From a log to a plan: shardproof init row-tiers --preset dmt-h100 --out base.yaml; name the tables after the log's columns,
with their dim; then shardproof profile log.parquet --instance base.yaml --out instance.yaml --plan plan.json
`;

const EXAMPLE = example(`
$ shardproof init row-tiers --preset dmt-h100
…
    allToAllGlobal: 50000000000
`);

/** Adds `init` to the commands. Its code is loaded when it runs. */
export function addInitCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("init")
    .description("an instance file to fill in, every key explained, for a published cluster")
    .addArgument(new Argument("[problem]", "what is planned (default: row-tiers)").choices(PROBLEMS))
    .option("--preset <name>", "the cluster (default: flexshard-a100)")
    .option("--list", "list the presets with their sources")
    .option("--out <file>", "write the instance file")
    .option("--quiet", "no notes")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (problem, options) => finish((await import("./init.js")).runInit(problem, options)));
}
