import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drawnProgram } from "../../../../bench/drawn-programs.js";
import { readLp } from "../../../../src/program/lp/read.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";
import { knapsacks } from "../../../support/knapsacks.js";

/** A clock that every look at it takes on, so that time is work and not the machine's. */
const MILLISECONDS_PER_LOOK = 2;
let now = 0;

/** What checking a step takes on that clock, and when checks began and ended. */
let perStep = 0;
let checks: { from: number; to: number; steps: number }[] = [];

vi.mock("../../../../src/proof/check.js", async (load) => {
  const original = await load<typeof import("../../../../src/proof/check.js")>();
  return {
    ...original,
    checkCertificate: (...[program, certificate, checkTime]: Parameters<typeof original.checkCertificate>) => {
      const check = { from: now, to: Number.POSITIVE_INFINITY, steps: certificate.steps.length };
      checks.push(check);
      const checked = original.checkCertificate(program, certificate, () => {
        now += perStep;
        checkTime?.();
      });
      check.to = now;
      return checked;
    },
  };
});

beforeEach(() => {
  now = 0;
  checks = [];
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += MILLISECONDS_PER_LOOK;
    return now;
  });
});

afterEach(() => vi.restoreAllMocks());

const program = knapsacks(5, 40);
const LIMIT = 6;

test.each([
  ["quick", 1],
  ["as slow as the search", 12],
  ["several times as slow", 40],
])("a checker that is %s gets its time within the limit", async (_, milliseconds) => {
  perStep = milliseconds;
  const { verdict, isLate } = await solveExactly(program, { timeLimitSeconds: LIMIT });
  expect(isLate).toBe(true);
  expect(verdict?.status).toBe("feasible");
  expect(now).toBeLessThan(1000 * LIMIT * 1.1 + 1000);
});

test("a proof that there turns out to be no time for is not the answer: what the first nodes prove is", async () => {
  perStep = 1;
  const solving = solveExactly(program, {
    // The cuts of the root come before the nodes that are reported.
    timeLimitSeconds: 8 * LIMIT,
    // From the second search on every step takes a second.
    onProgress: () => {
      if (checks.length === 1) perStep = 1000;
    },
  });
  const { verdict, certificate, isLate } = await solving;
  expect(isLate).toBe(true);
  expect(checks.length).toBe(2);
  expect(checks[1]?.to).toBe(Number.POSITIVE_INFINITY);
  expect(certificate?.steps.length).toBe(checks[0]?.steps);
  expect(verdict?.status).toBe("feasible");
  expect(String(verdict?.bound)).toBe(certificate?.claim.kind === "bound" ? certificate.claim.bound : "none");
});

test.each([
  ["of knapsacks", program],
  ["of a network whose flow only rows bound", drawnProgram("fixed-charge", 1)],
])("where there is no time for that either, the root's multipliers are checked: %s", async (_, program) => {
  perStep = 1e6;
  const { verdict, certificate } = await solveExactly(program, { timeLimitSeconds: LIMIT });
  expect(certificate?.steps.map((step) => Object.keys(step)[0])).toEqual(["propagate", "bound"]);
  expect(verdict?.status).toBe("feasible");
  expect(String(verdict?.bound)).toBe(certificate?.claim.kind === "bound" ? certificate.claim.bound : "none");
});

// The root's multipliers, of a search that never came to its root, were claimed within bounds that leave nothing.
test("without any time, a program whose rows leave nothing is infeasible", async () => {
  const rows = "a: x + y >= 9\n b: x - y >= 5\n c: x + z <= 6\n d: y >= 3";
  const empty = readLp(`Minimize\n x + y + z\nSubject To\n ${rows}\nGeneral\n x y\nEnd\n`, "empty.lp");
  const { verdict, certificate } = await solveExactly(empty, { timeLimitSeconds: 0 });
  expect(verdict?.status).toBe("infeasible");
  expect(certificate?.steps).toEqual([{ propagate: {} }, { infeasible: {} }]);
});
