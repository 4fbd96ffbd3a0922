import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../errors/input-error.js";
import { readText } from "../input/files.js";
import type { PlanEnvelope } from "../plan-file/envelope.js";
import { firstGoal } from "../plan-file/first-goal.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import { writePlan } from "../plan-file/write-plan.js";
import { evaluateOwn, runOwn } from "../problems/own-method.js";
import { type Instance, loadInstance } from "../problems/planning/instances.js";
import { type PreparedInstance, planPreparedInstance, prepareInstance } from "../problems/planning/plan.js";
import { problemOfPlan } from "../problems/planning/registry.js";
import { verifyPlanText } from "../problems/planning/verify.js";
import { NoPlanError } from "../problems/published-plan.js";
import { changed, type JobLine, resultFile } from "./job.js";
import { loadOwn, type OwnModule } from "./own-module.js";
import { type Result, resultIn, resultText } from "./result.js";
import type { CheckedLine } from "./row.js";

/** Works lines of a job, one after the other: what a line has in common with the one before it is read once. */
export class LineWorker {
  readonly #folder: string;
  readonly #pathTo: (file: string) => string;
  #prepared: { readonly sha256: string; readonly instance: object; readonly made: PreparedInstance } | null = null;
  readonly #modules = new Map<string, OwnModule>();

  /** `pathTo` makes of an absolute path the one that plan files have of their instance. */
  constructor(folder: string, pathTo: (file: string) => string) {
    this.#folder = folder;
    this.#pathTo = pathTo;
  }

  /** The text of a line's result. Throws `InputError` where its files are not those that the job was written for. */
  async work(line: JobLine): Promise<string> {
    const { instance, made } = await this.#ready(line);
    const { method, module, gap, seed, timeLimitSeconds, workLimitSeconds } = line;
    const started = performance.now();
    const seconds = () => Math.round(performance.now() - started) / 1000;
    if (module !== undefined) return this.#own(line, { instance, made }, seconds);
    try {
      const ready = { ...(made.ready as object), readSeconds: 0 };
      const asked = {
        ...{ method, seed, timeLimitSeconds },
        ...(gap === undefined ? {} : { gap }),
        ...(workLimitSeconds === undefined ? {} : { workLimitSeconds }),
      };
      return writePlan(await planPreparedInstance({ ...made, ready }, asked));
    } catch (error) {
      if (method === EXACT_METHOD || !(error instanceof InputError)) throw error;
      const { outcome, reason } =
        error instanceof NoPlanError ? error : ({ outcome: "not-applicable", reason: error.said } as const);
      return resultText(line, { kind: "none", outcome, reason }, seconds());
    }
  }

