/** What an instance may call a table of a module of TorchRec's, the longest name first: `sparse.ebc.t0`, `ebc.t0`, `t0`. */
export function namesOf({ module, table }: { readonly module: string; readonly table: string }): readonly string[] {
  const parts = module === "" ? [] : module.split(".");
  return [...parts.keys(), parts.length].map((from) => [...parts.slice(from), table].join("."));
}
