import { type Command, InvalidArgumentError } from "commander";
import { example } from "./example.js";
import { MEMORY_LIMIT_TEXT, memoryBytes, relativeGap, seconds, wholeNumber } from "./options.js";

const HELP = `
Of row tiers: the relaxation's break-points are all there are, exactly, with one objective sum (serial, exposed) and memory
as the only capacity that can bind; otherwise they are those of exact supporting lines, and the result says how near those
come. In the relaxation a collective's latency counts in proportion to what the collective carries. The greedy frontier at a
budget is the best of the method's plans at this budget and the smaller ones.

Of a table placement: at budgets of device memory from what no plan has less of to what the best plan found needs, and at
the instance's own, the best plan and a proved bound. A plan found with less memory is one with more, and a bound proved
with more memory holds with less.

Exit status: 0 every point is proved to the gap; 3 some are not, or Ctrl-C ended the search; 4 there is no plan at any
budget; 2 bad input or usage.
`;

const EXAMPLE = example(`
$ shardproof frontier instances/paper/flexshard-rm1.yaml --points 3
…
  GiB per GPU  exact ms      gap  3-tier ms      above  2-tier ms      above
…
        8.400   139.296        0    148.967      6.9 %    156.045     12.0 %
`);

/** Adds `shardproof frontier`; its code is loaded when it runs. */
export function addFrontierCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("frontier")
    .description("memory against latency: of row tiers exactly, beside greedy methods; of placements plans and bounds")
    .argument("<instance>", "instance file (YAML or JSON); - is standard input")
    .option(
      "--points <n>",
      "budgets at which the optimum is proved (default: 20; 0: the relaxation alone, of row tiers)",
      points,
    )
    .option("--gap <gap>", "relative gap to prove at each, below 1 (default: 1e-9; 0: the exact optimum)", relativeGap)
    .option("--time-limit <seconds>", "of the whole command: then the best proved so far (default: 60)", seconds)
    .option("--memory-limit <bytes>", MEMORY_LIMIT_TEXT, memoryBytes)
    .option("--seed <n>", "seed of random numbers, of which row tiers have none (default: 0)", wholeNumber)
    .option("--json", "machine-readable result on standard output")
    .option("--exact", "of row tiers: break-points also as exact fractions, in the JSON")
    .option("--csv [file]", "all points as CSV, to a file or to standard output")
    .option("--out <file>", "write the JSON with the plan and the certificate of every point")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (instance, options) => finish((await import("./frontier.js")).runFrontier(instance, options)));
}

function points(text: string): number {
  const value = wholeNumber(text);
  if (value === 1 || value > 10_000) throw new InvalidArgumentError("Expected 0, or from 2 to 10000.");
  return value;
}
