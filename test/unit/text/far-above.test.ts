import { expect, test } from "vitest";
import { gapOf, gapText } from "../../../src/text/optimality.js";
import { aboveText, aboveWhat, bytesInUnits } from "../../../src/text/units.js";

test("beyond ten times a value is told by its factor", () => {
  expect([0.069, 9, 118.708].map((share) => aboveWhat(share, "the bound"))).toEqual([
    "6.9 % above the bound",
    "900.0 % above the bound",
    "120 times the bound",
  ]);
  expect(aboveText(2310.6)).toBe("2,312 times");
});

test("a gap is a share of the bound, never less than it is, whichever way is better", () => {
  expect(gapText({ value: 4, bound: 3, gap: 0.25 })).toBe("33.4 %");
  expect(gapText({ value: 3, bound: 4, gap: 1 / 3 })).toBe("25.1 %");
  expect(gapText({ value: 1, bound: 1 - 2.35e-7, gap: 2.35e-7 })).toBe("2.4e-7");
  expect(gapText({ value: 100, bound: 1, gap: 0.99 })).toBe("100 times");
  expect([gapText({ value: 1, bound: 1, gap: 0 }), gapOf({ value: 1, bound: 1, gap: 0 })]).toEqual(["0", ""]);
  const across = { value: 2, bound: -1, gap: 1.5 };
  expect(gapText(across) + gapOf(across)).toBe("150.0 % of the value");
});

test("bytes of a sentence are in units, unless two would read alike", () => {
  expect(bytesInUnits("the memory of device 0 is exceeded by 856934905 bytes")).toBe(
    "the memory of device 0 is exceeded by 817.2 MiB",
  );
  expect(bytesInUnits("tables need 8589934592 bytes; the device has 4294967296; 3 tables")).toBe(
    "tables need 8.000 GiB; the device has 4.000 GiB; 3 tables",
  );
  expect(bytesInUnits("the device has 1000000; 924832 bytes more are enough")).toBe(
    "the device has 976.6 KiB; 903.2 KiB more are enough",
  );
  const others = "table a has 100000 rows; its cost is 12345.5; that is 20000 of them";
  expect(bytesInUnits(others)).toBe(others);
  const alike = "tables need 8589934593 bytes; the device has 8589934592";
  expect(bytesInUnits(alike)).toBe(alike);
  expect(bytesInUnits("table item_12345678 needs 1156 bytes")).toBe("table item_12345678 needs 1156 bytes");
});
