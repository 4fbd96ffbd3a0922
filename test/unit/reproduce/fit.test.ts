import { expect, test } from "vitest";
import { fitTimeModel, predictSeconds } from "../../../src/reproduce/flexshard/calibration.js";

test("recovers a model that fits exactly", () => {
  const measured = [1e6, 5e6, 9e7].map((bytes) => ({ bytes, seconds: 0.002 + bytes / 1e10 }));
  const model = fitTimeModel(measured, true);
  expect(model.latencySeconds).toBeCloseTo(0.002, 12);
  expect(model.bytesPerSecond / 1e10).toBeCloseTo(1, 9);
  expect(predictSeconds(model, 2e7)).toBeCloseTo(0.004, 9);
  expect(predictSeconds(model, 0)).toBe(0);
});

test("without latency: the relative least squares of two rates, by hand", () => {
  // x/t is 1 and 2: Σ (w·x/t − 1)² is least at w = 3/5.
  const model = fitTimeModel(
    [
      { bytes: 1, seconds: 1 },
      { bytes: 20, seconds: 10 },
    ],
    false,
  );
  expect(model).toEqual({ latencySeconds: 0, bytesPerSecond: 5 / 3 });
});

test("a negative latency is none", () => {
  const faster = [
    { bytes: 1, seconds: 1 },
    { bytes: 2, seconds: 3 },
  ];
  expect(fitTimeModel(faster, true)).toEqual(fitTimeModel(faster, false));
});

test("measurements that do not determine the model are refused", () => {
  expect(() => fitTimeModel([], false)).toThrow("too few measurements");
  expect(() => fitTimeModel([{ bytes: 1, seconds: 1 }], true)).toThrow("too few measurements");
  const same = { bytes: 3, seconds: 1 };
  expect(() => fitTimeModel([same, { ...same, seconds: 2 }], true)).toThrow("measurements of one size");
  expect(() =>
    fitTimeModel(
      [
        { bytes: 1, seconds: 3 },
        { bytes: 2, seconds: 1 },
      ],
      true,
    ),
  ).toThrow("times that fall with size");
  expect(() => fitTimeModel([{ bytes: 0, seconds: 1 }], false)).toThrow("measurements of no bytes");
});
