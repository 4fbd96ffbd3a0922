import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { lateFlags } from "../../../src/cli/v8-tiering.js";

test("V8 knows every flag that it is given", () => {
  const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  for (const flag of lateFlags(process.versions.v8)) expect(options).toContain(`  ${flag.split("=")[0]} (`);
});

test("Node 20 has a budget of its own for JavaScript, and from Node 22 on there is none", () => {
  expect(lateFlags("11.3.244.8-node.33")).toEqual(["--wasm-tiering-budget=300000000", "--interrupt-budget=700000"]);
  expect(lateFlags("12.4.254.21-node.33")).toEqual(["--wasm-tiering-budget=300000000"]);
});
