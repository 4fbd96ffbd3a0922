/**
 * Indices of keys, the greatest first, equal ones as they come: a natural merge sort (Knuth 1998, 5.2.4), which takes little where runs
 * are in order already, and a fraction of what a sort takes that calls a function to compare.
 */
export function fallingOrder(keys: Float64Array): Int32Array {
  const { length } = keys;
  let from = Int32Array.from(keys.keys());
  let to = new Int32Array(length);
  for (;;) {
    let runs = 0;
    for (let start = 0; start < length; runs++) {
      const middle = runEnd(keys, from, start);
      const end = middle === length ? length : runEnd(keys, from, middle);
      merge(keys, from, to, start, middle, end);
      start = end;
    }
    [from, to] = [to, from];
    if (runs <= 1) return from;
  }
}

/** Where the run of falling keys that begins here ends. */
function runEnd(keys: Float64Array, order: Int32Array, start: number): number {
  let end = start + 1;
  while (end < order.length && (keys[order[end] as number] as number) <= (keys[order[end - 1] as number] as number)) {
    end++;
  }
  return end;
}

function merge(keys: Float64Array, from: Int32Array, to: Int32Array, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const isLeft =
      right >= end ||
      (left < middle && (keys[from[left] as number] as number) >= (keys[from[right] as number] as number));
    to[at] = from[isLeft ? left++ : right++] as number;
  }
}
