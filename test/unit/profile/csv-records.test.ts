import fc from "fast-check";
import { expect, test } from "vitest";
import { CsvFault, CsvRecords } from "../../../src/profile/csv-records.js";

function read(text: string, delimiter = ",", isQuoted = true) {
  const reader = new CsvRecords(delimiter, isQuoted);
  const records = text.split("\n").flatMap((line) => {
    const record = reader.line(line);
    return record === undefined ? [] : [record];
  });
  reader.end();
  return records;
}

const texts = (text: string, delimiter?: string, isQuoted?: boolean) =>
  read(text, delimiter, isQuoted).map((record) => record.map((field) => field.text));

test("what is written in quotes comes back, whatever it holds", () => {
  const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "ü"), maxLength: 6 });
  const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, (records) => {
      const text = records.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")).join("\n");
      expect(texts(text)).toEqual(records);
    }),
  );
});

test("plain fields, empty ones, quotes in the middle, and other delimiters", () => {
  expect(texts('a,,c\n,\nab"c,"d"')).toEqual([
    ["a", "", "c"],
    ["", ""],
    ['ab"c', "d"],
  ]);
  expect(texts("a\tb,c", "\t")).toEqual([["a", "b,c"]]);
  expect(texts('["a", "b"]', "\u0001", false)).toEqual([['["a", "b"]']]);
});

test("every field has its place, also after a line break in quotes", () => {
  const places = read('a,"b\nc",d\ne').map((record) => record.map(({ place }) => [place.line, place.column]));
  expect(places).toEqual([
    [
      [1, 1],
      [1, 3],
      [2, 4],
    ],
    [[3, 1]],
  ]);
});

test.each([
  ['a,"b', { line: 1, column: 3 }, "expected a closing quote, received the end of the file; close it or double it"],
  [
    'a\n"b"c,d',
    { line: 2, column: 4 },
    'expected a comma after the closing quote, received "c"; double the quotes inside a field',
  ],
])("%j is no CSV", (text, place, message) => {
  let fault: unknown;
  try {
    read(text);
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(CsvFault);
  expect(fault).toMatchObject({ place, message });
});
