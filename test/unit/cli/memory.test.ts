import { writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidArgumentError } from "commander";
import { expect, test, vi } from "vitest";
import { memoryBytes } from "../../../src/cli/tables/readers.js";
import { defaultMemoryLimit } from "../../../src/cli/terminal/memory-limit.js";
import { watchMemory } from "../../../src/cli/worker/stop.js";
import { temporaryFolder } from "../../cli/run-cli.js";

test.each([
  ["2000000000", 2e9],
  ["2e9", 2e9],
  ["1.5GiB", 1.5 * 2 ** 30],
  ["500 mb", 5e8],
  ["64KiB", 65536],
  ["7B", 7],
])("%s is a number of bytes", (text, bytes) => {
  expect(memoryBytes(text)).toBe(bytes);
});

test.each(["", "GiB", "-2GB", "0", "1 elephant", "1e999", "0.2"])("%j is none", (text) => {
  expect(() => memoryBytes(text)).toThrow(InvalidArgumentError);
});

test("the default leaves the machine a part of its memory", () => {
  expect(defaultMemoryLimit()).toBeLessThan(0.8 * totalmem());
  expect(defaultMemoryLimit()).toBeGreaterThan(2 ** 26);
});

test("memory that nears its limit is told of once, and memory beyond it once more", () => {
  vi.useFakeTimers();
  let used = 0;
  const told: string[] = [];
  const events = { onNear: () => told.push("near"), onOver: () => told.push("over") };
  const watch = watchMemory(1000, events, () => used);
  const at = (bytes: number) => {
    used = bytes;
    vi.advanceTimersByTime(1000);
    return told.join();
  };
  expect(at(600)).toBe("");
  expect(at(800)).toBe("near");
  expect(at(1000)).toBe("near");
  expect(at(1001)).toBe("near,over");
  expect(at(2000)).toBe("near,over");
  watch.end();
  watchMemory(1000, events, () => used).end();
  expect(at(3000)).toBe("near,over");
  vi.useRealTimers();
});

test("a thread whose heap is full ends with one line and exit status 3", async () => {
  const file = join(temporaryFolder(), "hoard.mjs");
  const hoarding = "const all = []; for (;;) all.push(new Array(1000).fill(all.length + 0.5).map(String));";
  writeFileSync(file, `export function work() { ${hoarding} }`);
  const limits = { memoryLimitBytes: 80 * 2 ** 20, signal: new AbortController().signal };
  // Threads are started by the built program.
  const built = (name: string) => import(/* @vite-ignore */ pathToFileURL(resolve(`build/src/cli/${name}`)).href);
  const { runThread } = await built("worker/run-thread.js");
  const error = await runThread(pathToFileURL(file), {}, () => {}, limits).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "MemoryLimitError" });
  const { failureOf } = await built("terminal/failure.js");
  expect(failureOf(error)).toMatchObject({ exitStatus: 3, message: expect.stringMatching(/of 80(\.0+)? MiB/) });
});
