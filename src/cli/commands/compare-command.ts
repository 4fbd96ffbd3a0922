import type { Command } from "commander";
import { example } from "./example.js";
import { addSolvingOptions } from "./options.js";
import { collected } from "./single-options.js";

const HELP = `
--time-limit is for all instances and methods together: each instance gets an even share of what is left, of which the
search for its optimum may take six tenths. A published method that its share is too short for is marked.

Exit status: 0 every optimum is proved to the gap; 3 one is not; 4 one is proved infeasible; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof compare instances/paper/flexshard-rm1.yaml
…
method             ms per iteration  above the bound  memory per GPU
…
row-wise                    318.568          128.7 %       8.400 GiB
…
flexshard-3tier             148.967            6.9 %       8.400 GiB
`);

/** Adds `compare` to the commands. Its code is loaded when it runs. */
export function addCompareCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  addSolvingOptions(
    program
      .command("compare")
      .description("every applicable method side by side: value, gap to the proved bound, seconds")
      .argument("<instances...>", "instance files (YAML or JSON); - is standard input"),
  )
    .option(
      "--method-file <file>",
      "also a method of one's own, a module or '{command: python3 mine.py}' (docs/studies.md); may be repeated",
      collected,
    )
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (instances, options) => finish((await import("./compare.js")).runCompare(instances, options)));
}
