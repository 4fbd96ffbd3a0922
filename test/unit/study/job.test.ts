import { expect, test } from "vitest";
import { type JobLine, lineId } from "../../../src/study/job.js";

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
