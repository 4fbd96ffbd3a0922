import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { NEWEST_RELEASE, releaseOf } from "../../cost/torchrec/release.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { type PlacedDocument, readDocument } from "../../instance/document.js";
import { loadWith } from "../../instance/load.js";
import { parseWith } from "../../instance/parse.js";
import { instanceText } from "../../interop/instance-text.js";
import { givenPlan } from "../../interop/torchrec/given-placement.js";
import { looksLikeShardingPlan } from "../../interop/torchrec/sharding-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { type InstanceFile, importTorchrecDocument } from "../../problems/table-placement/import-problem.js";
import { tablePlacementReader } from "../../problems/table-placement/instance/reader.js";
import type { TablePlacementPlan } from "../../problems/table-placement/plan-file/plan-file.js";
import { scorePlacement } from "../../problems/table-placement/score.js";
import { releaseText } from "../../problems/table-placement/show/torchrec-facts.js";
import { showImported, showScore } from "../show/import.js";
import type { IMPORT } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import {
  EXIT,
  exitStatusOf,
  note,
  readGiven,
  requireOneStandardInput,
  requireWritable,
  writeOutput,
  writeResult,
} from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import { taskOf } from "./plan.js";

/** `shardproof import torchrec FILE`: a planning problem, or with --instance a sharding plan. */
export async function runImport(_format: "torchrec", file: string, options: OptionsOf<typeof IMPORT>): Promise<number> {
  const { instance, out } = options;
  requireOneStandardInput([file, instance], "the sharding plan and the instance cannot both be standard input");
  await requireWritable(out);
  const document = readDocument(await readGiven(file, "a planning problem or sharding plan"), file);
  if (looksLikeShardingPlan(document.value)) {
    if (instance === undefined) {
      const advice = "say with --instance FILE which instance (costs and memory) it is to be scored on";
      throw new InputError(`this is a sharding plan, not a planning problem; ${advice}`, file);
    }
    if (options.expand === true) throw new UsageError("--expand is for planning problems, not for sharding plans");
    if (options.score === true) requireScoreAlone(options);
    return score(document, instance, options);
  }
  requireNoSolving(options);
  return importProblem(document, options);
}

/** Throws `UsageError` for an option that a planning problem has no use for. */
function requireNoSolving(options: OptionsOf<typeof IMPORT>): void {
  const { instance, score } = options;
  const [name] = Object.keys(given({ "--instance": instance, "--score": score, ...solvingOptions(options) }));
  if (name === undefined) return;
  throw new UsageError(`${name} is for sharding plans, and the file is none (it has no key plan)`);
}

function solvingOptions({ solver, gap, timeLimit, memoryLimit, seed }: OptionsOf<typeof IMPORT>) {
  return {
    "--solver": solver,
    "--gap": gap,
    "--time-limit": timeLimit,
    "--memory-limit": memoryLimit,
    "--seed": seed,
  };
}

/** Throws `UsageError` for an option of a search, where none is asked for. */
function requireScoreAlone(options: OptionsOf<typeof IMPORT>): void {
  const [name] = Object.keys(given({ ...solvingOptions(options), "--out": options.out }));
  if (name !== undefined) throw new UsageError(`--score looks for no plan, and ${name} is for one; leave one out`);
}

async function importProblem(document: PlacedDocument, options: OptionsOf<typeof IMPORT>): Promise<number> {
  const { expand = false, out, json = false } = options;
  const instance = importTorchrecDocument(document, { expand });
  const printed = instanceText(instance, json ? "json" : "yaml");
  if (out === undefined) {
    await writeResult(printed);
  } else {
    await writeOutput(out, instanceText(instance, /\.json$/i.test(out) ? "json" : "yaml"));
    await writeResult(
      json ? printed : showImported(instance, out, costsOf(document), problemOf(importTorchrecDocument(document), out)),
    );
  }
  return EXIT.solved;
}

/** Whose costs the instance has. */
function costsOf({ value }: PlacedDocument): string {
  const { version } = value as { readonly version?: number | string | null };
  const release = (version === undefined || version === null ? null : releaseOf(version)) ?? NEWEST_RELEASE;
  return releaseText({ release }, version !== undefined && version !== null);
}

/** The problem that the instance is; `null` where it is none, which `plan` says. */
function problemOf(instance: InstanceFile, file: string): PlacementProblem | null {
  try {
    return placementProblem(parseWith([tablePlacementReader], instanceText(instance, "json"), file));
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

async function score(
  document: PlacedDocument,
  instanceFile: string,
  options: OptionsOf<typeof IMPORT>,
): Promise<number> {
  const { out, json = false, quiet = false } = options;
  const task = await taskOf(instanceFile, options);
  requireNoProblem(readDocument(task.standardInput ?? (await readText(instanceFile)), instanceFile));
  const instance = await loadWith([tablePlacementReader], instanceFile, async () => task.standardInput ?? "");
  const plan = givenPlan(document, instance);
  if (options.score === true) {
    const { score: alone } = scorePlacement(plan, null);
    await writeResult(json ? writePlan(alone) : showScore(alone));
    return EXIT.solved;
  }
  const searched = (await solveInWorker({ kind: "plan", ...task }, quiet)).plan as TablePlacementPlan;
  const { score, best } = scorePlacement(plan, searched);
  if (out !== undefined) {
    if (best !== null) await writeOutput(out, writePlan(best));
    note(best === null ? `no plan within the limits is known: ${out} was not written` : `wrote ${out}`, quiet);
  }
  await writeResult(json ? writePlan(score) : showScore(score));
  return exitStatusOf(searched.status);
}

/** Throws `InputError` for a planning problem in the place of an instance. */
function requireNoProblem({ file, value }: PlacedDocument): void {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.includes("shardproof") || !keys.includes("topology")) return;
  const advice = `write its instance first: shardproof import torchrec ${file} --out instance.yaml`;
  throw new InputError(`expected an instance, received a TorchRec planning problem; ${advice}`, file);
}
