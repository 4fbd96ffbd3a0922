import { Argument, type Command } from "commander";
import { example } from "./example.js";
import { addSolvingOptions, SOLVERS_TEXT } from "./options.js";

const EXAMPLE = example(`
$ shardproof import torchrec examples/torchrec-problem.json --out eight.yaml
$ shardproof import torchrec examples/torchrec-sharding.json --instance eight.yaml --out better.json
…
largest device cost  0.206764 ms  (device 2; mean 0.203525 ms)
proved bound         0.192618 ms
`);

/** Adds `import` to the commands. Its code is loaded when it runs. */
export function addImportCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  addSolvingOptions(
    program
      .command("import")
      .description("an instance from TorchRec's planning problem, or the score of a TorchRec sharding plan")
      .addArgument(new Argument("<format>", "what the file is of").choices(["torchrec"]))
      .argument("<file>", "planning problem, or with --instance a sharding plan (JSON); - is standard input"),
    {
      solver: `sharding plan: also ask a general solver and compare: ${SOLVERS_TEXT}`,
      gap: "sharding plan: relative gap to prove, below 1 (default: 1e-9; 0: the exact optimum)",
    },
  )
    .option("--expand", "problem: write every option that TorchRec enumerates, with its costs and bytes")
    .option("--instance <file>", "sharding plan: the instance to score it on")
    .option("--score", "sharding plan: what it comes to alone, at once, without a search for a better one")
    .option(
      "--out <file>",
      "problem: write the instance (.json: JSON, others: YAML); sharding plan: write the best plan",
    )
    .addHelpText("after", EXAMPLE)
    .action(async (_format, file, options) => finish((await import("./import.js")).runImport(file, options)));
}
