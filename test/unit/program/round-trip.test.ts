import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { programHash } from "../../../src/program/hash.js";
import { readLp } from "../../../src/program/lp/read.js";
import { writeLp } from "../../../src/program/lp/write.js";
import { readMps } from "../../../src/program/mps/read.js";
import { writeMps } from "../../../src/program/mps/write.js";
import { programs } from "./random-programs.js";

describe.each([
  ["MPS", writeMps, readMps],
  ["LP", writeLp, readLp],
])("%s round trip", (_, write, read) => {
  it("reads back the identical program, names, order and numbers", () => {
    fc.assert(
      fc.property(programs, (program) => {
        const back = read(write(program));
        expect(back).toEqual(program);
        expect(programHash(back)).toBe(programHash(program));
      }),
      { numRuns: 500 },
    );
  });

  it("writes the same text a second time", () => {
    fc.assert(
      fc.property(programs, (program) => {
        const text = write(program);
        expect(write(read(text))).toBe(text);
      }),
    );
  });
});
