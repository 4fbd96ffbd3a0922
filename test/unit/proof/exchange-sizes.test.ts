import { expect, test } from "vitest";
import { exchangeOrder } from "../../../src/proof/exchange-order.js";
import { viewOf } from "../../../src/proof/view.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { programHash } from "../../../src/program/hash.js";
import { linearForm, makeProgram } from "../../../src/program/program.js";
import { Rational } from "../../../src/exact/rational.js";
const q = (v: number) => Rational.of(BigInt(v));
test("bigger group's members do not stand in for another group's", () => {
  // columns: a0 a1 | b0 b1 (b2 at the end) | c0 c1 | d0 d1 | b2
  const names = ["a0","a1","b0","b1","c0","c1","d0","d1","b2","b3"];
  const ix = (n: string) => names.indexOf(n);
  const sum = (name: string, ns: string[], lo: number|null, hi: number|null) => ({name, form: linearForm(ns.map((n)=>[ix(n), q(1)] as const)), lower: lo===null?null:q(lo), upper: hi===null?null:q(hi)});
  const program = makeProgram({
    columns: names.map((name)=>({name, lower:q(0), upper:q(1), integer:true})),
    rows: [sum("A",["a0","a1"],1,1), sum("B",["b0","b1","b2","b3"],1,1), sum("C",["c0","c1"],1,1), sum("D",["d0","d1"],1,1), sum("R",["c0","d0"],1,null)],
    objective: {form: linearForm([[ix("c0"), q(10)],[ix("b2"), q(-5)]])},
  });
  const order = exchangeOrder(program, viewOf(program).view.groups);
  const certificate = { format: "shardproof-certificate 1" as const, program: programHash(program), claim: {kind:"bound" as const, bound: "5"}, steps: [
    {branch:"c0", at:"0"}, {propagate:{}}, {exchange:{}}, {infeasible:{R:"1"}}, {bound:{}}
  ]};
  let m = "accepted"; try { checkCertificate(program, certificate);} catch(e) { m = (e as Error).message }
  expect([order?.entries.map((e)=>e.link), m]).toBe(null);
});

test("shorter", () => {
  const names = ["a0","a1","a2","b0","b1","b2","c0","c1"];
  const ix = (n: string) => names.indexOf(n);
  const sum = (name: string, ns: string[], lo: number|null, hi: number|null) => ({name, form: linearForm(ns.map((n)=>[ix(n), q(1)] as const)), lower: lo===null?null:q(lo), upper: hi===null?null:q(hi)});
  const program = makeProgram({
    columns: names.map((name)=>({name, lower:q(0), upper:q(1), integer:true})),
    rows: [sum("A",["a0","a1","a2"],1,1), sum("B",["b0","b1","b2"],1,1), sum("C",["c0","c1"],1,1)],
  });
  const certificate = { format: "shardproof-certificate 1" as const, program: programHash(program), claim: {kind:"bound" as const, bound: "0"}, steps: [ {exchange:{}}, {bound:{}} ]};
  let m = "accepted"; try { checkCertificate(program, certificate);} catch(e) { m = (e as Error).message }
  expect(m).toBe(null);
});
