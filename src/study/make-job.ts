import { dirname, join, relative, resolve } from "node:path";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import { readNamedText } from "../input/files.js";
import { type Path, readDocument } from "../instance/document.js";
import { received } from "../instance/findings.js";
import { withNamedFiles } from "../instance/load.js";
import { hashOf, parseWith } from "../instance/parse.js";
import { instanceText } from "../interop/instance-text.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import { limitsOf } from "../problems/plan-limits.js";
import type { Instance } from "../problems/planning/instances.js";
import { PROBLEMS, problemOf, READERS } from "../problems/planning/registry.js";
import { type GeneratorOptions, generate, MAX_SEED } from "./generate/generate.js";
import { filesOf } from "./instance-files.js";
import { INSTANCES_FOLDER, type JobLine, lineId } from "./job.js";
import { loadOwn, type OwnModule, type OwnSource } from "./own-module.js";
import { type InstanceSource, refuse, type StudyMethod, type StudySpec } from "./spec.js";
import { crossProduct, type Varied, withValues } from "./vary.js";

/** All methods but the exact one. */
const PUBLISHED = "published";

/** The plans of a study, and the texts of the instances that are no files of the user's, by their place in its folder. */
export interface MadeJob {
  readonly lines: readonly JobLine[];
  readonly instances: ReadonlyMap<string, string>;
}

/** An instance before its keys are varied. */
interface Base {
  readonly text: string;
  /** Where it lies; `null` for one that was generated. */
  readonly file: string | null;
  /** What messages call it. */
  readonly called: string;
}

/** An instance of the study: one base with one value for each varied key. */
interface Variant {
  readonly instance: Instance;
  readonly file: string;
  readonly vary: Varied;
}

/**
 * Every plan of a study, a line each: all instances with all values of the varied keys, and for each the methods in the
 * study's order. `folder` is where the study's folder will be; `version` that of this program.
 *
 * Throws `InputError` at the place of what is wrong in the study, or in an instance.
 */
export async function makeJob(spec: StudySpec, folder: string, version: string): Promise<MadeJob> {
  return new JobMaker(spec, folder, version).make();
}

class JobMaker {
  readonly #spec: StudySpec;
  readonly #folder: string;
  readonly #version: string;
  readonly #instances = new Map<string, string>();

  constructor(spec: StudySpec, folder: string, version: string) {
    this.#spec = spec;
    this.#folder = resolve(folder);
    this.#version = version;
  }

