import { nearestWord } from "../errors/nearest.js";
import { reproduceAutoShard } from "../reproduce/autoshard/reproduce.js";
import { reproduceDmt } from "../reproduce/dmt/reproduce.js";
import { reproduceFlexshard } from "../reproduce/flexshard/reproduce.js";
import { EXIT } from "./exit-status.js";
import { UsageError } from "./failure.js";
import { showFlexShard } from "./show/flexshard.js";
import { showAutoShard } from "./show/reproduced-autoshard.js";
import { showDmt } from "./show/reproduced-dmt.js";
import { StatusLine } from "./show/status-line.js";
import { note, writeResult } from "./streams.js";

export interface ReproduceOptions {
  readonly json?: boolean;
  /** Seconds for the whole command; no limit where absent. */
  readonly timeLimit?: number;
  /** What takes long is left out or cut short. */
  readonly quick?: boolean;
}

/** What a paper's reproduction comes to: its text, plain data, and whether everything in it is done and proved. */
interface Reproduced {
  readonly data: object;
  readonly text: string;
  readonly isWhole: boolean;
}

const PAPERS: Readonly<Record<string, (quick: boolean, shouldStop: () => boolean) => Promise<Reproduced>>> = {
  flexshard,
  autoshard,
  dmt,
};

/** `shardproof reproduce PAPER`. */
export async function runReproduce(paper: string, options: ReproduceOptions): Promise<number> {
  const { json = false, timeLimit = Number.POSITIVE_INFINITY, quick = false } = options;
  const known = Object.keys(PAPERS);
  const reproduce = known.includes(paper) ? PAPERS[paper] : undefined;
  if (reproduce === undefined) {
    const nearest = nearestWord(paper, known);
    const advice = nearest === undefined ? `known here: ${known.join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`there is nothing to reproduce of "${paper}"; ${advice}`);
  }
  const end = performance.now() + 1000 * timeLimit;
  const { data, text, isWhole } = await reproduce(quick, () => performance.now() >= end);
  await writeResult(json ? `${JSON.stringify(data, null, 2)}\n` : text);
  return isWhole ? EXIT.solved : EXIT.notProved;
}

async function flexshard(quick: boolean, shouldStop: () => boolean): Promise<Reproduced> {
  if (!quick) note("solving four models under three objectives …", false);
  const data = await reproduceFlexshard({ optima: !quick, shouldStop });
  const optima = data.models.flatMap((model) => model.optima);
  return { data, text: showFlexShard(data), isWhole: optima.every(({ status }) => status === "proved") };
}

async function autoshard(quick: boolean, shouldStop: () => boolean): Promise<Reproduced> {
  const line = new StatusLine(false);
  try {
    const data = await reproduceAutoShard({ quick, shouldStop, onStep: (what) => line.show(() => [what]) });
    const isWhole = data.claims.every(({ holds }) => holds !== null) && data.reward !== null && data.splits !== null;
    return { data, text: showAutoShard(data), isWhole };
  } finally {
    line.clear();
  }
}

async function dmt(): Promise<Reproduced> {
  const data = await reproduceDmt();
  return { data, text: showDmt(data), isWhole: true };
}
