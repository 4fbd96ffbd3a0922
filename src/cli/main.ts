#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { EXIT } from "./exit-status.js";
import { addExportCommand } from "./export-command.js";
import { failureOf, UsageError } from "./failure.js";
import { addFrontierCommand } from "./frontier-command.js";
import { addImportCommand } from "./import-command.js";
import { addInteractionCommand } from "./interaction-command.js";
import { addLearnCostCommand } from "./learn-cost-command.js";
import { addLearnPolicyCommand } from "./learn-policy-command.js";
import { addSolvingOptions, positive, programFormat } from "./options.js";
import { addProfileCommand } from "./profile-command.js";
import { addReportCommand } from "./report-command.js";
import { addSimulateCommand } from "./simulate-command.js";
import { addSolveCommand } from "./solve-command.js";
import { ignoreStreamErrors } from "./streams.js";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

/** Every command's code is loaded when it runs: what is not asked for costs no time. */
function commandLine(): Command {
  const program = new Command("shardproof")
    .description("Places the embedding rows of recommendation models on GPUs and proves the plans optimal.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .helpCommand(false);
  addSolvingOptions(
    program
      .command("plan")
      .description("solve an instance, prove the answer, print the plan")
      .argument("<instance>", "instance file (YAML or JSON); - is standard input"),
  )
    .option("--method <name>", "optimal, or a published method (default: optimal)")
    .option("--out <file>", "write the plan file")
    .action(async (instance, options) => finish((await import("./plan.js")).runPlan(instance, options)));
  addSolvingOptions(
    program
      .command("compare")
      .description("every applicable method side by side: value, gap to the proved bound, seconds")
      .argument("<instances...>", "instance files (YAML or JSON)"),
  ).action(async (instances, options) => finish((await import("./compare.js")).runCompare(instances, options)));
  addFrontierCommand(program, finish);
  addSolveCommand(program, finish);
  addProfileCommand(program, finish);
  addInteractionCommand(program, finish);
  program
    .command("verify")
    .description("check an answer and its certificate again, in exact arithmetic and by none of the code that made it")
    .argument("<plan>", "plan file, solution or certificate of solve, or VIPR file; - is standard input")
    .option("--instance <file>", "where the instance or model is (default: where the file says)")
    .option("--format <format>", "of the model: mps or lp (default: by its name, then by its text)", programFormat)
    .option("--json", "machine-readable result on standard output")
    .action(async (plan, options) => finish((await import("./verify.js")).runVerify(plan, options)));
  addExportCommand(program, finish);
  addImportCommand(program, finish);
  addLearnCostCommand(program, finish);
  addLearnPolicyCommand(program, finish);
  addSimulateCommand(program, finish);
  addReportCommand(program, finish);
  program
    .command("reproduce")
    .description("a paper's published tables beside what this program computes")
    .argument("<paper>", "flexshard or autoshard")
    .option("--time-limit <seconds>", "end with what is done by then (default: no limit)", positive)
    .option("--quick", "seconds: without flexshard's optima, autoshard with hardly any training")
    .option("--json", "machine-readable result on standard output")
    .action(async (paper, options) => finish((await import("./reproduce.js")).runReproduce(paper, options)));
  program
    .command("schema")
    .description("print the JSON Schema of the instance file")
    .action(async () => finish((await import("./schema.js")).runSchema()));
  return program;
}

async function finish(exitStatus: Promise<number>): Promise<void> {
  process.exitCode = await exitStatus;
}

function usageOf(error: CommanderError): UsageError {
  if (error.code === "commander.help") return new UsageError("expected a command; see shardproof --help");
  return new UsageError(error.message.replace(/^error: /, ""));
}

ignoreStreamErrors();
try {
  await commandLine().parseAsync();
} catch (error) {
  const isCommander = error instanceof CommanderError;
  if (!(isCommander && error.exitCode === 0)) {
    const { message, exitStatus } = failureOf(isCommander ? usageOf(error) : error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitStatus;
  } else {
    process.exitCode = EXIT.solved;
  }
}
