/** SQL for whether a column holds a whole number of accesses; of texts, one that is written as such. */
export function isWholeSql(column: string, isText: boolean): string {
  if (isText) return `regexp_full_match(${column}, ' *[0-9]{1,15} *')`;
  return `${column} >= 0 AND ${column} <= 9007199254740991 AND ${column} = floor(${column})`;
}

/** That number. DuckDB's own casts round 2.5; what is no whole number must end the query. */
export function wholeSql(column: string, isText: boolean): string {
  return `CASE WHEN ${isWholeSql(column, isText)} THEN CAST(${column} AS BIGINT) ELSE error('no whole number') END`;
}
