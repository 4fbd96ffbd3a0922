import type { Command } from "commander";
import { example } from "./example.js";
import { seconds } from "./options.js";

const HELP = `
The page needs no network and no server. It has the plans' own numbers, charts, the specification of each chart
(Vega-Lite), and the plan files themselves to download. Every plan is checked again while the page is made, as
by shardproof verify; charts that need the instance are left out where it is not there any more.

Exit status: 0 the page was made, and no plan failed its check; 5 a plan failed it, which the page says; 2 bad input
or usage.
`;

const EXAMPLE = example(`
$ shardproof plan instances/tiny/towers-pairwise.yaml --out plan.json
$ shardproof report plan.json --out report.html
towers-pairwise  tower-partition, proved optimal, checked again
`);

/** Adds `shardproof report`; its code is loaded when it runs. */
export function addReportCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("report")
    .description("one self-contained HTML page about a plan, or several plans compared")
    .argument("<plans...>", "plan files; - is standard input")
    .option("--out <file>", "the page (default: standard output)")
    .option("--instance <file>", "where the instance is, of one plan (default: where the plan says)")
    .option("--time-limit <seconds>", "for what the charts need computed; the check is not cut short", seconds, 20)
    .option("--no-check", "do not check the plans again; the page says so")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (plans, options) => finish((await import("./report.js")).runReport(plans, options)));
}
