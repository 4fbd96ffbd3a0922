import type { PlacementDelta } from "../../../models/table-placement/migration/delta.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import { readJson } from "../../input/json.js";
import { readDocument } from "../../instance/document.js";
import { loadWith } from "../../instance/load.js";
import { hashOf } from "../../instance/parse.js";
import type { ExportablePlacement } from "../../interop/exportable.js";
import { showChangedShards } from "../../interop/show.js";
import { changedShards } from "../../interop/torchrec/changed-shards.js";
import { givenPlan } from "../../interop/torchrec/given-placement.js";
import { looksLikeShardingPlan } from "../../interop/torchrec/sharding-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { placementDelta } from "../../problems/table-placement/delta.js";
import { readExportablePlacement } from "../../problems/table-placement/exportable.js";
import { tablePlacementReader } from "../../problems/table-placement/instance/reader.js";
import { showDelta } from "../../problems/table-placement/show/delta.js";
import { simulateDelta } from "../../simulate/delta.js";
import type { DELTA } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import {
  EXIT,
  note,
  readGiven,
  readStandardInput,
  requireOneStandardInput,
  requireWritable,
  writeNoted,
  writeOutput,
  writeResult,
} from "../terminal/streams.js";
import { planInstanceOpener } from "./plan-instance.js";

/** `shardproof delta OLD NEW`. */
export async function runDelta(oldFile: string, newFile: string, options: OptionsOf<typeof DELTA>): Promise<number> {
  const { oldInstance, instance, optimizer, to = "delta", module, out, json, quiet = false } = options;
  requireOneStandardInput([oldFile, newFile, oldInstance, instance], "only one file can be standard input");
  if (module !== undefined && to !== "torchrec") throw new UsageError("--module is for --to torchrec only");
  await requireWritable(out);
  const old = await readSide(oldFile, oldInstance, "--old-instance");
  const now = await readSide(newFile, instance, "--instance");
  const delta = placementDelta(old, now, given({ optimizer }));
  if (to === "torchrec") {
    const { changes, notes } = changedShards(old, now, delta, module);
    if (out === undefined) {
      for (const said of notes) note(`note: ${said}`, quiet);
      await writeResult(writePlan(changes));
    } else {
      await writeOutput(out, writePlan(changes));
      await writeResult(json === true ? writePlan(changes) : showChangedShards(changes, notes, out));
    }
    return EXIT.solved;
  }
  const simulated = simulateDelta(delta);
  await writeNoted(out, () => writePlan(delta), quiet);
  await writeResult(json === true ? writePlan(delta) : showDelta(delta, simulated));
  return statusOf(delta, simulated.wrong);
}

/** A plan file, or a sharding plan of TorchRec's, which does not say what it is of: `option` names its instance. */
async function readSide(file: string, instance: string | undefined, option: string): Promise<ExportablePlacement> {
  const text = await readGiven(file, "a plan file");
  if (looksLikeShardingPlan(readJson(text, file, "a plan file"))) {
    if (instance === undefined) {
      const advice = `say with ${option} FILE which instance (tables, devices) it is of`;
      throw new InputError(`this is a sharding plan of TorchRec's, which does not name one; ${advice}`, file);
    }
    const own = await loadWith([tablePlacementReader], instance, readStandardInput);
    const { problem, placement } = givenPlan(readDocument(text, file), own);
    return { instance: own, problem, placement, method: "given", status: "feasible", digest: hashOf(text) };
  }
  return readExportablePlacement(text, file, planInstanceOpener(file, instance));
}

function statusOf({ schedule: { status } }: PlacementDelta, wrong: readonly string[]): number {
  if (wrong.length > 0) return EXIT.verificationFailed;
  return status === "fits" ? EXIT.solved : EXIT.notProved;
}
