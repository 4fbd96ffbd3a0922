/** The run that holds a rank: the first that ends after it. `ends` are the ranks at which the runs end, rising. */
export function runOfRank(ends: ArrayLike<number>, rank: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}
