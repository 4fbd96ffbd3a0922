import { writePlan } from "../../plan-file/write-plan.js";
import type { FrontierProgress } from "../../problems/frontier-options.js";
import type { OwnMethod } from "../../problems/own-method.js";
import type { PlanOptions } from "../../problems/plan-options.js";
import type { Plan } from "../../problems/planning/plan.js";
import type { Progress } from "../../search/branch-and-bound/search.js";
import type { WorkerMessage, WorkerTask } from "./protocol.js";
import type { Send } from "./run-thread.js";
import { StopFlag } from "./stop.js";

/** Milliseconds between two reports of progress. */
const REPORT_MILLISECONDS = 200;

/** Loads what a command will need: programs have no use for what instances take. */
export async function load(command: string): Promise<void> {
  await (command === "solve" ? import("./solve-model.js") : import("../../problems/planning/plan.js"));
}

/** Solves: the search does not return to the event loop, which the main thread keeps for signals. */
export async function work(task: WorkerTask, send: Send<WorkerMessage>): Promise<void> {
  const { kind, instance, plan, standardInput, stop, startedAt, methodFiles = [], written, ...options } = task;
  const flag = new StopFlag(stop);

  /** Costs of placements and distances in towers are in no unit that the progress knows. */
  let plain = false;

  let reported = performance.now();
  let reportedPart: string | undefined;

  /** A new part of the work is told of at once: what it is then silent about may take long. */
  const report = ({ nodes, openNodes, incumbent, bound }: Progress, part?: string) => {
    if (part === reportedPart && performance.now() - reported < REPORT_MILLISECONDS) return;
    reported = performance.now();
    reportedPart = part;
    const values = { incumbent: incumbent?.toNumber() ?? null, bound: bound?.toNumber() ?? null };
    const progress = { ...{ nodes, openNodes }, ...values, ...(plain ? { plain } : {}) };
    send({ type: "progress", progress: part === undefined ? progress : { ...progress, part } });
  };

  const planOptions: PlanOptions = {
    ...options,
    shouldStop: () => flag.reason !== null,
    // Searches of several phases name the one that they are in.
    onProgress: (progress: Progress & { readonly phase?: string }) => report(progress, progress.phase),
    ...(standardInput === undefined ? {} : { standardInput: async () => standardInput }),
  };

  /** The options with what is over of the time limit: asked for once a kind's code is loaded, which takes some of it. */
  const counted = <Options extends object>(own: Options) => ({ ...own, spentSeconds: (Date.now() - startedAt) / 1000 });

  // Each kind's code is loaded when it runs.
  if (kind === "plan" || kind === "compare") {
    const { planPreparedInstance, prepareInstance } = await import("../../problems/planning/plan.js");
    const options = counted(planOptions);
    const ready = await prepareInstance(instance, options.standardInput);
    plain = ready.problem.measure === "plain";
    const foreign = await ready.foreign();
    if (kind === "plan") {
      const made = await planPreparedInstance(ready, options);
      const isVerbose = written === undefined;
      const showing = await ready.problem.showing();
      const plan = (isVerbose ? made : (showing.shownOf?.(made) ?? made)) as Plan;
      const details = isVerbose ? ((await showing.details?.(made, ready.instance)) ?? null) : null;
      // A long certificate takes long to be written: not where nobody asks for it.
      send({ type: "plan", plan, foreign, details, text: written === true ? writePlan(made) : "" });
    } else {
      const { comparePreparedInstance } = await import("../../problems/planning/compare.js");
      const own = await ownMethods(methodFiles, ready.problem.name);
      send({ type: "compare", comparison: await comparePreparedInstance(ready, { ...options, own }), foreign });
    }
  } else if (kind === "frontier") {
    const [{ frontierOf }, { loadInstance }, { problemOf }] = await Promise.all([
      import("../../problems/planning/frontier.js"),
      import("../../problems/planning/instances.js"),
      import("../../problems/planning/registry.js"),
    ]);
    const onProgress = ({ point, points, ...progress }: FrontierProgress) =>
      report(progress, `point ${point} of ${points}`);
    const asking = { ...planOptions, onProgress };
    const read = await loadInstance(instance, planOptions.standardInput);
    plain = problemOf(read).measure === "plain";
    send({ type: "frontier", frontier: await frontierOf(read, counted(asking)) });
  } else if (plan !== undefined) {
    const [{ explainPlanText }, { planInstanceOpener }] = await Promise.all([
      import("../../problems/planning/explain.js"),
      import("../commands/plan-instance.js"),
    ]);
    const open = planInstanceOpener(plan.file, instance === "" ? undefined : instance, async () => standardInput ?? "");
    const { shouldStop = () => false } = planOptions;
    const onTable = (table: number, all: number) =>
      report(
        { nodes: 0, openNodes: 0, incumbent: null, bound: null },
        `without the choice of table ${table} of ${all}`,
      );
    const asking = counted({ ...options, shouldStop, onTable });
    send({ type: "explain", explained: await explainPlanText(plan.text, plan.file, open, asking) });
  } else {
    const { solveModel } = await import("./solve-model.js");
    const stopReason = () => (flag.reason === "memory" ? "the memory limit was reached" : null);
    send({ type: "solve", ...(await solveModel(instance, counted({ ...planOptions, stopReason }))) });
  }
}

/** Methods of somebody's own for a problem. Throws `InputError` for a module that has none. */
async function ownMethods(files: readonly string[], problem: string): Promise<readonly OwnMethod[]> {
  if (files.length === 0) return [];
  const { loadOwn, ownSourceIn } = await import("../../study/own-module.js");
  return Promise.all(files.map(async (file) => (await loadOwn(ownSourceIn(file))).requireMethodFor(problem)));
}
