import { colourProperties } from "./palette.js";

/** The page's style sheet: light or dark as the reader's system has it, light on paper, one column on a telephone. */
export const STYLE = `:root{color-scheme:light dark;${colourProperties("light")};
--ground:var(--cffffff);--text:var(--c1b1f24);--muted:var(--c5b6470);--line:var(--cdfe3e8);--panel:#f6f8fa;--good:#00684b;--bad:#a83e00}
@media screen and (prefers-color-scheme:dark){:root{${colourProperties("dark")};--panel:#1d2229;--good:#4fd6a8;--bad:#ff9d63}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1040px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .2em;overflow-wrap:anywhere}
h2{font-size:1.35rem;margin:0 0 .3em;overflow-wrap:anywhere}
h3{font-size:1.02rem;margin:0 0 .2em;overflow-wrap:anywhere}
p{margin:.3em 0 .8em;overflow-wrap:anywhere}
a{color:var(--c0072b2)}
.answer{font-size:1.2rem;line-height:1.4;max-width:46em}
.muted,figcaption p,caption,dt{color:var(--muted)}
.badge{display:inline-block;border:1.5px solid currentColor;border-radius:999px;padding:0 .7em;font-size:.9rem;font-weight:600;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}
section.plan{margin-top:12px}
.overview~section.plan{border-top:1px solid var(--line);margin-top:32px;padding-top:28px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:8px 40px}
.box{background:var(--panel);border-radius:8px;padding:14px 18px;margin:14px 0}
dl{margin:0}
dl div{display:grid;grid-template-columns:minmax(110px,11em) 1fr;gap:2px 14px;padding:4px 0;border-bottom:1px solid var(--line)}
dl div:last-child{border-bottom:0}
dd{margin:0;overflow-wrap:anywhere}
data{font-variant-numeric:tabular-nums}dd data{white-space:nowrap}
.charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:28px 36px;margin-top:26px}
figure{margin:0;min-width:0}
figure.wide{grid-column:1/-1}
figcaption p{font-size:.9rem;margin:.1em 0 .6em}
.drawing,.scroll{overflow-x:auto}
.drawing svg{display:block;height:auto}
.drawing svg:not(.huge){max-width:100%}
.on-narrow{display:none}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:0 0 8px;padding:0;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:6px}
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
td:last-child:not(.number){min-width:13em}
td:not(.number){overflow-wrap:break-word;max-width:34em}
button{font:inherit;font-size:.9rem;color:var(--text);background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:5px 12px;margin:0 8px 8px 0;cursor:pointer}
.tip{position:absolute;z-index:2;max-width:min(340px,90vw);background:var(--text);color:var(--ground);font-size:13px;line-height:1.35;padding:4px 8px;border-radius:5px;pointer-events:none;overflow-wrap:anywhere}
[hidden]{display:none!important}
footer{margin-top:40px;color:var(--muted);font-size:.85rem}
@media (max-width:760px){main{padding:16px 14px 40px}.charts{grid-template-columns:minmax(0,1fr)}.on-wide{display:none}.on-narrow{display:block}.answer{font-size:1.08rem}
dl div{grid-template-columns:1fr;gap:0}}
@media print{body{font-size:11pt}main{max-width:none;padding:0}button,.tip,figure details{display:none!important}
figure,table,.box{break-inside:avoid}.drawing svg{max-width:100%!important}.overview~section.plan{break-before:page}}
`;
