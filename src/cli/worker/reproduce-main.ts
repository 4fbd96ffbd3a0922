import { isWholeJoint } from "../../reproduce/joint/freedoms.js";
import type { Paper } from "../../reproduce/paper-names.js";
import type { Reproduced } from "../../reproduce/papers/paper.js";
import type { WorkerFailure } from "./protocol.js";
import type { Send } from "./run-thread.js";
import { StopFlag } from "./stop.js";

/** What is to be reproduced. */
export interface ReproduceTask {
  readonly papers: readonly Paper[];
  /** What takes long is left out or cut short. */
  readonly quick: boolean;
  /** When the time limit is over, in milliseconds since 1970. */
  readonly endsAt: number;
}

export type ReproduceMessage =
  | { readonly type: "progress"; readonly what: string }
  | { readonly type: "reproduced"; readonly reproduced: readonly Reproduced[] }
  | { readonly type: "failure"; readonly error: WorkerFailure };

export interface ReproduceControl {
  /** `true` ends it with what is done by then. */
  readonly shouldStop: () => boolean;
  /** Told how far the work is, for a person who waits. */
  readonly tell: (what: string) => void;
}

/** Reproduces: it does not return to the event loop, which the main thread keeps for signals. */
export async function work(
  { stop, ...task }: ReproduceTask & { readonly stop: SharedArrayBuffer },
  send: Send<ReproduceMessage>,
): Promise<void> {
  const flag = new StopFlag(stop);
  const reproduced = await reproducePapers(task, {
    shouldStop: () => flag.reason !== null,
    tell: (what) => send({ type: "progress", what }),
  });
  send({ type: "reproduced", reproduced });
}

/** Each paper's code is loaded when it is asked for. */
export async function reproducePapers(
  { papers, quick, endsAt }: ReproduceTask,
  { shouldStop: isStopped, tell }: ReproduceControl,
): Promise<readonly Reproduced[]> {
  const shouldStop = () => Date.now() >= endsAt || isStopped();
  const reproduced: Reproduced[] = [];
  for (const paper of papers) reproduced.push(await reproducePaper(paper, { quick, endsAt }, { shouldStop, tell }));
  return reproduced;
}

async function reproducePaper(
  paper: Paper,
  { quick, endsAt }: Pick<ReproduceTask, "quick" | "endsAt">,
  { shouldStop, tell }: ReproduceControl,
): Promise<Reproduced> {
  if (paper === "flexshard") {
    const { reproduceFlexshard } = await import("../../reproduce/flexshard/reproduce.js");
    const onModel = (model: string) => tell(`proving the optima of ${model}`);
    const secondsLeft = () => (endsAt - Date.now()) / 1000;
    return { paper, data: await reproduceFlexshard({ optima: !quick, secondsLeft, shouldStop, onModel }) };
  }
  if (paper === "autoshard") {
    const { reproduceAutoShard } = await import("../../reproduce/autoshard/reproduce.js");
    return { paper, data: await reproduceAutoShard({ quick, shouldStop, onStep: tell }) };
  }
  if (paper === "joint") {
    const { reproduceJoint } = await import("../../reproduce/joint/reproduce.js");
    return { paper, data: await reproduceJoint({ quick, shouldStop, onStep: tell }) };
  }
  return { paper, data: await (await import("../../reproduce/dmt/reproduce.js")).reproduceDmt() };
}

/** Whether everything in it is done, and proved where it is a proof. */
export function isWhole(reproduced: Reproduced): boolean {
  if (reproduced.paper === "dmt") return true;
  if (reproduced.paper === "flexshard") {
    return reproduced.data.models.every(({ optima }) => optima.every(({ status }) => status === "proved"));
  }
  if (reproduced.paper === "joint") return isWholeJoint(reproduced.data);
  const { claims, reward, splits } = reproduced.data;
  return claims.every(({ holds }) => holds !== null) && reward !== null && splits !== null;
}
