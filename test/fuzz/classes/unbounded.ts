import type { CaseClass } from "../case.js";
import { programOf, ratio } from "../oracle/draw.js";

/** A point and a direction in which every row gives way and the objective improves without end. */
export const unbounded: CaseClass = {
  name: "unbounded",
  make(draw) {
    const n = draw.int(1, 4);
    const point = Array.from({ length: n }, () => draw.int(-3, 3));
    const direction = Array.from({ length: n }, (_, j) => (j === 0 ? 1 : draw.int(-2, 2)));
    const along = (coefficients: readonly number[], values: readonly number[]) =>
      coefficients.reduce((sum, value, j) => sum + value * (values[j] as number), 0);
    const values = () => Array.from({ length: n }, () => draw.int(-5, 5));
    const rows = Array.from({ length: draw.int(0, 3) }, () => {
      const coefficients = values();
      // It rises along the direction: its lower side is no obstacle.
      const rising = along(coefficients, direction) < 0 ? coefficients.map((value) => -value) : coefficients;
      return [rising.map((value) => ratio(value)), ratio(along(rising, point) - draw.int(0, 9)), null] as const;
    });
    const costs = values();
    const gain = along(costs, direction);
    costs[0] = (costs[0] as number) + (gain >= 0 ? -gain - draw.int(1, 5) : 0);
    const maximise = draw.oneIn(2);
    const program = programOf({
      columns: point.map((at, j) => {
        const step = direction[j] as number;
        const lower = step >= 0 && draw.oneIn(2) ? ratio(at - draw.int(0, 5)) : null;
        return [lower, step <= 0 && draw.oneIn(2) ? ratio(at + draw.int(0, 5)) : null, !draw.oneIn(3)] as const;
      }),
      rows,
      costs: costs.map((cost) => ratio(maximise ? -cost : cost)),
      maximise,
    });
    return { program, witness: { kind: "unbounded" } };
  },
};
