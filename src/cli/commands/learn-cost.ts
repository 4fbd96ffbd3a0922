import { setImmediate } from "node:timers/promises";
import { loadCostData } from "../../cost/neural/read-data.js";
import { Training } from "../../cost/neural/train.js";
import { type WeightsOrigin, writeWeights } from "../../cost/neural/weights.js";
import { UsageError } from "../../errors/usage-error.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { baseName } from "../../text/base-name.js";
import { type LearnedCost, rootError, showLearnedCost } from "../show/learned-cost.js";
import { untilInterrupted } from "../terminal/interrupt.js";
import { withStatusLine } from "../terminal/status-line.js";
import { EXIT, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { type LearnCostOptions, type Learned, learnFromStream } from "./learn-cost-stream.js";

/** `shardproof learn-cost DATA --out weights.json`. */
export async function runLearnCost(file: string, options: LearnCostOptions): Promise<number> {
  const { out, kind = "neural", seed = 0, quiet = false } = options;
  requireFitting(file, options);
  await requireWritable(out);
  const started = performance.now();
  const learned = await untilInterrupted((signal) =>
    options.stream === true ? learnFromStream(file, options, signal) : learnFromData(file, options, signal),
  );
  const { data, trained, origin, asked, sets, isWhole } = learned;
  const { sha256, source } = data;
  const written: WeightsOrigin = { data: baseName(data.file), sha256, source, seed, ...origin };
  await writeNoted(out, () => writeWeights(trained, written), quiet);
  const result: LearnedCost = {
    shardproof: 1,
    kind,
    data: { file: data.file, sha256, sets, tables: data.tables.length },
    seed,
    ...asked,
    ...origin,
    timing: { trainSeconds: Math.round(performance.now() - started) / 1000 },
  };
  await writeResult(options.json === true ? writePlan(result) : showLearnedCost(result));
  return isWhole ? EXIT.solved : EXIT.notProved;
}

/** Throws `UsageError` for an option that the way of learning has no use for. */
function requireFitting(file: string, { stream = false, epochs, buffer }: LearnCostOptions): void {
  if (stream && epochs !== undefined) throw new UsageError("--epochs are of a file that is whole, not of a --stream");
  if (!stream && buffer !== undefined) throw new UsageError("--buffer is of a --stream");
  if (!stream && file === "-") throw new UsageError("standard input is read as a stream: add --stream");
}

/** Until the epochs are over, or somebody asks to stop: between two epochs there is time to hear that. */
async function learnFromData(
  file: string,
  { kind = "neural", epochs = 100, seed = 0, quiet = false }: LearnCostOptions,
  signal: AbortSignal,
): Promise<Learned> {
  const data = await loadCostData(file);
  const training = new Training(data, { kind, epochs, seed });
  await withStatusLine(quiet, async (line) => {
    while (training.epochs < epochs && !signal.aborted) {
      const { epoch, validationError, bestError } = training.epoch();
      line.show(() => [
        `epoch ${epoch} of ${epochs}`,
        `validation error ${rootError(validationError)}`,
        `best ${rootError(bestError)}`,
      ]);
      await setImmediate();
    }
  });
  const { epoch: bestEpoch, fits, ...trained } = training.best();
  return {
    data,
    trained,
    origin: { epochs: training.epochs, bestEpoch, fits },
    asked: { askedEpochs: epochs },
    sets: data.sets.length,
    isWhole: training.epochs === epochs,
  };
}
