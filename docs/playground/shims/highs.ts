import loader, { type Highs } from "highs";

/** What the package's loader takes beside what its types say: they have `wasmBinary`, which version 1.15 does not read. */
interface Instantiation {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): void;
}

// As in src/solvers/highs-module.ts, the package is CommonJS to the type checker.
const loadHighs = loader as unknown as (options: Instantiation) => Promise<Highs>;

/** HiGHS's WebAssembly module as the page holds it: packed with gzip. */
let packed: Uint8Array<ArrayBuffer> | undefined;

/** Compiled once, for all instances. */
let compiled: Promise<WebAssembly.Module> | undefined;

/** Hands over the module; it is unpacked when a search needs HiGHS. */
export function provideHighs(bytes: Uint8Array<ArrayBuffer>): void {
  packed = bytes;
}

/** The package's own default export, but that it fetches nothing. */
export default async function load(): Promise<Highs> {
  compiled ??= compile();
  const module = await compiled;
  return new Promise((resolve, reject) => {
    const instantiateWasm: Instantiation["instantiateWasm"] = (imports, receive) => {
      WebAssembly.instantiate(module, imports).then(receive, reject);
    };
    loadHighs({ instantiateWasm }).then(resolve, reject);
  });
}

async function compile(): Promise<WebAssembly.Module> {
  if (packed === undefined) throw new Error("HiGHS was not handed over");
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}
