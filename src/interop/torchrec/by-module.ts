import type { SerializedSharding, SerializedShardingPlan } from "./sharding-plan.js";

/**
 * Tables by the module that they are in, in their order: a table called `sparse.ebc.t0` is the table `t0` of the module
 * `sparse.ebc`; `module` is the path of the module that all of them are in, `""` the model itself.
 */
export function planByModule(
  tables: readonly (readonly [name: string, sharding: SerializedSharding])[],
  module: string,
): SerializedShardingPlan {
  const modules = new Map<string, [table: string, sharding: SerializedSharding][]>();
  for (const [name, sharding] of tables) {
    const dot = name.lastIndexOf(".");
    const path = [module, name.slice(0, Math.max(0, dot))].filter((part) => part !== "").join(".");
    modules.set(path, [...(modules.get(path) ?? []), [name.slice(dot + 1), sharding]]);
  }
  return { plan: Object.fromEntries(Array.from(modules, ([path, here]) => [path, Object.fromEntries(here)])) };
}
