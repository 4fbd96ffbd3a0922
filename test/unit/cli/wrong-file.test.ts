import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { wrongFileHint } from "../../../src/cli/commands/wrong-file.js";
import { fileError } from "../../../src/errors/file-error.js";
import { InputError } from "../../../src/errors/input-error.js";
import { writePlanFile } from "../../cli/run-cli.js";

test("a file that could not be written has no hint about what stood in it before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [instance, plan] = ["instances/tiny/two-tiers.yaml", join(folder, "plan.json")];
  await writePlanFile(plan, instance);
  const full = fileError({ code: "ENOSPC" }, plan, "a file that can be written");
  expect(full.message).toBe(`${plan}: expected a file that can be written, received no space left`);
  expect(wrongFileHint(["plan", instance, "--out", plan], full)).toBeNull();
  expect(wrongFileHint(["plan", plan], new InputError("expected an instance", plan))).toMatch(/^this is a plan: /);
});

test("an instance is no wrong file where --instance names it", () => {
  const instance = "instances/tiny/two-tiers.yaml";
  const error = new InputError("expected fewer rows", instance);
  expect(wrongFileHint(["export", "plan.json", "--instance", instance], error)).toBeNull();
  expect(wrongFileHint(["export", instance, "--to", "vipr"], error)).toMatch(/^this is an instance: /);
  expect(wrongFileHint(["import", "torchrec", instance], error)).toMatch(/^this is an instance: make its plan/);
});
