import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readLp } from "../../../src/program/lp/read.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { certificateOf, refusalOf } from "./side-conditions/false-proof.js";

test("the README's certificate proves its claim and no more", () => {
  const text = readFileSync("src/proof/README.md", "utf8");
  const { claim, steps } = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] as string);
  const model = /^ {4}(Maximize.*)$/m.exec(text)?.[1] as string;
  const lines = model.replace(/ {4}/g, "\n").replace(/(Maximize|Subject To|Bounds|General) /g, "$1\n ");
  const program = readLp(`${lines.replace(", ", "\n ")}\nEnd\n`, "readme.lp");
  expect(checkCertificate(program, certificateOf(program, claim.bound, steps)).bound?.toString()).toBe("9");
  expect(refusalOf(program, certificateOf(program, "8", steps))).toContain(
    "the multipliers prove -9, below the claim of -8",
  );
});
