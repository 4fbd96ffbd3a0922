import { vi } from "vitest";

/**
 * Does work on a clock that each look at it takes on by as much, in place of `performance.now()`: seconds are then looks, and
 * no machine is too busy for a test.
 */
export async function onSteppingClock<Result>(
  millisecondsPerLook: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly looks: number }> {
  let looks = 0;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => ++looks * millisecondsPerLook);
  try {
    const result = await work();
    return { result, looks };
  } finally {
    spy.mockRestore();
  }
}