  async make(): Promise<MadeJob> {
    const modules = await this.#modules();
    const variants: Variant[] = [];
    for (const [k, source] of this.#spec.instances.entries()) variants.push(...(await this.#variantsOf(source, k)));
    this.#requireKnownMethods(variants);
    const lines = variants.flatMap((variant) => this.#linesOf(variant, modules));
    if (lines.length > 0) return { lines, instances: this.#instances };
    return refuse(this.#spec.document, ["methods"], "expected a method for one of the instances, received none");
  }

  /** A path of the study's file. */
  #beside(path: string): string {
    const { file } = this.#spec.document;
    return resolve(file === "-" ? "." : dirname(file), path);
  }

  #sourceOf(method: OwnStudyMethod): OwnSource {
    return "file" in method ? { file: this.#beside(method.file) } : { ...method, folder: this.#beside(".") };
  }

  async #modules(): Promise<ReadonlyMap<string, OwnModule>> {
    const modules = new Map<string, OwnModule>();
    const names = new Set<string>(PROBLEMS.flatMap(({ methods }) => [...methods, PUBLISHED]));
    for (const [k, method] of this.#spec.methods.entries()) {
      if (typeof method === "string") continue;
      const key = "file" in method ? "file" : "command";
      const module = await loadOwn(this.#sourceOf(method)).catch((error: unknown) => {
        // The place of an error of syntax is in the module; that there is none is said where it is named.
        if (!(error instanceof InputError) || error.place !== undefined) throw error;
        return refuse(this.#spec.document, ["methods", k, key], `${error.said} (${saidOf(method)})`);
      });
      if (names.has(module.name)) {
        const advice = "file" in method ? "export another name from the module" : "name its file otherwise";
        refuse(this.#spec.document, ["methods", k], `expected a name once only, received ${module.name}; ${advice}`);
      }
      names.add(module.name);
      modules.set(saidOf(method), module);
    }
    return modules;
  }

  async #variantsOf(source: InstanceSource, k: number): Promise<readonly Variant[]> {
    const keys = { ...this.#spec.vary, ...source.vary };
    const variants: Variant[] = [];
    for (const base of this.#basesOf(source, k)) {
      for (const vary of crossProduct(keys)) {
        const isAsItIs = Object.keys(vary).length === 0;
        const made = isAsItIs ? await this.#asItIs(base, k) : await this.#varied(base, vary, k);
        variants.push({ ...made, vary });
      }
    }
    return variants;
  }

  #basesOf({ files, except, generate: kind, options, seeds }: InstanceSource, k: number): readonly Base[] {
    const at = ["instances", k];
    if (kind !== undefined) {
      return this.#seedsOf(seeds, [...at, "seeds"]).map((seed) => {
        const called = `generate ${kind}, seed ${seed}`;
        return { text: this.#generated(kind, options ?? {}, seed, [...at, "options"]), file: null, called };
      });
    }
    const listed = (key: "files" | "except", given: string | readonly string[] | undefined) => {
      try {
        return filesOf(given === undefined ? [] : [given].flat(), this.#beside("."));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return refuse(this.#spec.document, [...at, key], `expected files with instances, ${error.message}`);
      }
    };
    const leftOut = new Set(listed("except", except));
    return listed("files", files)
      .filter((file) => !leftOut.has(file))
      .map((file) => ({ text: readInstance(file), file, called: file }));
  }

  #generated(kind: NonNullable<InstanceSource["generate"]>, options: object, seed: number, at: Path): string {
    try {
      return generate(kind, options as GeneratorOptions<typeof kind>, seed);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refuse(this.#spec.document, at, error.said);
    }
  }

  #seedsOf(seeds: InstanceSource["seeds"], at: Path): readonly number[] {
    if (typeof seeds !== "string") return seeds ?? [];
    const [, first, last = first] = /^\s*(\d{1,10})\s*(?:-\s*(\d{1,10}))?\s*$/.exec(seeds) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from <= to && to < MAX_SEED)) {
      refuse(this.#spec.document, at, `expected seeds such as 1-500 below ${MAX_SEED}, received ${received(seeds)}`);
    }
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  }

