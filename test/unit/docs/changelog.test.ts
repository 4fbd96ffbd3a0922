import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The parts of the change log: what each is of, its day, and its lines. */
const [head = "", ...parts] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
const releases = parts.map((part) => {
  const [title = "", ...lines] = part.trimEnd().split("\n");
  const [, version = title, day = ""] = /^(\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$/.exec(title) ?? [];
  return { version, day, lines };
});
const released = releases.filter(({ version }) => version !== "Unreleased");
const versionIn = (file: string, pattern: RegExp) => pattern.exec(readFileSync(file, "utf8"))?.[1];

test("releases have versions and days, the newest first, and everything that has a version has that of the first", () => {
  expect(head.split("\n").length).toBeLessThan(8);
  const versions = released.map(({ version }) => version);
  expect(versions.length).toBeGreaterThan(4);
  expect(versions).toEqual(versions.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true })));
  const days = released.map(({ day }) => day);
  expect(days).toEqual([...days].sort().reverse());
  expect(days.every((day) => day !== "")).toBe(true);
  const json = /^ {2}"version": "(.*)"/m;
  const newest = released[0]?.version;
  expect(versionIn("package.json", json)).toBe(newest);
  expect(versionIn("package-lock.json", json)).toBe(newest);
  expect(versionIn("python/pyproject.toml", /^version = "(.*)"/m)).toBe(newest);
});

test.each(releases)("$version fits a screen", ({ lines }) => {
  expect(lines.length).toBeLessThanOrEqual(50);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});
