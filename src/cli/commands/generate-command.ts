import { Argument, type Command } from "commander";
import { GENERATOR_KINDS } from "../../generate/kinds.js";
import { example } from "./example.js";
import { countingNumber, wholeNumber } from "./options.js";
import { collected } from "./single-options.js";

const HELP = `
  rows: tables whose accesses follow Zipf-Mandelbrot laws, in the ranges of FlexShard's models
  tables: for placement, --set distribution=torchrec (the default), lognormal, autoshard or neuroshard
  towers: features whose interactions are drawn, --set distribution=embedded (the default), planted or uniform

--describe lists a kind's options. The same kind, options and seed give the same bytes on every machine; the instance's
source says them. --count N draws seeds S to S + N − 1 into the folder --out.
`;

const EXAMPLE = example(`
$ shardproof generate towers --set features=3 --set towers=2 --seed 7
…
features: [f0, f1, f2]
`);

/** Adds `generate` to the commands. Its code is loaded when it runs. */
export function addGenerateCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("generate")
    .description("draw instances from distributions of the papers, by seed")
    .addArgument(new Argument("<kind>", "what is drawn").choices(GENERATOR_KINDS))
    .option("--set <option>", "an option of the kind, such as features=40; may be repeated", collected)
    .option("--seed <n>", "seed of the first instance (default: 0)", wholeNumber)
    .option("--count <n>", "so many instances, of seeds that follow each other, into the folder --out", countingNumber)
    .option("--out <path>", "write the instance, or with --count the folder of instances")
    .option("--describe", "list the options of the kind, with their defaults")
    .option("--quiet", "no notes")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (kind, options) => finish((await import("./generate.js")).runGenerate(kind, options)));
}
