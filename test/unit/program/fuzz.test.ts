import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { readLp } from "../../../src/program/lp/read.js";
import { writeLp } from "../../../src/program/lp/write.js";
import { readMps } from "../../../src/program/mps/read.js";
import { writeMps } from "../../../src/program/mps/write.js";
import { programs } from "./random-programs.js";

const pieces = fc.constantFrom(
  ..." |\n|\n |+|-|:|<=|>=|=|<|x0|R1|e|E9|1|0.5|1e30|inf|free|End|Bounds|st|bin|gen|[|*|\\|/|(|N|UP|BND|RHS|ROWS|ENDATA|'MARKER'|shardproof|scale|join".split(
    "|",
  ),
);

/** A written program with a few pieces of it replaced, removed or doubled. */
const damaged = (write: typeof writeMps) =>
  fc
    .tuple(
      programs,
      fc.array(fc.tuple(fc.nat(), fc.nat(8), fc.option(pieces, { nil: "" })), { minLength: 1, maxLength: 4 }),
    )
    .map(([program, edits]) =>
      edits.reduce((text, [at, length, piece]) => {
        const offset = at % (text.length + 1);
        return text.slice(0, offset) + piece + text.slice(offset + length);
      }, write(program)),
    );

describe.each([
  ["MPS", writeMps, readMps],
  ["LP", writeLp, readLp],
])("damaged %s files", (_, write, read) => {
  it("are read, or refused with a place inside the text", () => {
    fc.assert(
      fc.property(damaged(write), (text) => {
        let error: unknown;
        try {
          read(text);
          return;
        } catch (thrown) {
          error = thrown;
        }
        expect(error).toBeInstanceOf(InputError);
        const { place, message } = error as InputError;
        const lines = text.split("\n");
        expect(message).toMatch(/: expected .*(found|sensible size).*/);
        expect(place?.line).toBeGreaterThanOrEqual(1);
        expect(place?.line).toBeLessThanOrEqual(lines.length);
        const line = lines[(place?.line ?? 0) - 1] ?? "";
        expect(place?.column).toBeGreaterThanOrEqual(1);
        expect(place?.column).toBeLessThanOrEqual(line.length + 1);
      }),
      { numRuns: 1500 },
    );
  });
});
