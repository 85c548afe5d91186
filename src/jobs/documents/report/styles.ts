/** Rules that only the page of an analysis needs. */
export const ownStyles = `
h3[dir]{unicode-bidi:plaintext;font-size:1.0625rem;line-height:1.4}
.verdict .kicker{overflow-wrap:anywhere}
.verdict h2{font-size:1.25rem;margin-bottom:.5rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:1.5rem 2.25rem;border-top:1px solid var(--line)}
.verdict>.sealed{padding-block:.75rem;border-top:1px solid var(--line)}
.bullets li+li{margin-top:.4rem}
.counts{display:flex;flex-wrap:wrap;gap:.35rem;margin-top:.35rem}
.facts>:first-child{grid-column:span 2}
.workspace .legend-line{display:flex;flex-wrap:wrap;gap:.35rem .75rem;margin-bottom:.75rem}
.workspace .legend-line mark{margin:0}
.facts .small{font-size:.875rem}
.verdict-badge{display:inline-block;font-size:.8125rem;font-weight:600;line-height:1.4;padding:.1em .65em;border-radius:1em;border:1px solid currentColor;color:var(--quiet);background:var(--paper)}
.verdict td .verdict-badge{vertical-align:middle;white-space:nowrap;max-width:14rem;overflow:hidden;text-overflow:ellipsis}
.verdict-badge.good{color:var(--exoneration);background:var(--exoneration-ground)}
.verdict-badge.bad{color:var(--risk);background:var(--risk-ground)}
.verdict-badge.between{color:var(--caution);background:var(--caution-ground)}
.verdict-badge.open{border-style:dashed}
.arithmetic{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace}

.workspace{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2.5rem}
.workspace>section>h2{margin-bottom:.5rem}
.pane-note{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline;justify-content:space-between;margin-bottom:1rem}
button{font:inherit;font-size:.875rem;color:var(--link);background:none;border:1px solid var(--line);border-radius:.5rem;padding:.25rem .75rem;cursor:pointer}
[hidden]{display:none}
.claims{display:grid;gap:1.25rem}
.claim{--accent:var(--quiet)}
.claim.good{--accent:var(--exoneration)}.claim.bad{--accent:var(--risk)}.claim.between{--accent:var(--caution)}
.claim header .kicker{margin:0}
.claim .quotes{margin-top:.5rem}
.origin p:last-child,.places li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.6rem}
.places{margin-top:.5rem}
.places li+li{margin-top:.35rem}
.places li>.small:last-child{grid-column:2;margin-top:-.5rem}
.cited{unicode-bidi:isolate}
.checks li+li,.notice li+li{margin-top:.5rem}
.checks .number-tag,.point .small .number-tag{padding-block:0;line-height:1.2rem;display:inline-block}
.exchange{border-top:1px solid var(--line);padding-top:.75rem}
.exchange summary{cursor:pointer;color:var(--link);font-weight:600;padding-block:.25rem}
.step{margin-top:1.25rem}
.step{--accent:var(--quiet)}
.step>*+*{margin-top:.6rem}
.step header{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;justify-content:flex-start}
.points>li+li{margin-top:.75rem}
.point{border-inline-start:3px solid var(--line);padding-inline-start:.9rem}
.point.for{border-color:var(--exoneration)}.point.against{border-color:var(--risk)}.point.conceded{border-color:var(--caution)}
.point-title{font-weight:600}
.point .quotes,.search{margin-top:.5rem}
.search{padding:.6rem .8rem;border:1px dashed var(--line);border-radius:.5rem}
:target.point,:target.step{outline:3px solid var(--link);outline-offset:4px}
.findings{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:1.25rem;align-items:start}
.exchange .findings{margin-top:1rem}

.document{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem clamp(1rem,3vw,1.75rem)}
.document+.document{margin-top:1.25rem}
.document>.notice{margin-top:.75rem}
.leaf{margin-top:1.25rem;display:flow-root}
.leaf-title{font-size:.8125rem;font-weight:600;color:var(--quiet);border-top:1px solid var(--line);padding-top:.6rem;margin-bottom:.5rem}
.page-map{float:inline-end;width:4.75rem;height:auto;margin:0 0 .5rem 1rem}
.page-map .sheet{fill:var(--paper);stroke:var(--quiet);stroke-width:6}
.page-map{box-shadow:0 1px 4px var(--line)}
.page-map .text{fill:var(--line)}
.page-map .cited{fill:var(--quiet)}
.page-map .risk{fill:var(--risk)}.page-map .exoneration{fill:var(--exoneration)}.page-map .implicit{fill:var(--implicit)}.page-map .both{fill:var(--both)}
.block+.block{margin-top:.75rem}
.block .source{font-size:1rem;line-height:1.7;overflow:visible;padding:0}
.heading .source{font-weight:600;line-height:1.35}
.level-1 .source{font-size:1.25rem}.level-2 .source{font-size:1.125rem}
.block.ocr{border-inline-start:3px dashed var(--caution);padding-inline-start:.75rem}
.data{width:auto;min-width:50%}
.data th,.data td{padding:.35rem .75rem;border:1px solid var(--line);white-space:pre-wrap;min-width:3rem;max-width:24rem;overflow-wrap:break-word}
.data .number{padding-inline:.75rem}
.data th{font-weight:600;color:var(--quiet);background:var(--paper)}
.data caption{font-size:.875rem}
.data .elision{display:table-cell;border:1px dashed var(--line);margin:0}
td:has(mark.risk),th:has(mark.risk){background:var(--risk-ground)}
td:has(mark.exoneration),th:has(mark.exoneration){background:var(--exoneration-ground)}
td:has(mark.both),th:has(mark.both){background:var(--both-ground)}

div.elision p+p{margin-top:.25rem}
.reference:target{outline:3px solid var(--link);outline-offset:2px}.reference:target a{outline:none}
mark:has(+.reference:target){outline:2px solid var(--link)}
.block mark.aimed[data-passages]{outline:none;box-shadow:0 -3px var(--link),0 3px var(--link)}
td:has(:target),th:has(:target){outline:3px solid var(--link);outline-offset:-1px}
.data .reference:target,.data mark:has(+.reference:target){outline:none}
.reference a+a{margin-inline-start:.1em}

@media screen and (min-width:64rem){
.masthead,main,footer{max-width:96rem}
.wide{max-width:62rem;margin-inline:auto}
.workspace{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.workspace>section{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem .5rem 2rem 0;margin-top:3rem;scrollbar-gutter:stable}
}
@media print{
details::details-content{content-visibility:visible;display:block;height:auto}
.document,.leaf,.claim{break-inside:auto}
button{display:none}
}`;
