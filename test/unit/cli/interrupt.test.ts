import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { undoneByInterrupt, untilInterrupted } from "../../../src/cli/terminal/interrupt.js";
import { EXIT } from "../../../src/cli/terminal/streams.js";
import { temporaryFolder } from "../../cli/run-cli.js";

/** A thread that says that it was told to stop, and works on: for a second, so that no test leaves it behind. */
const DEAF = `export async function work({ stop }, send) {
  const flag = new Int32Array(stop);
  setInterval(() => {
    if (Atomics.load(flag, 0) !== 0) send({ type: "progress" });
  }, 5);
  setTimeout(() => process.exit(), 1000);
  await new Promise(() => {});
}`;

afterEach(() => vi.restoreAllMocks());

/** Runs the thread until it was told to stop, and then interrupts as often as is said; `true` if that ended the process. */
async function endsAfter(interrupts: number, limit: number | null): Promise<boolean> {
  // Near 70 % of it, work is asked to end.
  const memoryLimitBytes = limit ?? 1.4 * process.memoryUsage.rss();
  const entry = join(temporaryFolder(), "deaf.mjs");
  writeFileSync(entry, DEAF);
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  const options = { quiet: true, memoryLimitBytes, line: { hide() {} } };
  let told = () => {};
  const isTold = new Promise<void>((done) => {
    told = done;
  });
  // Threads are started by the built program.
  const { runStoppable } = await import(/* @vite-ignore */ pathToFileURL(resolve("build/src/cli/worker/stop.js")).href);
  const run = runStoppable(pathToFileURL(entry), {}, told, options).catch(() => null);
  const interrupt = () => process.emit("SIGINT");
  if (limit !== null) interrupt();
  await isTold;
  for (let sent = limit === null ? 0 : 1; sent < interrupts; sent++) interrupt();
  const [status] = exit.mock.calls[0] ?? [null];
  await run;
  return status === EXIT.interrupted;
}

test.each([
  ["an idle machine", Number.MAX_SAFE_INTEGER],
  ["memory that nears its limit", null],
])("with %s, the first Ctrl-C asks and the second ends at once", async (_, limit) => {
  expect(await endsAfter(1, limit)).toBe(false);
  expect(await endsAfter(2, limit)).toBe(true);
});

test("Ctrl-C while files are written is the work's, which ends by itself; where nobody else listens, all is undone", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const undone: string[] = [];
  /** Two files at a time, Ctrl-C between their beginning and their end. */
  const write = () =>
    Promise.all(
      ["first", "second"].map((name) =>
        undoneByInterrupt(
          () => undone.push(name),
          () => new Promise<void>((resolve) => setTimeout(resolve, 20)),
        ),
      ),
    );
  const interrupted = await untilInterrupted(async (signal) => {
    const written = write();
    process.emit("SIGINT", "SIGINT");
    await written;
    return signal.aborted;
  });
  expect([interrupted, undone, kill.mock.calls]).toEqual([true, [], []]);

  const others = process.listeners("SIGINT");
  process.removeAllListeners("SIGINT");
  const written = write();
  process.emit("SIGINT", "SIGINT");
  await written;
  for (const listener of others) process.on("SIGINT", listener);
  expect([undone, kill.mock.calls]).toEqual([["first", "second"], [[process.pid, "SIGINT"]]]);
});
