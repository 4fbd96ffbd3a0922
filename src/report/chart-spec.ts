/** A specification of Vega-Lite as plain JSON, its data inside: <https://vega.github.io/vega-lite/docs/spec.html>. */
export type ChartSpec = Readonly<Record<string, unknown>>;
