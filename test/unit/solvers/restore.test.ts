import { describe, expect, it } from "vitest";
import { dualTolerances, restoreClaim } from "../../../src/solvers/restore.js";
import { scaleProgram } from "../../../src/solvers/scaling.js";
import { workerUrl } from "../../../src/solvers/worker/worker-client.js";
import { written } from "../../conformance/written-program.js";

const scaling = scaleProgram(
  written({ maximize: "x + 10", rows: ["1/2 x + 1/2 y <= 3"], columns: { x: ["0", "4"], y: ["0", null] } }),
);

describe("restoreClaim", () => {
  it("leads values, objective, bound and duals back to the program's units and sense", () => {
    // In scaled units: minimise -x with x + y <= 6.
    const answer = { status: "optimal", point: Float64Array.of(4, 0), objective: -4, bound: -5 } as const;
    const claim = restoreClaim(scaling, { ...answer, rowDuals: Float64Array.of(-0.25) }, "s", 1);
    expect(claim).toMatchObject({ solver: "s", status: "optimal", primalBound: 14, dualBound: 15, seconds: 1 });
    expect(claim.rowDuals).toEqual(Float64Array.of(0.5));
    // c = Aᵀy + d: 1 = 1/2·1/2 + 3/4 and 0 = 1/2·1/2 − 1/4.
    expect(claim.reducedCosts).toEqual(Float64Array.of(0.75, -0.25));
  });

  it("moves values onto bounds that they overstep by less than the tolerance, and no further", () => {
    const at = (x: number, y: number) => {
      const answer = { status: "feasible", point: Float64Array.of(x, y), objective: -x } as const;
      return restoreClaim(scaling, answer, "s", 0).point;
    };
    expect(at(4 + 5e-7, -5e-7)).toEqual(Float64Array.of(4, 0));
    expect(at(4.1, -0.1)).toEqual(Float64Array.of(4.1, -0.1));
    expect(at(4 - 5e-7, 5e-7)).toEqual(Float64Array.of(4 - 5e-7, 5e-7));
  });

  it("zeroes a dual whose sign no bound allows within the tolerance, and no further", () => {
    const dual = (y: number) => {
      const answer = { status: "optimal", rowDuals: Float64Array.of(y), point: Float64Array.of(4, 0) } as const;
      return restoreClaim(scaling, answer, "s", 0).rowDuals?.[0];
    };
    expect(dual(5e-7)).toBeCloseTo(0, 20);
    expect(dual(0.5)).toBe(-1);
  });

  it("leaves out bounds that are infinite", () => {
    const claim = restoreClaim(scaling, { status: "unknown", bound: Number.NEGATIVE_INFINITY }, "s", 0);
    expect(claim).toEqual({ solver: "s", status: "unknown", seconds: 0 });
  });
});

describe("dualTolerances", () => {
  it("are the solvers' tolerance in the program's units, as duals are led back", () => {
    const { columns, rows } = dualTolerances(scaling);
    const answer = { status: "optimal", rowDuals: Float64Array.of(-1e-6), point: Float64Array.of(4, 0) } as const;
    expect(rows).toEqual(restoreClaim(scaling, answer, "s", 0).rowDuals);
    // x and y are not scaled, and the objective by −1.
    expect(columns).toEqual(Float64Array.of(1e-6, 1e-6));
  });
});

describe("workerUrl", () => {
  it("is the neighbour once built, and the one in dist for TypeScript source", () => {
    expect(workerUrl("file:///app/dist/src/solvers/worker/worker-client.js").pathname).toBe(
      "/app/dist/src/solvers/worker/main.js",
    );
    expect(workerUrl().pathname).toMatch(/\/dist\/src\/solvers\/worker\/main\.js$/);
  });

  it("says what to do when nothing is built", () => {
    expect(() => workerUrl("file:///nowhere/src/solvers/worker/worker-url.ts")).toThrow(/npm run build/);
  });
});
