import fc from "fast-check";
import { expect, test } from "vitest";
import { didYouMean, editDistance, nearestWord } from "../../../src/errors/nearest.js";

test("the textbook distances", () => {
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("flaw", "lawn")).toBe(2);
});

test("a distance is a metric", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});

test("the nearest word, unless none is near", () => {
  expect(nearestWord("batchPerGPU", ["batchPerGpu", "replicaMemoryFactor"])).toBe("batchPerGpu");
  expect(nearestWord("gpuPerNode", ["nodes", "gpusPerNode"])).toBe("gpusPerNode");
  expect(nearestWord("kernel", ["name", "rows", "dim", "dataType", "pooling", "access"])).toBeUndefined();
});

test("all words that begin so are named, the nearest one otherwise", () => {
  const methods = ["size-greedy", "torchrec-greedy", "torchrec-dp", "torchrec-memory-balanced"];
  expect(didYouMean("torchrec", methods)).toBe(
    "did you mean torchrec-greedy, torchrec-dp or torchrec-memory-balanced?",
  );
  expect(didYouMean("TorchRec-d", methods)).toBe("did you mean torchrec-dp?");
  expect(didYouMean("sizegreedy", methods)).toBe("did you mean size-greedy?");
  expect(didYouMean("annealing", methods)).toBeUndefined();
});
