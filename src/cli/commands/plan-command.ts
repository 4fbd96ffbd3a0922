import type { Command } from "commander";
import { example } from "./example.js";
import { addSolvingOptions, seconds } from "./options.js";

const HELP = `
The instance says which problem it is of; shardproof schema prints which problems there are, and what an instance of each
may have. The plan file of --out has the certificate of the bound, for shardproof verify, export, simulate and report.

Exit status: 0 proved to the gap, or a method's plan, of which no proof was asked; 3 not proved within the limit (the bound
that was proved is shown); 4 proved infeasible; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/paper/flexshard-rm1.yaml --out plan.json
…
communication     139.296 ms per iteration
proved bound      139.296 ms, gap 0
…
FlexShard 3-tier  148.967 ms, 6.9 % above the bound
`);

/** Adds `plan` to the commands. Its code is loaded when it runs. */
export function addPlanCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  addSolvingOptions(
    program
      .command("plan")
      .description("solve an instance, prove the answer, print the plan")
      .argument("<instance>", "instance file (YAML or JSON); - is standard input"),
  )
    .option("--method <name>", "optimal, which is the exact one, or a published method (default: optimal)")
    .option(
      "--work-limit <seconds>",
      "of work, as it is counted: the search ends at the same step on every machine",
      seconds,
    )
    .option("--out <file>", "write the plan file")
    .option("--no-baselines", "run no published methods, neither beside the plan nor to begin with")
    .option("--no-prices", "of a placement: do not say what more memory or one more device would do")
    .option(
      "--progress",
      "a line of progress on standard error every few seconds, though it is no terminal, or --quiet",
    )
    .option("--verbose", "also bounds in full and seconds by phase; of a placement, TorchRec's table of ranks")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (instance, options) => finish((await import("./plan.js")).runPlan(instance, options)));
}
