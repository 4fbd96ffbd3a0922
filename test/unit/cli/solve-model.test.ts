import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("../../../src/vipr/write.js");
  vi.resetModules();
});

test("a fault of the writer of VIPR comes beside the answer, as a fault", async () => {
  vi.doMock("../../../src/vipr/write.js", async (original) => ({
    ...(await original<object>()),
    writeVipr: () => {
      throw new TypeError("something the writer did not expect");
    },
  }));
  const { solveModel } = await import("../../../src/cli/worker/solve-model.js");
  const file = join("instances/programs", "production.lp");
  const { solution, certificate } = await solveModel(file, { certificateFile: "proof.vipr" });
  expect(solution.status).toBe("proved");
  expect(solution.certificate).not.toBeNull();
  expect(certificate).toEqual({ problem: "something the writer did not expect", isFault: true });
});
