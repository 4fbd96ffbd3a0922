import { didYouMean } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { PRESETS, type Preset } from "../../init/presets.js";
import { type SkeletonProblem, skeleton } from "../../init/skeleton.js";
import { EXIT } from "../terminal/exit-status.js";
import { note, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";

export interface InitCommandOptions {
  readonly preset?: string;
  readonly list?: boolean;
  readonly out?: string;
  readonly quiet?: boolean;
}

/** `shardproof init [PROBLEM]`. */
export async function runInit(problem: SkeletonProblem = "row-tiers", options: InitCommandOptions): Promise<number> {
  const { preset, list, out, quiet = false } = options;
  if (list === true) {
    await writeResult(PRESETS.map(({ name, source }) => `${name}\n  ${source}\n`).join(""));
    return EXIT.solved;
  }
  const text = skeleton(problem, presetOf(preset));
  if (out === undefined) {
    await writeResult(text);
    return EXIT.solved;
  }
  await requireWritable(out);
  await writeOutput(out, text);
  note(`wrote ${out}`, quiet);
  return EXIT.solved;
}

/** The preset by this name, or the first. Throws `UsageError` for an unknown one. */
export function presetOf(name: string | undefined): Preset {
  const found = name === undefined ? PRESETS[0] : PRESETS.find((preset) => preset.name === name);
  if (found !== undefined) return found;
  const names = PRESETS.map((preset) => preset.name);
  const meant = didYouMean(name as string, names);
  const advice = meant === undefined ? "" : `; ${meant}`;
  throw new UsageError(`--preset: expected one of ${names.join(", ")}, received ${name}${advice}`);
}
