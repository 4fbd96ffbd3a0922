import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileError, fileReason } from "../../../src/errors/file-error.js";

const failure = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test("what the file system says, in words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-errors-"));
  try {
    expect(fileReason(await failure(readFile(join(folder, "none"))))).toBe("no such file");
    expect(fileReason(await failure(readFile(folder)))).toBe("a directory");
    const file = join(folder, "file");
    await writeFile(file, "");
    expect(fileReason(await failure(readFile(join(file, "inside"))))).toBe(
      "a path through something that is no directory",
    );
    expect(fileReason(await failure(writeFile(join(folder, "none", "file"), "")), "folder")).toBe("no such folder");
    expect(fileReason(await failure(readFile(join(folder, "x".repeat(400)))))).toBe("a name that is too long");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
  ["ENOSPC", "no space left"],
  ["EROFS", "a file system that is read-only"],
  ["EXYZ", "EXYZ"],
])("%s is %s", (code, words) => {
  expect(fileReason(Object.assign(new Error("said otherwise"), { code }))).toBe(words);
});

test("errors without a code say what they say", () => {
  expect(fileReason(new Error("something else"))).toBe("something else");
  expect(fileReason("a text")).toBe("a text");
});

test("an error of a file has the file, what was expected, what was there and what to do", () => {
  const missing = Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" });
  const error = fileError(missing, "plan.json", "a plan file that can be read");
  expect(error).toMatchObject({ name: "InputError", file: "plan.json" });
  expect(error.message).toBe("plan.json: expected a plan file that can be read, received no such file");
  const advised = fileError(missing, "out", "a folder that can be written to", { kind: "folder", advice: "make it" });
  expect(advised.message).toBe("out: expected a folder that can be written to, received no such folder; make it");
});
