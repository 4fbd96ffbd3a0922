import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StatusLine } from "../../../src/cli/terminal/status-line.js";

const { isTTY, columns } = process.stderr;
const ERASE = "\r\u001b[2K";
let written: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv("TERM", "xterm");
  written = [];
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

test("nothing for a second, then what is going on, then nothing again", () => {
  const line = new StatusLine(false);
  line.show(() => ["best 3"]);
  vi.advanceTimersByTime(900);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(150);
  expect(written).toEqual([`${ERASE}1 s  ·  best 3`]);
  line.clear();
  expect(written.at(-1)).toBe(ERASE);
  vi.advanceTimersByTime(5000);
  expect(written).toHaveLength(2);
});

test("seconds go on while the work says nothing", () => {
  const line = new StatusLine(false);
  vi.advanceTimersByTime(1200);
  expect(written.at(-1)).toBe(`${ERASE}1 s  ·  working`);
  vi.advanceTimersByTime(2000);
  expect(written.at(-1)).toBe(`${ERASE}3 s  ·  working`);
  line.clear();
});

test("as lines, one below another every few seconds, on what is no terminal too", () => {
  Object.assign(process.stderr, { isTTY: false });
  const line = new StatusLine(true, true);
  line.show(() => ["best 3"]);
  vi.advanceTimersByTime(7300);
  expect(written).toEqual(["1 s  ·  best 3\n", "4 s  ·  best 3\n", "7 s  ·  best 3\n"]);
  line.clear();
  expect(written).toHaveLength(3);
});

test("a line that is hidden comes back", () => {
  const line = new StatusLine(false);
  vi.advanceTimersByTime(1200);
  line.hide();
  expect(written.at(-1)).toBe(ERASE);
  vi.advanceTimersByTime(400);
  expect(written.at(-1)).toMatch(/working/);
  line.clear();
});

test("no more than the terminal's line holds: what is in the next one would stay", () => {
  process.stderr.columns = 20;
  const line = new StatusLine(false);
  line.show(() => ["9 nodes (4 open)", "best 12.5 ms"]);
  vi.advanceTimersByTime(1050);
  expect(written).toEqual([`${ERASE}1 s  ·  9 nodes (4…`]);
  expect((written[0] as string).length - ERASE.length).toBe(19);
  line.clear();
});

test.each([
  ["quiet", true, { isTTY: true }, "xterm"],
  ["no terminal", false, { isTTY: false }, "xterm"],
  ["a terminal that cannot erase", false, { isTTY: true }, "dumb"],
])("nothing at all: %s", (_, quiet, stream, term) => {
  Object.assign(process.stderr, stream);
  vi.stubEnv("TERM", term);
  const line = new StatusLine(quiet);
  line.show(() => ["best 3"]);
  vi.advanceTimersByTime(5000);
  line.clear();
  expect(written).toEqual([]);
});
