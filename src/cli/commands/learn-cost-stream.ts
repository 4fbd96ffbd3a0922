import { addAbortSignal } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { BUFFER } from "../../cost/neural/buffered-training.js";
import { openCostStream } from "../../cost/neural/read-stream.js";
import { type StreamRound, StreamTraining } from "../../cost/neural/stream-training.js";
import { given } from "../../input/given.js";
import { count } from "../../text/units.js";
import { rootError } from "../show/learned-cost.js";
import { withStatusLine } from "../terminal/status-line.js";
import type { LearnCostOptions, Learned } from "./learn-cost-options.js";

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
