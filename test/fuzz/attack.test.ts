import { expect, test } from "vitest";
import { certificates } from "./attack/certificates.js";
import { groupings } from "./attack/groupings.js";
import { ladders } from "./attack/ladders.js";
import { Tally } from "./attack/tally.js";

test.each([certificates, groupings, ladders])("x", { timeout: 600000 }, (a) => {
  const tally = new Tally();
  const t = process.cpuUsage().user;
  const n = Number(process.env.N ?? 60);
  for (let seed = 0; seed < n; seed++) a.round(seed, tally);
  process.stderr.write(`${tally} in ${(process.cpuUsage().user - t) / 1000} ms\n`);
  expect(tally.faults.slice(0, 3)).toEqual([]);
});
