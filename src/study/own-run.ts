import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Worker } from "node:worker_threads";
import { OwnEnd, type OwnGiven, type OwnLimits } from "../problems/own-method.js";

/** Milliseconds between two looks at whether to stop. */
const LOOK_MILLISECONDS = 50;

/** Bytes of a decision, at most. */
const MAX_OUTPUT_BYTES = 1 << 28;

/** What a thread does: one decision. As text, since it is no file of its own in a bundle. */
const THREAD = `
const { parentPort, workerData: { url, name, given } } = require("node:worker_threads");
const { console: said } = globalThis;
said.log = said.info = said.debug = said.error;
import(url)
  .then((exported) => exported[name](given))
  .then((decision) => parentPort.postMessage({ decision }))
  .catch((error) => parentPort.postMessage({ threw: error instanceof Error ? error.message : String(error) }));
`;

/**
 * Runs an export of a module in a thread of its own, which is ended at the limit whatever it does. What it is handed is
 * copied; where that holds more than data (a network that costs are asked of), it runs in this thread, which no limit ends.
 *
 * Throws what it threw, and for a limit that was reached.
 */
export async function decideInThread(url: string, name: string, given: OwnGiven, limits: OwnLimits): Promise<unknown> {
  let worker: Worker;
  try {
    // What it prints is no part of this program's result: its console tells on standard error, and nothing else is heard.
    worker = new Worker(THREAD, { eval: true, workerData: { url, name, given }, stdout: true });
    worker.stdout.resume();
  } catch (error) {
    if ((error as Error).name !== "DataCloneError") throw error;
    return (await import(url))[name](given);
  }
  const decided = new Promise((resolve, reject) => {
    worker.on("message", (message: { readonly decision?: unknown; readonly threw?: string }) =>
      message.threw === undefined ? resolve(message.decision) : reject(new Error(message.threw)),
    );
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new OwnEnd(`its thread ended without a decision (code ${code})`)));
  });
  try {
    return await within(decided, limits);
  } finally {
    await worker.terminate();
  }
}

/**
 * Runs a command of a shell in `folder`: what is given on its standard input, as JSON; its decision on its standard output,
 * as JSON. It is killed at the limit. Throws for a status that is not 0, with the end of what it told on standard error.
 */
export async function decideByCommand(
  command: string,
  folder: string,
  given: object,
  limits: OwnLimits,
): Promise<unknown> {
  const stdio = ["pipe", "pipe", "pipe", "pipe"] as const;
  const child = spawn("sh", ["-c", `${WATCH}\n${command}\n`], { cwd: folder, stdio: [...stdio], detached: true });
  const [stdin, stdout, stderr] = child.stdio as unknown as [Writable, Readable, Readable];
  const out: Buffer[] = [];
  let bytes = 0;
  let told = "";
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) reject(new OwnEnd(`it wrote more than ${MAX_OUTPUT_BYTES} bytes`));
    });
    stderr.on("data", (chunk: Buffer) => {
      told = (told + chunk.toString()).slice(-10_000);
    });
    child.on("exit", (code, signal) => {
      // Its output may be read after it is gone, unless a child of its own holds it.
      if (code === 0) return stdout.readableEnded ? resolve() : stdout.on("end", resolve);
      const last = told.trim().split("\n").at(-1) ?? "";
      reject(new OwnEnd(`it ended with ${code === null ? signal : `status ${code}`}${last === "" ? "" : `: ${last}`}`));
    });
  });
  // A command that reads nothing closes its end.
  stdin.on("error", () => {});
  stdin.end(JSON.stringify(given, plainly));
  try {
    await within(ended, limits);
  } finally {
    // The last of them is what the watch waits for.
    for (const stream of child.stdio) stream?.destroy();
  }
  const text = Buffer.concat(out).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    const start = text.trim().slice(0, 60);
    throw new OwnEnd(
      `expected a decision as JSON on standard output, received ${start === "" ? "nothing" : JSON.stringify(start)}`,
    );
  }
}

/**
 * Of all processes those that the shell `root` started and that left its group (`timeout` and job control make groups, `setsid`
 * sessions of their own): of its session, or below it.
 */
const OTHERS =
  "{ up[$1] = $2; group[$1] = $3; session[$1] = $4 } END { for (p in up) { if (group[p] == root) continue; q = p; while (q != root && q in up) q = up[q]; if (q == root || session[p] == root) print p } }";

/** Ends a command and all that it started, as soon as the other end of a pipe is closed: this thread may be ended itself. */
const WATCH = `{ cat <&3; kill -KILL $(ps -A -o pid= -o ppid= -o pgid= -o sess= | awk -v root=$$ '${OTHERS}'); kill -KILL 0; } </dev/null >/dev/null 2>&1 &
exec 3<&-`;

/** Arrays of numbers are arrays, and integers beyond doubles texts. */
function plainly(_: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  return typeof value === "bigint" ? String(value) : value;
}

async function within<T>(work: Promise<T>, { seconds, shouldStop = () => false }: OwnLimits): Promise<T> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (shouldStop()) reject(new OwnEnd("it was stopped before it had decided"));
      else if (performance.now() - started >= seconds * 1000)
        reject(new OwnEnd(`it had not decided after ${seconds} s, its time limit`));
    }, LOOK_MILLISECONDS);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearInterval(timer);
    // What ends it afterwards is nobody's to catch.
    work.catch(() => {});
  }
}
