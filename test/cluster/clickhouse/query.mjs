// Runs a query on ClickHouse: query.mjs LOG.parquet QUERY.sql OUT.csv. The table `events` is the log.
import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "chdb";

const [log, query, out] = process.argv.slice(2);
const session = new Session();
session.query(`CREATE VIEW events AS SELECT * FROM file('${log.replaceAll("'", "\\'")}', 'Parquet')`);
writeFileSync(out, session.query(readFileSync(query, "utf8").replace(/;\s*$/, ""), "CSVWithNames"));
session.close();
