import { expect, test } from "vitest";
import {
  addWork,
  crossNet,
  dcnFlops,
  dcnTowerModule,
  dlrmFlops,
  dlrmTowerModule,
  dotInteraction,
  flops,
  linear,
  mlp,
  passThrough,
} from "../../../../src/cost/dmt/dense-work.js";

test("layers", () => {
  expect(mlp([3, 5, 2])).toEqual({ multiplyAdds: 15 + 10, products: 0 });
  expect(mlp([3])).toEqual({ multiplyAdds: 0, products: 0 });
  expect(dotInteraction(4, 8)).toEqual({ multiplyAdds: 128, products: 0 });
  // Two layers of rank 3 on 10 elements, and one more per element.
  expect(crossNet(2, 10, 3)).toEqual({ multiplyAdds: 130, products: 20 });
  expect(addWork(linear(2, 3), crossNet(1, 4, 1))).toEqual({ multiplyAdds: 18, products: 4 });
  expect(flops({ multiplyAdds: 18, products: 4 }, linear(2, 3))).toBe(108 + 12 - 12);
});

test("DLRM's tower module: D·(c·F + p) elements", () => {
  expect(dlrmTowerModule(3, 16, 1, 0, 8)).toEqual({
    outputDim: 24,
    outputVectors: 3,
    work: { multiplyAdds: 3 * 16 * 8, products: 0 },
  });
  expect(dlrmTowerModule(3, 16, 2, 1, 8)).toEqual({
    outputDim: 56,
    outputVectors: 7,
    work: { multiplyAdds: 3 * 16 * 16 + 48 * 8, products: 0 },
  });
});

test("DCN's tower module: D elements; a single vector of that width needs no linear", () => {
  const cross = 2 * 32 * 4 + 32;
  expect(dcnTowerModule(2, 16, 4, 8)).toMatchObject({ outputDim: 8, work: { multiplyAdds: cross + 32 * 8 } });
  expect(dcnTowerModule(1, 16, 4, 8)).toMatchObject({ outputDim: 8, work: { multiplyAdds: 2 * 16 * 4 + 16 + 128 } });
  expect(dcnTowerModule(1, 8, 4, 8)).toMatchObject({ outputDim: 8, work: { multiplyAdds: 2 * 8 * 4 + 8 } });
});

test("whole models by hand: two features of 4 elements, one dense input", () => {
  const towers = [passThrough(2, 4)];
  // 1-4; 3²·4; 3 products and the bottom's 4 elements to 1.
  expect(dlrmFlops({ bottom: [1], dim: 4, towers, over: [1] })).toBe(6 * (4 + 36 + 7) - 2 * 4);
  // 1-4; one layer of rank 2 on 12; 12-1.
  const dcn = { bottom: [1, 4], towers, crossLayers: 1, crossRank: 2, over: [1] };
  expect(dcnFlops(dcn)).toBe(6 * (4 + 48 + 12 + 12) + 3 * 12 - 2 * 4);
});
