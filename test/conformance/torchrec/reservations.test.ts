import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";

/** What TorchRec's storage reservations leave of two ranks. Origin and format are in the file. */
interface Recorded {
  readonly compute_device: string;
  readonly hbm: number;
  readonly ddr: number;
  readonly reservation: { readonly policy: string };
  readonly left: readonly (readonly [hbm: number, host: number])[] | string;
}

const { cases }: { readonly cases: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL("fixtures/reservations.json", import.meta.url), "utf8"),
);

test.each(cases.map((one) => ({ ...one, what: JSON.stringify(one.reservation) })))(
  "$what of $hbm bytes on $compute_device",
  ({ compute_device, hbm, ddr, reservation, left }) => {
    // On the CPU TorchRec's ranks have no HBM.
    const device = { hbm: compute_device === "cpu" ? 0 : hbm, ddr };
    const read = () =>
      readTorchrecProblem({
        topology: { world_size: 2, compute_device },
        batch_size: 100,
        devices: [device, device],
        reservation,
        tables: [
          { name: "t", num_embeddings: 1000, embedding_dim: 16, pooling_factors: [2.3, 0.17], num_poolings: [3, 1] },
        ],
      });
    if (typeof left === "string") return expect(read).toThrow("that leaves memory for tables");
    // TorchRec's inference reservation goes on with less than nothing, and then finds no plan.
    if (left.some(([bytes]) => bytes < 0)) return expect(read).toThrow(`leaves ${left[0]?.[0]} bytes of HBM on rank 0`);
    expect(read().devices.map(({ hbmBytes, hostBytes }) => [hbmBytes, hostBytes])).toEqual(left);
  },
);

test("both kinds of ends are recorded", () => {
  expect(cases.some(({ left }) => typeof left === "string")).toBe(true);
  expect(cases.some(({ left }) => typeof left !== "string")).toBe(true);
});
