import { expect, test } from "vitest";
import { sqlText } from "../../../src/access/duckdb/open.js";
import { seededRandom } from "../../../src/exact/random.js";
import { isListSql, listFault } from "../../../src/profile/ids.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";

const PARTS = ["[", "]", '"', "'", "1", "ab", " ", ",", "|", "\t", "\u00a0", "\n", "é"];

test.skipIf(duckDb === undefined)(
  "what SQL takes for no list has a place in it, and what it takes for one has none",
  async () => {
    const random = seededRandom(1);
    const drawn = Array.from({ length: 3000 }, () => {
      const text = Array.from(
        { length: Math.floor(random.next() * 7) },
        () => PARTS[Math.floor(random.next() * PARTS.length)],
      ).join("");
      return random.next() < 0.5 ? text : `[${text}]`;
    });
    const rows = await withDuckDb(async (connection) => {
      const values = drawn.map((text, k) => `(${k}, ${sqlText(text)})`).join(", ");
      const sql = `SELECT ${isListSql("t")} FROM (VALUES ${values}) AS drawn(k, t) ORDER BY k`;
      return (await connection.runAndReadAll(sql)).getRows();
    });
    const taken = rows.map(([isList]) => isList === true);
    expect(drawn.filter((text, k) => (listFault(text) === undefined) !== taken[k])).toEqual([]);
    expect(taken.filter((isList) => isList).length).toBeGreaterThan(300);
    expect(taken.filter((isList) => !isList).length).toBeGreaterThan(300);
  },
);
