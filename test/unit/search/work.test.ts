import { expect, test } from "vitest";
import { Work } from "../../../src/search/work.js";

test("a slice ends by work, within the slices around it", () => {
  const work = new Work();
  const outer = work.slice(10);
  const inner = work.slice(4);
  expect(inner(3)).toBe(false);
  expect(inner(1)).toBe(true);
  expect(work.done).toBe(4);
  work.spend(5);
  expect(outer()).toBe(false);
  expect(outer(1)).toBe(true);
});

test("all slices end with the outermost limit, whatever the work", () => {
  let isOver = false;
  const work = new Work(() => isOver);
  const slice = work.slice(10);
  expect(slice(1)).toBe(false);
  isOver = true;
  expect(slice()).toBe(true);
  expect(work.ask()).toBe(true);
});

test("a most of work ends everything", () => {
  const work = new Work(() => false, 5);
  const slice = work.slice(10);
  expect(slice(4)).toBe(false);
  expect(slice(1)).toBe(true);
  expect(work.ask()).toBe(true);
});
