import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { hasResult, type JobLine, lineId, resultFile } from "../../../src/study/job.js";

const LINE: Omit<JobLine, "id"> = {
  instance: { file: "a.yaml", sha256: "0".repeat(64), name: "a", problem: "row-tiers" },
  vary: {},
  method: "optimal",
  gap: 1e-9,
  seed: 0,
  timeLimitSeconds: 60,
};

test("a line's id is of what its result depends on, and of nothing else", () => {
  const id = lineId(LINE, "1.0.0");
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  const moved = { ...LINE, instance: { ...LINE.instance, file: "elsewhere/b.yaml", name: "b" }, vary: { budget: 1 } };
  expect(lineId(moved, "1.0.0")).toBe(id);
  const module = { file: "mine.mjs", sha256: "1".repeat(64) };
  const others = [
    lineId(LINE, "1.0.1"),
    lineId({ ...LINE, instance: { ...LINE.instance, sha256: "2".repeat(64) } }, "1.0.0"),
    lineId({ ...LINE, method: "row-wise" }, "1.0.0"),
    lineId({ ...LINE, gap: 0 }, "1.0.0"),
    lineId({ ...LINE, seed: 1 }, "1.0.0"),
    lineId({ ...LINE, timeLimitSeconds: 61 }, "1.0.0"),
    lineId({ ...LINE, module }, "1.0.0"),
    lineId({ ...LINE, module: { ...module, sha256: "3".repeat(64) } }, "1.0.0"),
  ];
  expect(new Set([id, ...others]).size).toBe(9);
});

test("a result that is not whole is no result", () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const line = { id: "a".repeat(64) };
  const file = join(folder, resultFile(line));
  mkdirSync(dirname(file), { recursive: true });
  expect(hasResult(folder, line)).toBe(false);
  const text = writePlan({ shardproof: 1, tables: [{ name: "a" }] });
  for (const cut of ["", "\n", text.slice(0, -1), text.slice(0, 12), "\0".repeat(text.length)]) {
    writeFileSync(file, cut);
    expect(hasResult(folder, line)).toBe(false);
  }
  writeFileSync(file, text);
  expect(hasResult(folder, line)).toBe(true);
});
