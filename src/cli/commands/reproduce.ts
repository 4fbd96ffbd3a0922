import { nearestWord } from "../../errors/nearest.js";
import { UsageError } from "../../errors/usage-error.js";
import { showFlexShard } from "../show/flexshard.js";
import { showAutoShard } from "../show/reproduced-autoshard.js";
import { showDmt } from "../show/reproduced-dmt.js";
import { EXIT } from "../terminal/exit-status.js";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";
import { StatusLine } from "../terminal/status-line.js";
import { writeResult } from "../terminal/streams.js";
import { runStoppable } from "../worker/stop.js";
import { PAPERS } from "./papers.js";
import { isWhole, type Reproduced, type ReproduceMessage, type ReproduceTask } from "./reproduced.js";

export interface ReproduceOptions {
  readonly json?: boolean;
  /** Seconds for the whole command; no limit where absent. */
  readonly timeLimit?: number;
  /** What takes long is left out or cut short. */
  readonly quick?: boolean;
  readonly quiet?: boolean;
}

/** `shardproof reproduce PAPER`. */
export async function runReproduce(paper: string, options: ReproduceOptions): Promise<number> {
  const { json = false, timeLimit = Number.POSITIVE_INFINITY, quick = false, quiet = false } = options;
  const known = PAPERS.find((name) => name === paper);
  if (known === undefined) {
    const nearest = nearestWord(paper, PAPERS);
    const advice = nearest === undefined ? `known here: ${PAPERS.join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`there is nothing to reproduce of "${paper}"; ${advice}`);
  }
  const line = new StatusLine(quiet);
  const { result } = await runStoppable<ReproduceMessage>(
    new URL("../worker/reproduce-main.js", import.meta.url),
    { paper: known, quick, endsAt: Date.now() + 1000 * timeLimit } satisfies ReproduceTask,
    ({ what }) => line.show(() => [what]),
    { quiet, memoryLimitBytes: defaultMemoryLimit(), line },
  ).finally(() => line.clear());
  const { reproduced } = result;
  await writeResult(json ? `${JSON.stringify(reproduced.data, null, 2)}\n` : shown(reproduced));
  return isWhole(reproduced) ? EXIT.solved : EXIT.notProved;
}

function shown(reproduced: Reproduced): string {
  if (reproduced.paper === "flexshard") return showFlexShard(reproduced.data);
  return reproduced.paper === "autoshard" ? showAutoShard(reproduced.data) : showDmt(reproduced.data);
}
