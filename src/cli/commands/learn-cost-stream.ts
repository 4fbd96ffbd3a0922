import { addAbortSignal } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { BUFFER } from "../../cost/neural/buffered-training.js";
import type { CostData } from "../../cost/neural/cost-data.js";
import { openCostStream } from "../../cost/neural/read-stream.js";
import { type StreamRound, StreamTraining } from "../../cost/neural/stream-training.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import type { WeightsOrigin } from "../../cost/neural/weights.js";
import { given } from "../../input/given.js";
import { count } from "../../text/units.js";
import { type LearnedCost, rootError } from "../show/learned-cost.js";
import type { LEARN_COST } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { withStatusLine } from "../terminal/status-line.js";

export type LearnCostOptions = OptionsOf<typeof LEARN_COST>;

/** What was learned, and from what. */
export interface Learned {
  readonly data: Pick<CostData, "file" | "sha256" | "source" | "tables">;
  readonly trained: TrainedNetwork;
  readonly origin: Omit<WeightsOrigin, "data" | "sha256" | "source" | "seed">;
  /** What the result has beside the origin. */
  readonly asked: Pick<LearnedCost, "askedEpochs" | "stream">;
  /** Sets that were there, for learning, choosing and testing. */
  readonly sets: number;
  readonly isWhole: boolean;
}

/** `learn-cost --stream`: until the stream is over, or somebody ends it; the rounds after it are few then. */
export async function learnFromStream(
  file: string,
  { kind = "neural", seed = 0, buffer = BUFFER, quiet = false }: LearnCostOptions,
  signal: AbortSignal,
): Promise<Learned> {
  const input = file === "-" ? addAbortSignal(signal, process.stdin.setEncoding("utf8")) : undefined;
  const stream = await openCostStream(file, { signal, ...given({ input }) });
  const training = new StreamTraining(stream.tables, { kind, seed, buffer });
  await withStatusLine(quiet, async (line) => {
    const show = ({ round, error }: StreamRound, of: string) =>
      line.show(() => [
        `round ${round}${of}`,
        `${count(training.sets)} sets`,
        ...(error === null ? [] : [`error ${rootError(error)}`]),
      ]);
    for await (const set of stream.sets) {
      const round = training.take(set);
      if (round === null) continue;
      show(round, "");
      await setImmediate();
    }
    for (const round of training.cool()) {
      show(round, ` of ${round.of}`);
      await setImmediate();
      if (signal.aborted) break;
    }
  });
  const { round: bestRound, fits, ...trained } = training.best();
  return {
    data: { ...stream, sha256: stream.sha256() },
    trained,
    origin: { rounds: training.rounds, bestRound, fits },
    asked: { stream: { buffer } },
    sets: training.sets,
    isWhole: !signal.aborted,
  };
}
