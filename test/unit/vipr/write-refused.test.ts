import { describe, expect, test } from "vitest";
import { programHash } from "../../../src/program/hash.js";
import { readLp } from "../../../src/program/lp/read.js";
import { type Certificate, CertificateError } from "../../../src/proof/certificate.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { InfeasiblePointError } from "../../../src/proof/verdict.js";
import { ViprUnsupportedError, writeVipr } from "../../../src/vipr/write.js";
import { certify, column, integer, minimise } from "./written-proofs.js";

test("a proof that raises a column by two rows at once, which is whole at some optimum only, is refused by name", () => {
  const program = readLp(
    `Maximize
 obj: 2 x0 - 1.5 x1 + 1.5 x2 - 4.5 x3 - z0 - 0.5 z1
Subject To
 r0: 2 x0 - x1 - 5 x2 + 4 x3 - z0 >= -4
 r1: 2 <= 5 x0 - 6 x1 + 6 x2 + x3 + z0 <= 10
 r2: 3 <= -5 x0 - 6 x1 + 4 x2 + 4 x3 - z0 <= 15
 r3: 12 <= -4 x0 - 4 x1 - 14 x2 + 8 x3 + 2 z1 <= 32
 r4: -2 <= -2 x0 + 6 x1 + 5 x2 + 2 x3 + z1 <= 1
 r5: 2 x0 - 5 x2 - 3 x3 - z1 <= 7
Bounds
 -2 <= x0 <= 5
 -1 <= x1 <= 4
 -1 <= x2 <= 4
 -1 <= x3 <= 2
 -8 <= z0 <= 5
 z1 free
Generals
 x0 x1 x2 x3
End
`,
    "a.lp",
  );
  const rows = {
    r1: "43899767009919/281474976710656",
    r3: "3522310717737021/9007199254740992",
    r4: "684319897507559/1125899906842624",
  };
  const certificate: Certificate = {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: { kind: "bound", bound: "11" },
    steps: [
      ...[{ propagate: {} }, { branch: "z1", at: "9" }, { propagate: {} }, { fix: rows }, { propagate: {} }],
      ...[{ branch: "x0", at: "1" }, { propagate: {} }, { bound: {} }, { bound: rows }, { propagate: {} }],
      { fix: { r2: "4608334502425639/18014398509481984", r3: "3246781126708941/18014398509481984" } },
      { propagate: {} },
      { bound: { r3: "3860228252031851/36028797018963968" } },
    ],
  };
  expect(checkCertificate(program, certificate).bound?.toString()).toBe("11");
  expect(() => writeVipr(program, certificate, null)).toThrow(ViprUnsupportedError);
  expect(() => writeVipr(program, certificate, null)).toThrow('the proof takes "z1" for an integer');
});

describe("what cannot be written", () => {
  const program = minimise([1], [column("x", 0, 9, true)], [{ name: "a", terms: [1], lower: integer(3) }]);
  const good = certify(program, { kind: "bound", bound: "3" }, [{ bound: { a: "1" } }]);

  test("an exchange, by its step", () => {
    const certificate = certify(program, { kind: "bound", bound: "3" }, [
      { propagate: {} },
      { exchange: {} },
      { bound: { a: "1" } },
    ]);
    expect(() => writeVipr(program, certificate, null)).toThrow(ViprUnsupportedError);
    expect(() => writeVipr(program, certificate, null)).toThrow(/^step 2 is "exchange"/);
  });

  test("a certificate that does not hold", () => {
    const certificate = certify(program, { kind: "bound", bound: "4" }, [{ bound: { a: "1" } }]);
    expect(() => writeVipr(program, certificate, null)).toThrow(CertificateError);
  });

  test("a point that breaks the program, or stands beside a proof that there is none", () => {
    expect(() => writeVipr(program, good, [integer(2)])).toThrow(InfeasiblePointError);
    const empty = minimise([1], [column("x", 0, 2, true)], [{ name: "a", terms: [1], lower: integer(3) }]);
    const certificate = certify(empty, { kind: "infeasible" }, [{ infeasible: { a: "1" } }]);
    expect(() => writeVipr(empty, certificate, [integer(2)])).toThrow(RangeError);
  });
});
