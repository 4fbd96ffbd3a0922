import { describe, expect, test } from "vitest";
import { profileColumns } from "../../../src/profile/profile-columns.js";
import { duckDb } from "../../support/duckdb.js";
import { write } from "./support.js";

/** Rows and accesses of the column `a`. */
async function counted(text: string): Promise<readonly (number | undefined)[]> {
  const { columns } = await profileColumns([write("log.jsonl", text)], ["a"], { threads: 1 });
  return [columns[0]?.profile.rows, columns[0]?.profile.accesses];
}

describe.skipIf(duckDb === undefined)("lists of row ids in JSON", () => {
  test.each([
    ["plain lists beside lists of lists", '{"a":[1,2]}\n{"a":[[3,4],[1]]}\n{"a":[5,[5,6]]}\n', [6, 8]],
    ["whole doubles among integers", '{"a":[1,2.0]}\n{"a":[[1.0],[2,1e3]]}\n{"a":1000}\n', [3, 6]],
    ["texts are taken as they are", '{"a":["1","x"]}\n{"a":["1",1]}\n', [2, 4]],
    ["more digits than doubles have", '{"a":[9007199254740993,9007199254740992]}\n', [2, 2]],
  ])("lists of JSON: %s", async (_, text, expected) => {
    expect(await counted(text)).toEqual(expected);
  });

  test.each([
    ['{"a":[[1],[[2,3]]]}\n', "expected row ids that are integers or texts, received JSON"],
    ['{"a":[ [[1,2]] ]}\n', "expected row ids that are integers or texts, received JSON"],
    ['{"a":[[{"x":1}]]}\n', "expected row ids that are integers or texts, received JSON"],
    ['{"a":[1.5,2]}\n{"a":[1,2]}\n', "expected a whole row id below 9007199254740992"],
    ['{"a":[9007199254740993,1.0]}\n', "expected a whole row id below 9007199254740992"],
  ])("lists of JSON that hold no row ids are refused: %s", async (text, says) => {
    await expect(counted(text)).rejects.toThrow(says);
  });
});
