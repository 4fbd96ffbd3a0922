import { expect } from "vitest";
import { type Drawn, drawnPlacement } from "../../../../../../bench/drawn-instances.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { solvePlacement } from "../../../../../../src/problems/table-placement/solve/solve.js";
import type { Certificate } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { UNITS_PER_SECOND } from "../../../../../../src/search/work.js";
import { testInTurn } from "../../../../../support/draws.js";

const GAP = Rational.parse("1e-9");

const TWO_HOSTS: Drawn = { tables: 12, nodes: 2, gpus: 4, seed: 5 };
const ONE_HOST: Drawn = { tables: 20, nodes: 1, gpus: 8, seed: 11, memory: 1.3 };

const solved = (drawn: Drawn, seconds: number, without: readonly string[] = []) =>
  solvePlacement(drawnPlacement(drawn), {
    ...{ gap: GAP, seed: 0, without: new Set(without), timeLimitSeconds: 600 },
    ...{ workSeconds: seconds, mostUnits: seconds * UNITS_PER_SECOND },
  });

testInTurn(
  "twelve tables on two hosts of four GPUs are proved by branching on bases, and not without",
  async () => {
    const { verdict, certificate, direct } = await solved(TWO_HOSTS, 6);
    expect(verdict?.status).toBe("proved");
    const { bound } = checkCertificate(direct.program, certificate as Certificate);
    expect(bound?.equals(verdict?.bound as Rational)).toBe(true);
    const without = await solved(TWO_HOSTS, 6, ["base tree"]);
    expect(without.verdict?.status).toBe("feasible");
    expect(without.verdict?.value?.compare(verdict?.value as Rational)).toBeGreaterThanOrEqual(0);
  },
  300_000,
);

testInTurn(
  "twenty tables on one host whose memory is nearly full are proved by branching on its base, and not without",
  async () => {
    const { verdict } = await solved(ONE_HOST, 3);
    expect(verdict?.status).toBe("proved");
    const without = await solved(ONE_HOST, 3, ["base tree"]);
    expect(without.verdict?.status).toBe("feasible");
  },
);