  async #own(
    line: JobLine,
    { instance, made }: { readonly instance: object; readonly made: PreparedInstance },
    seconds: () => number,
  ): Promise<string> {
    const method = (await this.#module(line)).requireMethodFor(line.instance.problem);
    const { own, evaluate } = await made.problem.solving();
    const given = { instance, problem: own.given(made.ready), seed: line.seed };
    const decided = await runOwn(method, given, { seconds: line.timeLimitSeconds }, (written) => {
      const decision = own.decisionIn(written);
      evaluate(made.ready, decision);
      return decision;
    });
    if (decided.kind === "plan") return resultText(line, { kind: "decision", decision: decided.result }, seconds());
    return resultText(line, { kind: "none", outcome: "none", reason: decided.reason }, seconds());
  }

  async #ready({ instance: { file, sha256 } }: JobLine) {
    if (this.#prepared?.sha256 === sha256) return this.#prepared;
    const path = this.#pathTo(resolve(this.#folder, file));
    const instance = await loadInstance(path);
    if (instance.sha256 !== sha256) throw changed("file", path);
    this.#prepared = { sha256, instance, made: await prepareInstance(instance) };
    return this.#prepared;
  }

  async #module({ module }: JobLine): Promise<OwnModule> {
    const own = module as NonNullable<JobLine["module"]>;
    const source =
      "file" in own ? { file: resolve(this.#folder, own.file) } : { ...own, folder: resolve(this.#folder, own.folder) };
    const loaded = this.#modules.get(own.sha256) ?? (await loadOwn(source));
    this.#modules.set(own.sha256, loaded);
    if (loaded.sha256 === own.sha256) return loaded;
    throw changed("file", "file" in source ? this.#pathTo(source.file) : source.command);
  }
}

const OPEN = { value: null, bound: null, exact: { value: null, bound: null }, unit: "", goal: "", stopped: false };

/** Checks the results of lines, one after the other: every certificate, every value, from the instance and the file alone. */
export class LineChecker {
  readonly #folder: string;
  #instance: Instance | null = null;
  #prepared: PreparedInstance | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `InputError` where an instance is not the one that the job was written for. */
  async check(line: JobLine): Promise<CheckedLine> {
    const file = join(this.#folder, resultFile(line));
    if (!existsSync(file)) return { ...OPEN, line, status: "missing", verified: null, reason: "", seconds: null };
    const instance = await this.#instanceOf(line);
    let result: Result;
    try {
      result = resultIn(await readText(file, "a result"), file, line);
      if (result.kind === "plan") return await planned(line, result.text, file, instance);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { ...OPEN, line, status: "unreadable", verified: false, reason: error.said, seconds: null };
    }
    const seconds = { solve: result.timing.solveSeconds, prove: 0 };
    if (result.kind === "none") {
      return { ...OPEN, line, status: result.outcome, verified: null, reason: result.reason, seconds };
    }
    return { ...(await this.#decided(line, result.decision, instance)), seconds };
  }

  async #decided(line: JobLine, decision: unknown, instance: Instance): Promise<Omit<CheckedLine, "seconds">> {
    this.#prepared ??= await prepareInstance(instance);
    const { problem, ready } = this.#prepared;
    const { own, evaluate } = await problem.solving();
    const evaluated = evaluateOwn(decision, (written) => evaluate(ready, own.decisionIn(written)));
    if (evaluated.kind === "none") {
      return { ...OPEN, line, status: "none", verified: false, reason: evaluated.reason };
    }
    const { value, exact, violations } = evaluated.result;
    const [reason = ""] = violations;
    const status = violations.length === 0 ? "heuristic" : "breaks-limits";
    const known = { value, bound: null, exact: { value: exact, bound: null } };
    return { ...OPEN, ...known, line, goal: "objective", status, verified: true, reason };
  }

  async #instanceOf({ instance: { file, sha256 } }: JobLine): Promise<Instance> {
    if (this.#instance?.sha256 === sha256) return this.#instance;
    const path = resolve(this.#folder, file);
    const instance = await loadInstance(path);
    if (instance.sha256 !== sha256) throw changed("instance", path);
    this.#prepared = null;
    this.#instance = instance;
    return instance;
  }
}

async function planned(line: JobLine, text: string, file: string, instance: Instance): Promise<CheckedLine> {
  const { passed, checks, differences } = await verifyPlanText(text, file, async () => instance);
  const plan = JSON.parse(text) as PlanEnvelope & { readonly time?: { readonly kind: string } };
  // What published methods are evaluated by: of rows that is time alone.
  const isOfMethods = plan.time === undefined || plan.time.kind === plan.objective.kind;
  const { knowing } = problemOfPlan({ ...plan }, file);
  const { value, bound, unit, path } = (await knowing()).goal(plan);
  const known = path === "objective" ? firstGoal(plan) : { value, bound, exact: { value: null, bound: null } };
  const failed = checks.find((check) => !check.passed)?.detail ?? differences.map((one) => `${one.path} differs`)[0];
  const isOfLine = plan.method === line.method && (line.gap ?? plan.request.gap) === plan.request.gap;
  const asked = isOfLine && plan.request.seed === line.seed ? null : "it is the plan of another line";
  return {
    line,
    ...known,
    status: plan.status,
    unit: unit.name,
    goal: isOfMethods ? path : plan.objective.kind,
    verified: passed && asked === null,
    reason: failed ?? asked ?? plan.infeasibility?.explanation ?? "",
    stopped: plan.stopped === true,
    seconds: { solve: plan.timing.solveSeconds, prove: plan.timing.proveSeconds },
  };
}
