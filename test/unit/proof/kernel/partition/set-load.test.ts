import { expect, test } from "vitest";
import { allowedSets, type SetLoad } from "../../../../../src/proof/kernel/partition/set-load.js";
import { type Draw, drawFrom } from "../../../../fuzz/oracle/draw.js";

/** Numbers of so many bits, of either sign. */
function drawWide(draw: Draw, bits: number): bigint {
  let value = 0n;
  for (let left = bits; left > 0; left -= 20) value = (value << 20n) + BigInt(draw.int(0, 2 ** 20 - 1));
  return draw.oneIn(2) ? value : -value;
}

function drawLoad(draw: Draw, tables: number, bits: number): SetLoad {
  const list = () => Array.from({ length: tables }, () => drawWide(draw, bits));
  return {
    constant: drawWide(draw, bits),
    slopes: list(),
    units: Array.from({ length: draw.int(0, 5) }, () => ({
      sign: draw.of([1n, -1n] as const),
      floor: draw.oneIn(2) ? 0n : drawWide(draw, bits),
      offset: drawWide(draw, bits),
      slopes: list(),
    })),
    limit: drawWide(draw, bits),
    conditions: Array.from({ length: draw.int(0, 2) }, () => ({ slopes: list(), most: drawWide(draw, bits) })),
  };
}

function isIn(set: number) {
  return (_: unknown, t: number) => ((set >> t) & 1) === 1;
}

function sum(list: readonly bigint[]): bigint {
  return list.reduce((a, b) => a + b, 0n);
}

function loadOf({ constant, slopes, units }: SetLoad, set: number): bigint {
  const here = isIn(set);
  const parts = units.map(({ sign, floor, offset, slopes: own }) => {
    const input = offset + sum(own.filter(here));
    return sign * (input > floor ? input : floor);
  });
  return constant + sum(slopes.filter(here)) + sum(parts);
}

test.each([20, 40, 60, 120])("sets are allowed exactly as their loads and conditions say: %s bits", (bits) => {
  for (let seed = 1; seed <= 40; seed++) {
    const draw = drawFrom(seed);
    const tables = draw.int(1, 7);
    const drawn = drawLoad(draw, tables, bits);
    // At the load of a set, or one above: rounding must not decide.
    const near = loadOf(drawn, draw.int(0, 2 ** tables - 1)) + BigInt(draw.int(0, 1));
    for (const load of [drawn, { ...drawn, limit: near }]) {
      const wanted = Uint8Array.from({ length: 2 ** tables }, (_, set) => {
        const keeps = load.conditions.every(({ slopes, most }) => sum(slopes.filter(isIn(set))) <= most);
        return keeps && loadOf(load, set) < load.limit ? 1 : 0;
      });
      expect(allowedSets(load, tables)).toEqual(wanted);
    }
  }
});
