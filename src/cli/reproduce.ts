import { nearestWord } from "../errors/nearest.js";
import { reproduceAutoShard } from "../reproduce/autoshard/reproduce.js";
import { reproduceDmt } from "../reproduce/dmt/reproduce.js";
import { reproduceFlexshard } from "../reproduce/flexshard/reproduce.js";
import { EXIT } from "./exit-status.js";
import { UsageError } from "./failure.js";
import { PAPERS, type Paper } from "./papers.js";
import { showFlexShard } from "./show/flexshard.js";
import { showAutoShard } from "./show/reproduced-autoshard.js";
import { showDmt } from "./show/reproduced-dmt.js";
import { StatusLine } from "./show/status-line.js";
import { writeResult } from "./streams.js";

export interface ReproduceOptions {
  readonly json?: boolean;
  /** Seconds for the whole command; no limit where absent. */
  readonly timeLimit?: number;
  /** What takes long is left out or cut short. */
  readonly quick?: boolean;
  readonly quiet?: boolean;
}

/** What a paper's reproduction comes to: its text, plain data, and whether everything in it is done and proved. */
interface Reproduced {
  readonly data: object;
  readonly text: string;
  readonly isWhole: boolean;
}

/** How far the work is, for a person who waits. */
type Tell = (what: string) => void;

const REPRODUCTIONS: Readonly<
  Record<Paper, (quick: boolean, shouldStop: () => boolean, tell: Tell) => Promise<Reproduced>>
> = {
  flexshard,
  autoshard,
  dmt,
};

/** `shardproof reproduce PAPER`. */
export async function runReproduce(paper: string, options: ReproduceOptions): Promise<number> {
  const { json = false, timeLimit = Number.POSITIVE_INFINITY, quick = false, quiet = false } = options;
  const known = PAPERS.find((name) => name === paper);
  if (known === undefined) {
    const nearest = nearestWord(paper, PAPERS);
    const advice = nearest === undefined ? `known here: ${PAPERS.join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`there is nothing to reproduce of "${paper}"; ${advice}`);
  }
  const end = performance.now() + 1000 * timeLimit;
  const line = new StatusLine(quiet);
  const { data, text, isWhole } = await REPRODUCTIONS[known](
    quick,
    () => performance.now() >= end,
    (what) => line.show(() => [what]),
  ).finally(() => line.clear());
  await writeResult(json ? `${JSON.stringify(data, null, 2)}\n` : text);
  return isWhole ? EXIT.solved : EXIT.notProved;
}

async function flexshard(quick: boolean, shouldStop: () => boolean, tell: Tell): Promise<Reproduced> {
  const data = await reproduceFlexshard({
    optima: !quick,
    shouldStop,
    onModel: (model) => tell(`proving the optima of ${model}`),
  });
  const optima = data.models.flatMap((model) => model.optima);
  return { data, text: showFlexShard(data), isWhole: optima.every(({ status }) => status === "proved") };
}

async function autoshard(quick: boolean, shouldStop: () => boolean, tell: Tell): Promise<Reproduced> {
  const data = await reproduceAutoShard({ quick, shouldStop, onStep: tell });
  const isWhole = data.claims.every(({ holds }) => holds !== null) && data.reward !== null && data.splits !== null;
  return { data, text: showAutoShard(data), isWhole };
}

async function dmt(): Promise<Reproduced> {
  const data = await reproduceDmt();
  return { data, text: showDmt(data), isWhole: true };
}
