import { setImmediate } from "node:timers/promises";
import type { CostData } from "../cost/neural/cost-data.js";
import type { NetworkKind } from "../cost/neural/features.js";
import { loadCostData } from "../cost/neural/read-data.js";
import { Training } from "../cost/neural/train.js";
import { writeWeights } from "../cost/neural/weights.js";
import { writePlan } from "../plan/write-plan.js";
import { EXIT } from "./exit-status.js";
import { requireFolder } from "./plan.js";
import { type LearnedCost, showLearnedCost } from "./show/learned-cost.js";
import { StatusLine } from "./show/status-line.js";
import { significant } from "./show/units.js";
import { note, writeOutput, writeResult } from "./streams.js";

export interface LearnCostOptions {
  readonly out: string;
  readonly kind?: NetworkKind;
  readonly epochs?: number;
  readonly seed?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `shardproof learn-cost DATA --out weights.json`. */
export async function runLearnCost(file: string, options: LearnCostOptions): Promise<number> {
  const { out, kind = "neural", epochs = 100, seed = 0, quiet = false } = options;
  await requireFolder(out);
  const data = await loadCostData(file);
  const started = performance.now();
  const training = new Training(data, { kind, epochs, seed });
  await train(training, epochs, quiet);
  const { epoch: bestEpoch, fits, ...trained } = training.best();
  const origin = {
    data: data.file,
    sha256: data.sha256,
    source: data.source,
    seed,
    epochs: training.epochs,
    bestEpoch,
    fits,
  };
  await writeOutput(out, writeWeights(trained, origin));
  note(`wrote ${out}`, quiet);
  const learned = resultOf(data, kind, origin, epochs, (performance.now() - started) / 1000);
  await writeResult(options.json === true ? writePlan(learned) : showLearnedCost(learned));
  return training.epochs < epochs ? EXIT.notProved : EXIT.solved;
}

/** Until the epochs are over, or somebody asks to stop: between two epochs there is time to hear that. */
async function train(training: Training, epochs: number, quiet: boolean): Promise<void> {
  const line = new StatusLine(quiet);
  let isStopped = false;
  const onInterrupt = () => {
    isStopped = true;
  };
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    while (training.epochs < epochs && !isStopped) {
      const { epoch, validationError, bestError } = training.epoch();
      const error = (squared: number) => `${significant(Math.sqrt(squared), 4)} ms`;
      line.show(() => [
        `epoch ${epoch} of ${epochs}`,
        `validation error ${error(validationError)}`,
        `best ${error(bestError)}`,
      ]);
      await setImmediate();
    }
  } finally {
    line.clear();
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
}

function resultOf(
  data: CostData,
  kind: NetworkKind,
  { seed, epochs, bestEpoch, fits }: Pick<LearnedCost, "seed" | "epochs" | "bestEpoch" | "fits">,
  askedEpochs: number,
  trainSeconds: number,
): LearnedCost {
  return {
    shardproof: 1,
    kind,
    data: { file: data.file, sha256: data.sha256, sets: data.sets.length, tables: data.tables.length },
    seed,
    askedEpochs,
    epochs,
    bestEpoch,
    fits,
    timing: { trainSeconds: Math.round(trainSeconds * 1000) / 1000 },
  };
}
