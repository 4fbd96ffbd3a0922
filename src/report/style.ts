import { colourProperties } from "./palette.js";

/** The page's style sheet: light or dark as the reader's system has it, light on paper, one column on a telephone. */
export const STYLE = `:root{color-scheme:light dark;${colourProperties("light")};
--ground:var(--cffffff);--text:var(--c1b1f24);--muted:var(--c5b6470);--line:var(--cdfe3e8);--panel:#f6f8fa;--good:#00684b;--bad:#a83e00}
@media screen and (prefers-color-scheme:dark){:root{${colourProperties("dark")};--panel:#1d2229;--good:#4fd6a8;--bad:#ff9d63}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1120px;margin:0 auto;padding:20px 20px 60px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .2em;overflow-wrap:anywhere}
h2{font-size:1.35rem;margin:0 0 .3em;overflow-wrap:anywhere}
h4{font-size:.9rem;margin:0;overflow-wrap:anywhere}
h3{font-size:1.02rem;margin:0 0 .2em;overflow-wrap:anywhere}
p{margin:.3em 0 .8em;overflow-wrap:anywhere}
a{color:var(--c0072b2)}
.kind{margin:0 0 .3em}
.question{margin:2px 0 10px;color:var(--muted);max-width:64em}
.answer{font-size:1.2rem;line-height:1.4;max-width:54em}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px;margin:16px 0}
.tile{display:flex;flex-direction:column;background:var(--panel);border-radius:8px;padding:12px 16px;min-width:0;overflow-wrap:anywhere}
.tile .name,.tile .beside{color:var(--muted);font-size:.85rem;line-height:1.35}
.tile .large{font-size:1.85rem;font-weight:650;line-height:1.25;letter-spacing:-.01em}
.tile .large.good{color:var(--good)}.tile .large.bad{color:var(--bad)}
.muted,figcaption p,caption,dt{color:var(--muted)}
.badge{display:inline-block;border:1.5px solid currentColor;border-radius:1em;padding:0 .7em;font-size:.9rem;font-weight:600}
.good{color:var(--good)}.bad{color:var(--bad)}
section.plan{margin-top:12px}
.overview~section.plan{border-top:1px solid var(--line);margin-top:32px;padding-top:28px}
.box{background:var(--panel);border-radius:8px;padding:14px 18px;margin:14px 0}
details.box{font-size:1rem}details.box summary h3{display:inline;color:var(--text)}details.box[open]>summary{margin-bottom:.5em}
.known dl{columns:2;column-gap:40px}.known dl div{break-inside:avoid}
dl{margin:0}
dl div{display:grid;grid-template-columns:minmax(110px,11em) 1fr;gap:2px 14px;padding:4px 0;border-bottom:1px solid var(--line)}
dl div:last-child{border-bottom:0}
dd{margin:0;overflow-wrap:anywhere}
data{font-variant-numeric:tabular-nums}dd data{white-space:nowrap}
.charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:28px 36px;margin:22px 0}
.charts>.chart.wide,.charts>.group{grid-column:1/-1}
.group>p{font-size:.9rem;margin:.1em 0 .6em}
.multiples{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:14px 18px}
.chart.small details{font-size:.78rem;margin-right:8px}
figure{margin:0;min-width:0}
figcaption p{font-size:.9rem;margin:.1em 0 .6em}
.drawing,.scroll{overflow-x:auto}
.drawing svg{display:block;height:auto}
.drawing svg:not(.huge){max-width:100%}
.drawing svg text{pointer-events:none}
svg.pointed [aria-label]:not(.own){opacity:.25}
tr[data-about]:hover{background:var(--panel)}
.on-narrow{display:none}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:0 0 8px;padding:0;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:6px;min-width:0;overflow-wrap:anywhere}
.legend a{overflow-wrap:normal}
[aria-label]{cursor:default}
details{margin:.3em 0;font-size:.9rem}
figure details{display:inline-block;max-width:100%;vertical-align:top;margin-right:14px}
figure details[open]{display:block}
summary{cursor:pointer;color:var(--muted)}
pre{background:var(--panel);border-radius:6px;padding:10px;overflow:auto;max-height:340px;font-size:12px;line-height:1.35;margin:.4em 0}
table{border-collapse:collapse;font-size:.9rem;margin:.5em 0 1em}
caption{text-align:left;padding-bottom:.3em}
th,td{text-align:left;padding:3px 16px 3px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--muted);vertical-align:bottom}
.number{text-align:right;font-variant-numeric:tabular-nums}td.number{white-space:nowrap}
table.leads td:nth-child(n+3):not(:last-child){white-space:nowrap}table.leads td:nth-child(2):not(.number){min-width:16em}
td:nth-last-child(-n+2):not(.number){min-width:13em}
td:not(.number){overflow-wrap:break-word;max-width:34em}
:focus-visible{outline:2px solid var(--c0072b2);outline-offset:1px}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:6px 12px;margin:14px 0 0}.bar button{margin:0}
input{font:inherit;font-size:.9rem;color:var(--text);background:var(--ground);border:1px solid var(--cb4bac1);border-radius:6px;padding:5px 10px;min-width:0;max-width:100%}
button.sort{all:unset;cursor:pointer}button.sort:focus-visible{outline:2px solid var(--c0072b2)}
[aria-sort=ascending] button::after{content:" ↑"}[aria-sort=descending] button::after{content:" ↓"}
button{font:inherit;font-size:.9rem;color:var(--text);background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:5px 12px;margin:0 8px 8px 0;cursor:pointer}
.tip{position:absolute;z-index:2;max-width:min(340px,90vw);background:var(--text);color:var(--ground);font-size:13px;line-height:1.35;padding:4px 8px;border-radius:5px;pointer-events:none;overflow-wrap:anywhere}
[hidden]{display:none!important}
footer{margin-top:40px;color:var(--muted);font-size:.85rem}
@media (max-width:900px){.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}.multiples{grid-template-columns:repeat(3,minmax(0,1fr))}}
table.cards th{color:var(--text);vertical-align:top;white-space:nowrap}table.cards thead th{color:var(--muted);vertical-align:bottom}table.cards th[scope=row]{font-weight:400;line-height:1.7}
@media (max-width:760px){table.cards thead{display:none}table.cards :is(tr,td,th){display:block}table.cards tr{border-bottom:1px solid var(--line);padding:8px 0}table.cards :is(td,th){border:0;padding:1px 0}
table.cards td{display:flex;justify-content:space-between;gap:12px}table.cards td::before{content:attr(data-label);color:var(--muted)}table.cards{width:100%}
main{padding:16px 14px 40px}.charts{grid-template-columns:minmax(0,1fr)}.known dl{columns:1}
.multiples{grid-template-columns:repeat(2,minmax(0,1fr))}.tile{padding:10px 12px}.tile .large{font-size:1.35rem}.on-wide{display:none}.on-narrow{display:block}.answer{font-size:1.08rem}
dl div{grid-template-columns:1fr;gap:0}}
@media print{body{font-size:11pt}main{max-width:none;padding:0}button:not(.sort),.bar,.tip,figure details{display:none!important}.tiles{grid-template-columns:repeat(4,minmax(0,1fr))}.tile{border:1px solid var(--line)}
figure,table,.box{break-inside:avoid}.drawing svg{max-width:100%!important}.overview~section.plan{break-before:auto}}
`;
