/** A format that is often taken for one of ours, and what to do with its files. */
interface Foreign {
  readonly name: string;
  readonly looksLike: RegExp;
  readonly advice: string;
}

/** Comments of lp_solve and MathProg, which may hold anything. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm;

const FOREIGN: readonly Foreign[] = [
  {
    name: "AMPL's binary or text form of an instance (.nl)",
    looksLike: /^[gb]\d+ \d+ \d+ \d+/,
    advice: "write MPS with AMPL: option auxfiles rc; write mMODEL; (the file is MODEL.mps)",
  },
  {
    name: "a model of MathProg or AMPL",
    looksLike:
      /^\s*(?:(?:var|param|set)\s+[A-Za-z_]\w*[^:]*?[;,{=<>]|(?:minimi[sz]e|maximi[sz]e)\s+\w+\s*(?:\{[^}]*\})?\s*:[^;]*;|(?:subject\s+to|s\.t\.)\s+\w+\s*(?:\{[^}]*\})?\s*:[^;]*;)/im,
    advice:
      "write LP with glpsol --math FILE --check --wlp OUT.lp, or with AMPL MPS: option auxfiles rc; write mMODEL;",
  },
  {
    name: "data of AMPL or MathProg",
    looksLike: /^\s*data\s*;/im,
    advice: "write LP with glpsol --math MODEL --data FILE --check --wlp OUT.lp",
  },
  {
    name: "lp_solve's LP format",
    looksLike:
      /^\s*(?:max|min|maximi[sz]e|minimi[sz]e)\s*:|^[^:\n]*(?:[<>]=?|=)[^;\n]*;|^\s*(?:int|bin|sec|sin|free|declarations?)\s+[A-Za-z_][^;\n]*;/im,
    advice:
      "write MPS with lp_solve -S1 -parse_only FILE -wfmps OUT.mps, or in a CPLEX-LP file write Maximize for max:",
  },
];

/**
 * Which other format a text looks like that could not be read, and what to do with it: the end of a message. `""` where it
 * looks like none.
 */
export function foreignAdvice(text: string): string {
  const bare = text.replace(COMMENTS, "");
  const found = FOREIGN.find(({ looksLike }) => looksLike.test(bare));
  return found === undefined ? "" : `this looks like ${found.name}, which is another format: ${found.advice}`;
}
