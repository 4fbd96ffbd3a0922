import { didYouMean } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { PRESETS, type Preset } from "../../study/generate/init/presets.js";
import { type SkeletonProblem, skeleton } from "../../study/generate/init/skeleton.js";
import type { INIT } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";

/** `shardproof init [PROBLEM]`. */
export async function runInit(
  problem: SkeletonProblem = "row-tiers",
  options: OptionsOf<typeof INIT>,
): Promise<number> {
  const { preset, list, out, quiet = false } = options;
  if (list === true) {
    await writeResult(PRESETS.map(({ name, source }) => `${name}\n  ${source}\n`).join(""));
    return EXIT.solved;
  }
  const text = skeleton(problem, presetOf(preset));
  await requireWritable(out);
  await writeNoted(out, () => text, quiet);
  if (out === undefined) await writeResult(text);
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
