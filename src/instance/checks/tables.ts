import { type Finding, received } from "../findings.js";
import type { RowTiersInput } from "../schema/row-tiers.js";
import { checkAccess } from "./access.js";

export function checkTables(tables: RowTiersInput["tables"]): Finding[] {
  const firstWithName = new Map<string, number>();
  return tables.flatMap((table, index) => {
    const findings: Finding[] = [];
    const first = firstWithName.get(table.name);
    if (first === undefined) firstWithName.set(table.name, index);
    else {
      const message = `expected a name used once, received ${received(table.name)}, which tables[${first}] has too; rename one`;
      findings.push({ path: ["tables", index, "name"], message });
    }
    if (table.pooling !== "sequence") {
      const message = `expected sequence, the only pooling of FlexShard's cost model, received ${received(table.pooling)}; leave the table out or model it as a sequence`;
      findings.push({ path: ["tables", index, "pooling"], message });
    }
    return [...findings, ...checkAccess(table.access, table.rows, ["tables", index, "access"])];
  });
}
