import { describe, expect, it } from "vitest";
import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { CsvCounts } from "../../../src/access/counts/csv-lines.js";
import { readTables } from "../../../src/cost/neural/read-data.js";
import { nearestWord } from "../../../src/errors/nearest.js";
import { Rational } from "../../../src/exact/rational.js";
import { decimalIn } from "../../../src/input/decimal.js";
import { firstInexactNumber, hasRepeatedKeys, parseJson, placeInJson } from "../../../src/input/json.js";
import { MAX_NESTED } from "../../../src/input/limits.js";
import { looksLikeVipr } from "../../../src/problems/program/verify-vipr.js";
import { parseDirective } from "../../../src/program/directives.js";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("parseJson", () => {
  it(`reads lists and maps ${MAX_NESTED} deep, and refuses deeper ones at their place`, () => {
    expect(JSON.stringify(parseJson(nested(MAX_NESTED), "f"))).toBe(nested(MAX_NESTED));
    expect(() => parseJson(`\n ${nested(MAX_NESTED + 1)}`, "f")).toThrow(
      /^f:2:1002: expected lists and maps nested at most/,
    );
  });

  it("counts no brackets in texts", () => {
    const text = JSON.stringify({ a: '[\\"['.repeat(5000) });
    expect(parseJson(text, "f")).toEqual(JSON.parse(text));
  });
});

describe("firstInexactNumber", () => {
  const exactly = (literal: string) => {
    const double = Number(literal);
    return Number.isFinite(double) && Rational.parse(literal).equals(Rational.parse(String(double)));
  };
  it.each([
    "0",
    "-0",
    "0.0",
    "0e5",
    "1",
    "-1",
    "10",
    "1e1",
    "1E+1",
    "100e-2",
    "0.10",
    "0.1",
    "1.5e3",
    "123456789012345678",
    "0.1000000000000000055",
    "9007199254740993",
    "1e22",
    "1e23",
    "5e-324",
    "4e-324",
    "1e400",
    "-1e-400",
    "12.50e-1",
    "0.00120",
  ])("judges %s as exact arithmetic does", (literal) => {
    expect(firstInexactNumber(`{"a 1e400":[${literal}]}`)).toBe(exactly(literal) ? null : literal);
  });

  it("says so of powers that nobody should compute", () => {
    expect(firstInexactNumber("[0e-99999, 0e999999999999999999999]")).toBeNull();
    expect(firstInexactNumber("[1e-100001]")).toBe("1e-100001");
  });
});

describe("placeInJson", () => {
  const text = '{\n  "a": [1, {"b\\"]": [[], "x", {"c": null}]}],\n "d" : {"e": {}}\n}';
  const value = JSON.parse(text);

  /** All paths of a JSON value. */
  function pathsOf(of: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
    if (typeof of !== "object" || of === null) return [at];
    return [
      at,
      ...Object.entries(of).flatMap(([key, one]) => pathsOf(one, [...at, Array.isArray(of) ? Number(key) : key])),
    ];
  }

  it("finds what the reader of YAML finds", () => {
    const counter = new LineCounter();
    const document = parseDocument(text, { lineCounter: counter });
    const node = (path: readonly (string | number)[]) =>
      path.reduce<unknown>((one, step) => {
        if (isSeq(one)) return one.items[step as number];
        return isMap(one) ? one.items.find(({ key }) => String(key) === step)?.value : undefined;
      }, document.contents);
    const paths = pathsOf(value);
    expect(paths.length).toBe(11);
    for (const path of paths) {
      const { line, col } = counter.linePos((node(path) as Node).range?.[0] as number);
      expect([path, placeInJson(text, path)]).toEqual([path, { line, column: col }]);
    }
  });

  it("finds keys, and the map around what is not there", () => {
    expect(placeInJson(text, ["d", "e"], true)).toEqual({ line: 3, column: 9 });
    expect(placeInJson(text, ["d", "f", "g"])).toEqual({ line: 3, column: 8 });
    expect(placeInJson(text, ["a", 7])).toEqual({ line: 2, column: 8 });
  });
});

describe("long texts take time in proportion", () => {
  const million = 1e6;
  const within = (work: () => unknown) => {
    const started = process.cpuUsage().user;
    const result = work();
    expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(5);
    return result;
  };

  it("texts and backslashes in JSON", () => {
    const text = JSON.stringify({ a: "\\".repeat(8 * million), b: '"'.repeat(4 * million) });
    expect(within(() => [hasRepeatedKeys(text, JSON.parse(text)), firstInexactNumber(text)])).toEqual([false, null]);
  });

  it("an unknown word of millions of letters", () => {
    expect(within(() => nearestWord("x".repeat(8 * million), ["rows", "columns"]))).toBeUndefined();
  });

  it("a comment with a million blanks", () => {
    const comment = ` shardproofs${" ".repeat(million)}x`;
    expect(within(() => parseDirective(comment, "f", () => ({ line: 1, column: 1 })))).toBeUndefined();
    const bad = ` shardproof scale${" ".repeat(million)}x`;
    expect(() => within(() => parseDirective(bad, "f", () => ({ line: 1, column: 1 })))).toThrow(/^f:1:1: expected/);
  });

  it("blanks and comments before VIPR's first word", () => {
    expect(within(() => looksLikeVipr(" ".repeat(16 * million)))).toBe(false);
    expect(within(() => looksLikeVipr(`${" \n% a comment\n".repeat(1000)}VER 1.1\n`))).toBe(true);
    expect(["VER 1.0", "% c\nVER\n", "%", "", "VERB 1", "x VER 1"].map(looksLikeVipr)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("a million digits in a file of counts", () => {
    const sink = { add: () => undefined };
    const counts = new CsvCounts({ path: "c.csv", tableRows: 1, sink });
    const line = new TextEncoder().encode(`${"1".repeat(million)}x\n`);
    expect(() => within(() => counts.chunk(line))).toThrow(/^c\.csv:1:1: expected a count.{0,1000}$/);
  });

  it("a million digits where a number is expected", () => {
    expect(within(() => decimalIn(`${"1".repeat(million)}x`))).toBeNaN();
    const header = `rows,poolingFactor,${Array.from({ length: 17 }, (_, bin) => `bin${bin}`).join()}`;
    const table = `${header}\n${"1".repeat(million)}x${",0".repeat(18)}\n`;
    expect(() => within(() => readTables(table, "t.csv"))).toThrow(/^t\.csv:2:1: rows: expected an integer/);
  });

  it.each<[string, number]>([
    ["1.", 1],
    ["+.5", 0.5],
    ["-1e400", Number.NEGATIVE_INFINITY],
    ...["", ".", "1e", "0x1", "1 2", "Infinity"].map((text): [string, number] => [text, Number.NaN]),
  ])("%o as a decimal number", (text, value) => {
    expect(decimalIn(text)).toBe(value);
  });
});
