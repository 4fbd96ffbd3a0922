import type { CostData } from "../../cost/neural/cost-data.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import { seededRandom } from "../../exact/random.js";
import { type GuidedMethod, METHODS, measureMethods, type Work } from "./measured-methods.js";
import { drawPool, drawSome } from "./pool.js";
import { PUBLISHED } from "./published.js";
import type { BesidePublished, MethodName, ScaleMeasure, UnseenMeasure } from "./reproduction.js";
import { isSecondHalf } from "./tables.js";
import type { Guide, Task } from "./task-problem.js";

/** Every method there is; those that know additive costs alone go by what is predicted for each table. */
const FIGURE_8 = Object.keys(METHODS) as MethodName[];

/** The paper's, and what goes by predicted costs without having learned to place. */
const FIGURE_11: readonly MethodName[] = [
  "random",
  "size-greedy",
  "dim-greedy",
  "lookup-greedy",
  "predicted-greedy",
  "autoshard-rl",
];

/** AutoShard has a tenth as many devices as tables. */
const TABLES_PER_DEVICE = 10;

/** Tables of a task of figure 10. */
const TASK_TABLES = 80;

/** Shares of unseen tables. */
const UNSEEN_SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Figures 8 and 9: every method on the test tasks. */
export function figure8(tasks: readonly Task[], guide: Guide, work: Work): readonly BesidePublished[] {
  const methods = FIGURE_8.map((method): GuidedMethod => ({ method, guide }));
  return measureMethods("figure 8", tasks, guide.network, methods, work).map((measure) => ({
    ...measure,
    published: measure.method === "autoshard-rl" ? PUBLISHED.table2.full : null,
  }));
}

/** Figure 11: more tables and devices, with the network and the policy that learned on 80 tables. */
export function figure11(
  data: CostData,
  sizes: readonly number[],
  { tasks, hbmBytes }: { readonly tasks: number; readonly hbmBytes: number | null },
  guide: Guide,
  work: Work,
): readonly ScaleMeasure[] {
  const random = seededRandom(0);
  const pool = drawPool(data, random);
  const methods = FIGURE_11.map((method): GuidedMethod => ({ method, guide }));
  return sizes.map((tables) => {
    const devices = tables / TABLES_PER_DEVICE;
    const draw = (): Task => ({ tables: drawSome(pool, tables, random), devices, hbmBytes });
    const drawn = Array.from({ length: tasks }, draw);
    const measures = measureMethods(`figure 11, ${tables} tables`, drawn, guide.network, methods, work);
    return { tables, devices, methods: measures };
  });
}

/**
 * Figure 10: tasks with a share of tables from the half of the pool that a network never saw. Plans are `predicted-greedy`'s
 * under that network (the paper: a policy trained with it), beside `lookup-greedy`'s, which learns nothing.
 */
export function figure10(
  data: CostData,
  network: TrainedNetwork,
  { tasks, hbmBytes }: { readonly tasks: number; readonly hbmBytes: number | null },
  judge: TrainedNetwork,
  work: Work,
): readonly UnseenMeasure[] {
  const random = seededRandom(0);
  const pool = drawPool(data, random);
  const half = (isUnseen: boolean) => pool.filter((_, number) => isSecondHalf(number, pool.length) === isUnseen);
  const [seen, unseen] = [half(false), half(true)];
  return UNSEEN_SHARES.map((unseenShare) => {
    const strange = Math.round(unseenShare * TASK_TABLES);
    const drawn = Array.from({ length: tasks }, (): Task => {
      const tables = [...drawSome(seen, TASK_TABLES - strange, random), ...drawSome(unseen, strange, random)];
      return { tables, devices: TASK_TABLES / TABLES_PER_DEVICE, hbmBytes };
    });
    const methods: readonly GuidedMethod[] = [
      { method: "lookup-greedy", guide: { network: judge } },
      { method: "predicted-greedy", guide: { network } },
    ];
    return {
      unseenShare,
      methods: measureMethods(`figure 10, ${strange} unseen tables`, drawn, judge, methods, work),
      published: unseenShare === 1 ? PUBLISHED.figure10.all : PUBLISHED.figure10.some,
    };
  });
}
