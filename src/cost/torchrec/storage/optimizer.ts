/**
 * Optimizer state as a multiple of the weights (planner/shard_estimators.py, `_get_optimizer_multipler`), by the name of the
 * optimizer's class, with or without its module: none for no optimizer and SGD, two moments for Adam, one number a row for
 * RowWiseAdagrad, and as much as the weights for every other, PartialRowWiseAdam included.
 */
export function optimizerMultiplier(optimizer: string | undefined, dim: number): number {
  if (optimizer === undefined) return 0;
  switch (optimizer.slice(optimizer.lastIndexOf(".") + 1)) {
    case "SGD":
      return 0;
    case "Adam":
      return 2;
    case "RowWiseAdagrad":
      return 1 / dim;
    default:
      return 1;
  }
}
