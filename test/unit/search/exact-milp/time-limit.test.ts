import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { seededRandom } from "../../../../src/exact/random.js";
import { Rational } from "../../../../src/exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../../../src/program/program.js";
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

/** Flow from one place to others over arcs that are paid for once used: rows alone bound what flows. */
function network(places: number): Program {
  const random = seededRandom(1);
  const arcs = Array.from({ length: 4 * places }, (_, k) => ({
    from: k < places ? random.integer(k + 1) : random.integer(places),
    to: (k < places ? k : random.integer(places)) + 1,
  }));
  const form = (one: readonly (readonly [number, number])[]) =>
    linearForm(one.map(([j, value]) => [j, Rational.of(BigInt(value))] as const));
  const flow = arcs.map((_, k) => ({ name: `flow${k}`, lower: Rational.zero, upper: null, integer: false }));
  const used = arcs.map((_, k) => ({ name: `used${k}`, lower: Rational.zero, upper: Rational.one, integer: true }));
  const demand = arcs.slice(0, places).map(() => 1 + random.integer(20));
  const total = demand.reduce((sum, one) => sum + one, 0);
  return makeProgram({
    name: "network",
    columns: [...flow, ...used],
    rows: [
      ...demand.map((value, p) => ({
        name: `place${p + 1}`,
        form: form(
          arcs.flatMap(({ from, to }, k) =>
            from === to ? [] : to === p + 1 ? [[k, 1]] : from === p + 1 ? [[k, -1]] : [],
          ),
        ),
        lower: Rational.of(BigInt(value)),
        upper: Rational.of(BigInt(value)),
      })),
      ...arcs.map((_, k) => ({
        name: `arc${k}`,
        form: form([
          [k, 1],
          [arcs.length + k, -total],
        ]),
        lower: null,
        upper: Rational.zero,
      })),
    ],
    objective: {
      name: "cost",
      sense: "minimize",
      form: form(
        arcs.flatMap((_, k) => [
          [k, 1 + random.integer(10)] as const,
          [arcs.length + k, 50 + random.integer(450)] as const,
        ]),
      ),
    },
  });
}

test.each([
  ["of knapsacks", program],
  ["of a network whose flow only rows bound", network(40)],
])("where there is no time for that either, the root's multipliers are checked: %s", async (_, program) => {
  perStep = 1e6;
  const { verdict, certificate } = await solveExactly(program, { timeLimitSeconds: LIMIT });
  expect(certificate?.steps.map((step) => Object.keys(step)[0])).toEqual(["propagate", "bound"]);
  expect(verdict?.status).toBe("feasible");
  expect(String(verdict?.bound)).toBe(certificate?.claim.kind === "bound" ? certificate.claim.bound : "none");
});
