import { expect, test } from "vitest";
import { z } from "zod";
import { listOf } from "../../../src/plan-file/fields.js";

test("lists within lists are read once, and of their bad entries the first is told", () => {
  let looks = 0;
  const element = z.number().refine(() => ++looks > 0);
  const list = listOf(listOf(listOf(listOf(element))));
  expect(list.parse([[[[1, 2]], []]])).toEqual([[[[1, 2]], []]]);
  expect(looks).toBe(2);
  const issues = (value: unknown) => list.safeParse(value).error?.issues.map(({ path, message }) => [path, message]);
  expect(issues([[[[1, "a", "b"]], [[null]]]])).toEqual([
    [[0, 0, 0, 1], "Invalid input: expected number, received string"],
  ]);
  expect(issues([[], "a"])).toEqual([[[1], "Invalid input: expected array, received string"]]);
});
