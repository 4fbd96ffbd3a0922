import { afterEach, describe, expect, test } from "vitest";
import { columnGroups, facts, table } from "../../../src/terminal/table.js";

const { isTTY, columns } = process.stdout;

/** As if standard output were a terminal of so many columns. */
function terminal(width: number): void {
  Object.assign(process.stdout, { isTTY: true, columns: width });
}

afterEach(() => {
  Object.assign(process.stdout, { isTTY, columns });
});

const HEAD = ["table", "tier", "rows", "memory", "seconds"];
const ROWS = [
  ["history", "flex", "694,704", "1.780 GiB", "17.44"],
  ["", "row_wise", "29,072,608", "3.488 GiB", "111.3"],
];

const WHOLE = [
  "  table    tier            rows     memory  seconds",
  "  history  flex         694,704  1.780 GiB    17.44",
  "           row_wise  29,072,608  3.488 GiB    111.3",
].join("\n");

describe("a table", () => {
  test("is in one piece where standard output is no terminal, and where the terminal is wide enough", () => {
    Object.assign(process.stdout, { isTTY: false, columns: 20 });
    expect(table(HEAD, ROWS, "llrrr")).toBe(WHOLE);
    terminal(51);
    expect(table(HEAD, ROWS, "llrrr")).toBe(WHOLE);
  });

  test("goes on below beside its names, on a terminal that is a column too narrow", () => {
    terminal(50);
    expect(table(HEAD, ROWS, "llrrr").split("\n")).toEqual([
      "  table    tier            rows     memory",
      "  history  flex         694,704  1.780 GiB",
      "           row_wise  29,072,608  3.488 GiB",
      "",
      "  table    tier      seconds",
      "  history  flex        17.44",
      "           row_wise    111.3",
    ]);
  });

  test("has every column once, however narrow the terminal", () => {
    for (let room = 1; room < 80; room++) {
      const groups = columnGroups([7, 8, 10, 9, 7], 2, room);
      expect(groups.flatMap((group) => group.slice(2))).toEqual([2, 3, 4]);
      for (const group of groups) expect(group.slice(0, 2)).toEqual([0, 1]);
    }
    expect(columnGroups([7], 1, 3)).toEqual([[0]]);
  });
});

describe("facts", () => {
  const PAIRS = [
    ["value", "12.5 ms per iteration, all collectives one after the other"],
    ["bound", "12.5 ms"],
  ] as const;

  test("are one line each where standard output is no terminal", () => {
    expect(facts(PAIRS).split("\n")).toEqual([
      "  value  12.5 ms per iteration, all collectives one after the other",
      "  bound  12.5 ms",
    ]);
  });

  test("go on below their own beginning on a narrow terminal, broken between words", () => {
    terminal(40);
    expect(facts(PAIRS).split("\n")).toEqual([
      "  value  12.5 ms per iteration, all",
      "         collectives one after the other",
      "  bound  12.5 ms",
    ]);
  });
});