  async #asItIs({ text, file }: Base, k: number): Promise<Omit<Variant, "vary">> {
    if (file === null) return this.#written(text, "yaml");
    try {
      const instance = await withNamedFiles(READERS, parseWith(READERS, text, file), text);
      return { instance, file: relative(this.#folder, file) };
    } catch (error) {
      if (!(error instanceof InputError) || error.place !== undefined) throw error;
      return refuse(this.#spec.document, ["instances", k], `${error.said} (${file})`);
    }
  }

  async #varied({ text, file, called }: Base, vary: Varied, k: number): Promise<Omit<Variant, "vary">> {
    const path = (key: string): Path => {
      const isOwn = this.#spec.instances[k]?.vary?.[key] !== undefined;
      return isOwn ? ["instances", k, "vary", key] : ["vary", key];
    };
    const refuseVaried = (message: string): never => {
      const key = Object.keys(vary).find((each) => message.startsWith(each.split(".")[0] as string));
      const last = Object.keys(vary).at(-1) as string;
      return refuse(this.#spec.document, path(key ?? last), `${message} (${called})`);
    };
    try {
      const whole = withValues(readDocument(text, file ?? called).value, vary);
      const own = parseWith(READERS, instanceText(whole as object, "json"), file ?? "-");
      return await this.#written(instanceText(this.#moved(whole, own), "json"), "json");
    } catch (error) {
      if (error instanceof RangeError) return refuseVaried(error.message);
      if (error instanceof InputError) return refuseVaried(error.said);
      throw error;
    }
  }

  /** With the files that it names as they are found from the study's folder. */
  #moved(document: unknown, instance: Instance): object {
    const reader = READERS.find(({ problem }) => problem === instance.problem);
    const named = (reader?.namedFiles(instance) ?? []).map(({ at }) => at);
    // The plan that a placement's tables move from is read with the instance, and so no named file of it.
    const all: readonly Path[] = [...named, ["from", "plan"]];
    const copy = structuredClone(document) as object;
    for (const at of all) {
      const holder = at.slice(0, -1).reduce<unknown>((inner, step) => (inner as never)?.[step as never], copy);
      const last = at.at(-1) as never;
      const name = (holder as Record<string, unknown> | undefined)?.[last];
      if (typeof name !== "string" || instance.file === "-") continue;
      const moved = relative(join(this.#folder, INSTANCES_FOLDER), resolve(dirname(instance.file), name));
      (holder as Record<string, unknown>)[last] = moved;
    }
    return copy;
  }

  /** An instance of the study's own, in its folder by its content. */
  async #written(text: string, ending: "yaml" | "json"): Promise<Omit<Variant, "vary">> {
    const file = join(INSTANCES_FOLDER, `${hashOf(text).slice(0, 16)}.${ending}`);
    this.#instances.set(file, text);
    const instance = parseWith(READERS, text, join(this.#folder, file));
    return { instance: await withNamedFiles(READERS, instance, text), file };
  }

  #requireKnownMethods(variants: readonly Variant[]): void {
    const known = [...new Set(variants.flatMap(({ instance }) => [...problemOf(instance).methods]))];
    for (const [k, method] of this.#spec.methods.entries()) {
      if (typeof method !== "string" || method === PUBLISHED || known.includes(method)) continue;
      const advice = didYouMean(method, [...known, PUBLISHED]) ?? `known here: ${known.join(", ")}`;
      refuse(this.#spec.document, ["methods", k], `there is no method ${method} for these instances; ${advice}`);
    }
  }

  #linesOf({ instance, file, vary }: Variant, modules: ReadonlyMap<string, OwnModule>): readonly JobLine[] {
    const { gap, seed, timeLimit, workLimit } = this.#spec;
    const limits = { timeLimitSeconds: 60, ...limitsOf({ timeLimit, workLimit }) };
    const { methods } = problemOf(instance);
    const { name, sha256, problem } = instance;
    const of = { instance: { file, sha256, name, problem }, vary };
    const [firstSeed] = [seed].flat() as [number];
    const lines = this.#spec.methods.flatMap((method): readonly Omit<JobLine, "id">[] => {
      if (typeof method !== "string") {
        const module = modules.get(saidOf(method)) as OwnModule;
        if (module.methodFor(problem) === null) return [];
        const source = this.#sourceOf(method);
        const { sha256 } = module;
        const own =
          "file" in source
            ? { file: relative(this.#folder, source.file), sha256 }
            : { ...source, folder: relative(this.#folder, source.folder), sha256 };
        return [seed].flat().map((each) => ({ ...of, method: module.name, module: own, seed: each, ...limits }));
      }
      if (method === EXACT_METHOD) {
        // It draws no random numbers.
        return [gap].flat().map((each) => ({ ...of, method, gap: each, seed: firstSeed, ...limits }));
      }
      const named = method === PUBLISHED ? methods.filter((each) => each !== EXACT_METHOD) : [method];
      const applying = named.filter((each) => methods.includes(each));
      return applying.flatMap((each) => [seed].flat().map((one) => ({ ...of, method: each, seed: one, ...limits })));
    });
    return lines.map((line) => ({ id: lineId(line, this.#version), ...line }));
  }
}

function readInstance(file: string): string {
  try {
    return readNamedText(file);
  } catch (error) {
    throw fileError(error, file, "an instance file that can be read");
  }
}

type OwnStudyMethod = Exclude<StudyMethod, string>;

function saidOf(method: OwnStudyMethod): string {
  return "file" in method ? method.file : method.command;
}
