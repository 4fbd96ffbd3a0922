import { resolve } from "node:path";
import { InputError } from "../errors/input-error.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import { writePlan } from "../plan-file/write-plan.js";
import { copyOf, runOwn } from "../problems/own-method.js";
import { loadInstance } from "../problems/planning/instances.js";
import { type PreparedInstance, planPreparedInstance, prepareInstance } from "../problems/planning/plan.js";
import { NoPlanError } from "../problems/published-plan.js";
import { changed, type JobLine } from "./job.js";
import { loadOwn, type OwnModule } from "./own-module.js";
import { resultText } from "./result.js";

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
    const given = { instance: copyOf(instance), problem: own.given(made.ready), seed: line.seed };
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
