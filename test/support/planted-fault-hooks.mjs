let faults = [];

export function initialize(data) {
  faults = data;
}

export async function load(url, context, next) {
  const loaded = await next(url, context);
  let { source } = loaded;
  for (const { from, to } of faults.filter((fault) => url.endsWith(fault.file))) {
    const text = String(source);
    if (!text.includes(from)) throw new Error(`nothing to replace in ${url}: ${from}`);
    source = text.replace(from, () => to);
  }
  return { ...loaded, source };
}
