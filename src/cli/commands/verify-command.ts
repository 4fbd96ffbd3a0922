import type { Command } from "commander";
import { CHECKED_HOW_LINES } from "../../text/checked.js";
import { example } from "./example.js";
import { DIALECTS_TEXT, dialect, programFormat } from "./options.js";

const HELP = `
How it is checked: ${CHECKED_HOW_LINES}.
What no check covers is listed as not checked, with the reason.

Exit status: 0 everything holds; 5 something does not, and the output says what; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/tiny/three-tiers-serial.yaml --out plan.json
$ shardproof verify plan.json
…
ok      feasible     within the budget of memory, in exact arithmetic
…
verified
`);

/** Adds `verify` to the commands. Its code is loaded when it runs. */
export function addVerifyCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("verify")
    .description("check an answer and its certificate again, in exact arithmetic")
    .argument("<plan>", "plan file, solution or certificate of solve, or VIPR file; - is standard input")
    .option("--instance <file>", "where the instance or model is (default: where the file says)")
    .option("--baselines", "run all published methods of a plan again, however long they take")
    .option("--no-baselines", "run none of them again (default: those that are quick)")
    .option("--format <format>", "of the model: mps or lp (default: by its name, then by its text)", programFormat)
    .option(
      "--dialect <name>",
      `the reader whose rules the model of a VIPR file was read by: ${DIALECTS_TEXT}`,
      dialect,
    )
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (plan, options) => finish((await import("./verify.js")).runVerify(plan, options)));
}
