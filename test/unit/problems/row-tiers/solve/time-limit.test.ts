import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder, writeHardInstance } from "../../../../cli/run-cli.js";
import { planRowTiers } from "../../../../support/planned.js";

/** Whether the first check finds its time over. */
let isLate = false;
let checks = 0;

vi.mock("../../../../../src/proof/check.js", async (load) => {
  const original = await load<typeof import("../../../../../src/proof/check.js")>();
  return {
    ...original,
    checkCertificate: (...[program, certificate, checkTime]: Parameters<typeof original.checkCertificate>) => {
      if (++checks === 1 && isLate) vi.spyOn(performance, "now").mockReturnValue(1e15);
      return original.checkCertificate(program, certificate, checkTime);
    },
  };
});

afterEach(() => vi.restoreAllMocks());

test("trees that there is no time to check leave the bound of the relaxations, checked", async () => {
  const file = writeHardInstance(temporaryFolder());
  const options = { workLimitSeconds: 0.15, timeLimitSeconds: 1e6, gap: 1e-12 };
  const whole = await planRowTiers(file, options);
  expect(checks).toBe(1);
  isLate = true;
  checks = 0;
  const late = await planRowTiers(file, options);
  expect(checks).toBe(2);
  expect(late.status).toBe("feasible");
  expect(late.certificate?.steps).not.toContainEqual(expect.objectContaining({ fix: expect.anything() }));
  expect(late.objective.bound).toBeLessThanOrEqual(whole.objective.bound as number);
  expect(late.objective.bound).toBeGreaterThan(0.99 * (whole.objective.bound as number));
});
