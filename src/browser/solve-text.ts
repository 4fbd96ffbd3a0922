import { InputError } from "../errors/input-error.js";
import { writePlan } from "../plan-file/write-plan.js";
import { type Instance, loadInstance } from "../problems/planning/instances.js";
import { planInstance } from "../problems/planning/plan.js";
import { problemOf } from "../problems/planning/registry.js";
import { showSolution } from "../problems/program/show.js";
import { solveProgramFile } from "../problems/program/solve/solve-file.js";
import type { Progress } from "../search/branch-and-bound/search.js";
import { searchProgress } from "../text/progress.js";
import { milliseconds, significant } from "../text/units.js";
import { planAnswer, programAnswer } from "./answer.js";
import type { BrowserReply, BrowserTask } from "./protocol.js";

/** Milliseconds between two reports of progress. */
const REPORT_MILLISECONDS = 200;

/**
 * Solves a text, an instance or a program file, and tells `reply` of everything: how far it is, the answer, the report of
 * a plan, or what went wrong. No file is opened but those that the instance names, which a page refuses. Never throws.
 */
export async function solveText(task: BrowserTask, reply: (message: BrowserReply) => void): Promise<void> {
  try {
    await (task.format === undefined ? planText(task, reply) : solveProgramText(task, reply));
  } catch (error) {
    const { message } = error as { readonly message?: string };
    reply({
      type: "failure",
      isInput: error instanceof InputError,
      message: named(message ?? String(error), task.file),
    });
  }
  reply({ type: "done" });
}

async function planText(task: BrowserTask, reply: (message: BrowserReply) => void): Promise<void> {
  const { file, text } = task;
  const instance: Instance = { ...(await loadInstance("-", async () => text)), file };
  const unit = "costUnit" in instance && instance.costUnit !== null ? ` ${instance.costUnit}` : "";
  const amount =
    problemOf(instance).measure === "seconds" ? milliseconds : (value: number) => `${plainNumber(value)}${unit}`;
  const plan = await planInstance(instance, searchOptions(task, amount, reply));
  const planFile = { name: fileName(plan.instance.name, "plan.json"), text: writePlan(plan) };
  const answer = planAnswer(plan, await problemOf(instance).knowing());
  reply({ type: "answer", answer, plan: planFile, terminal: null });
  // What draws is large, and is loaded once the answer is there.
  const { planReport } = await import("./report.js");
  const { isVerified, page } = await planReport(plan, planFile.text, planFile.name, instance);
  reply({ type: "report", isVerified, page: { name: fileName(plan.instance.name, "report.html"), text: page } });
}

async function solveProgramText(task: BrowserTask, reply: (message: BrowserReply) => void): Promise<void> {
  const { file, text, format } = task;
  const options = searchOptions(task, plainNumber, reply);
  const standardInput = async () => text;
  const { solution } = await solveProgramFile("-", { ...options, standardInput, ...(format && { format }) });
  const plan = { name: fileName(file, "solution.json"), text: writePlan(solution) };
  reply({ type: "answer", answer: programAnswer(solution, file), plan, terminal: showSolution(solution) });
}

function searchOptions(
  { timeLimitSeconds, shouldStop }: BrowserTask,
  amount: (value: number) => string,
  reply: (message: BrowserReply) => void,
) {
  let reported = performance.now();
  return {
    timeLimitSeconds,
    ...(shouldStop && { shouldStop }),
    onProgress: ({ nodes, openNodes, incumbent, bound }: Progress) => {
      if (performance.now() - reported < REPORT_MILLISECONDS) return;
      reported = performance.now();
      const numbers = { incumbent: incumbent?.toNumber() ?? null, bound: bound?.toNumber() ?? null };
      reply({ type: "progress", parts: searchProgress({ nodes, openNodes, ...numbers }, amount) });
    },
  };
}

function plainNumber(value: number): string {
  return significant(value, 8);
}

/** Messages begin with the file's name where they have a place; a text is read as standard input. */
function named(message: string, file: string): string {
  return message.replace(/^-:/, () => `${file}:`);
}

/** A name for a file that is handed out. */
function fileName(name: string, ending: string): string {
  return `${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}.${ending}`;
}
