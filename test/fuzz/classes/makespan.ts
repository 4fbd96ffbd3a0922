import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { truthOf } from "../oracle/truth.js";

/** Up to eight items on up to three devices, the heaviest load to be least; loads also have a byte limit at times. */
export const makespan: CaseClass = {
  name: "makespan",
  make(draw) {
    const items = draw.int(3, 8);
    const devices = draw.int(2, 3);
    const loads = Array.from({ length: items }, () => draw.int(1, draw.of([5, 60])));
    const bytes = loads.map(() => draw.int(1, 9));
    const capacity = draw.oneIn(2) ? null : Math.ceil((1.1 * bytes.reduce((sum, value) => sum + value, 0)) / devices);
    const n = items * devices + 1;
    const rowOf = (entries: readonly (readonly [number, number])[]) => {
      const coefficients = new Array<number>(n).fill(0);
      for (const [j, value] of entries) coefficients[j] = value;
      return coefficients.map((value) => ratio(value));
    };
    const each = <T>(count: number, value: (index: number) => T) => Array.from({ length: count }, (_, k) => value(k));
    const rows: SketchRow[] = each(items, (i) => [
      rowOf(each(devices, (d) => [i * devices + d, 1])),
      ratio(1),
      ratio(1),
    ]);
    for (let d = 0; d < devices; d++) {
      const onDevice = (of: readonly number[]) => each(items, (i) => [i * devices + d, of[i] as number] as const);
      rows.push([rowOf([...onDevice(loads), [n - 1, -1]]), null, ratio(0)]);
      if (capacity !== null) rows.push([rowOf(onDevice(bytes)), null, ratio(capacity)]);
    }
    const program = programOf({
      columns: [...each(n - 1, () => [ratio(0), ratio(1), true] as const), [ratio(0), null, false]],
      rows,
      costs: rowOf([[n - 1, 1]]),
    });
    const least = leastMakespan(loads, bytes, devices, capacity ?? Number.POSITIVE_INFINITY);
    return { program, witness: { kind: "truth", truth: truthOf(least === null ? null : ratio(least)) } };
  },
};

/** By trying every assignment. */
function leastMakespan(
  loads: readonly number[],
  bytes: readonly number[],
  devices: number,
  capacity: number,
): number | null {
  let best: number | null = null;
  const load = new Array<number>(devices).fill(0);
  const used = new Array<number>(devices).fill(0);
  const place = (item: number) => {
    if (item === loads.length) {
      const makespan = Math.max(...load);
      if (Math.max(...used) <= capacity && (best === null || makespan < best)) best = makespan;
      return;
    }
    for (let d = 0; d < devices; d++) {
      load[d] = (load[d] as number) + (loads[item] as number);
      used[d] = (used[d] as number) + (bytes[item] as number);
      place(item + 1);
      load[d] = (load[d] as number) - (loads[item] as number);
      used[d] = (used[d] as number) - (bytes[item] as number);
    }
  };
  place(0);
  return best;
}
