const chartStyles = `
.plot{margin-block:1.25rem}
.plot figcaption{font-size:.875rem;font-weight:600;color:var(--quiet);display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-bottom:.5rem}
.plot .chart{max-width:40rem}
.plot.rows .chart{max-width:36rem}
.plot .group{fill:var(--ink);font-size:13px}
.plot .value{text-anchor:start}
.plot .whisker{fill:none;stroke:var(--ink);stroke-width:1.5}
.plot rect[class^=bar]{stroke-width:1.5}
.bar-debate{fill:var(--exoneration-ground);stroke:var(--exoneration)}.bar-judge{fill:var(--risk-ground);stroke:var(--risk)}.bar-other{fill:var(--line);stroke:var(--quiet)}
.key{display:inline-flex;flex-wrap:wrap;gap:.25rem 1rem;font-weight:400}
.key svg{width:.875rem;height:.875rem;vertical-align:-.1em}
.series .whisker{stroke:var(--tone);stroke-opacity:.7}
.series.diamond{--tone:var(--link)}.series.diamond polyline{stroke-dasharray:2 4}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem 2.5rem;align-items:end}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:1rem 2rem;max-width:52rem}
.tone-0{--tone:var(--link)}.tone-1{--tone:var(--risk)}.tone-2{--tone:var(--exoneration)}.tone-3{--tone:var(--both)}.tone-4{--tone:var(--caution)}.tone-5{--tone:var(--ink)}
.dash-1{--dash:8 4}.dash-2{--dash:2 4}.dash-3{--dash:10 3 2 3}.dash-4{--dash:15 5}
.stroke .curve{fill:none;stroke:var(--tone);stroke-width:2.25;stroke-dasharray:var(--dash,none);stroke-linejoin:round}
.stroke .whisker{stroke:var(--tone);stroke-opacity:.6}
.stroke .mark{fill:var(--tone)}
.stroke .band{fill:var(--tone);fill-opacity:.1}
.stroke .token{fill:var(--paper);stroke:var(--tone);stroke-width:2}
.stroke .ordinal{fill:var(--tone);font-size:11px;font-weight:700}
.key svg.stroke{width:1.75rem;height:.875rem}
.ordinal-tag{display:inline-block;min-width:1.35em;text-align:center;border:1.5px solid var(--tone);border-radius:1em;color:var(--tone);font-size:.75rem;font-weight:700;line-height:1.35}
.plot .chance{fill:none;stroke:var(--quiet);stroke-width:1;stroke-dasharray:1 3}
.plot .count{fill:var(--line)}
.plot .tiny{font-size:10px}
.small-chart{width:9.5rem;height:3.5rem;border:1px solid var(--line);border-radius:.35rem;background:var(--paper)}
.small-chart .grid{stroke:var(--line)}
`;

/** What the pages of the bench need beside the common styles. */
export const benchStyles = `${chartStyles}
.masthead,main,footer{max-width:72rem}
h1{margin-bottom:1.5rem}
.set{border-top:1px solid var(--line);padding-top:2rem}
.lead-in{color:var(--quiet);max-width:48rem;margin-bottom:1rem}
article{margin-top:3rem}
article h3{font-size:1.25rem;margin-bottom:.35rem}
article .small{margin-top:.6rem}
.contents{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;font-size:.9375rem}
.breach{color:var(--risk)}
td u{text-underline-offset:.2em}
td.number,th.number{white-space:nowrap}
td code{white-space:normal}
tbody th code{white-space:nowrap}
thead code{white-space:normal;overflow-wrap:anywhere}
@media print{article{break-inside:avoid}.contents{display:none}th,td{padding-inline:0 .35rem}.number{padding-inline:.35rem 0}}
`;

/** What the page of the whole bench needs beyond that. */
export const setStyles = `
h1{font-size:clamp(2rem,5vw,3rem)}
small{font-size:.8125rem;color:var(--quiet);font-weight:400}
.about{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:.75rem 1.5rem;margin-block:0 1.5rem}
.about dd{font-size:1rem}
table.sorts{width:auto;min-width:min(100%,34rem)}
.number+td:not(.number),.number+th:not(.number){padding-inline-start:1.5rem}
table.sorts .number{padding-inline-start:1.25rem}
.scroll+.small{margin-top:.6rem}
.notes.bullets+.contents{margin-top:1rem}
.charts.many{grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}.charts.many .chart{max-width:27rem}
.more{font:inherit;color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;padding:.4rem 1rem;margin-top:1rem;cursor:pointer}
td small,thead th small{display:block}
td small{font-size:.75rem;line-height:1.3}
thead th{vertical-align:bottom}
thead th.number{white-space:normal;min-width:5rem}
th.brief,td.brief,td.brief code{white-space:nowrap}
table.sorts :is(th,td){padding-block:.35rem}
table.sorts :is(thead th:first-child,tbody th[scope=row]){position:sticky;inset-inline-start:0;z-index:1;background:var(--paper)}
tbody th[scope=row]{padding-inline-end:1.25rem}
tbody th code{display:inline-block;max-width:22rem;overflow:hidden;text-overflow:ellipsis;vertical-align:bottom}
tbody tr:hover>*{background:color-mix(in srgb,var(--line) 35%,transparent)}
table.sorts tbody tr:hover>th[scope=row]{background:color-mix(in srgb,var(--line) 35%,var(--paper))}
td b{font-weight:700}
.mark-of{font-weight:400;margin-inline-start:.1em}
table.sorts td[style]{background:color-mix(in srgb,var(--risk) var(--shade),var(--paper));border-inline-start:3px solid var(--paper)}
table.sorts:has(td[style]) .number{padding-inline:1rem .75rem}
th button{display:inline-block;font:inherit;color:inherit;background:none;border:0;padding:0;margin:0;cursor:pointer;text-align:inherit}
th button:hover{color:var(--link)}
th button{position:relative}
th button::after{position:absolute;inset-inline-start:calc(100% + .1em);bottom:0}
th[aria-sort=none] button:hover::after,th[aria-sort=none] button:focus-visible::after{content:"↕" / ""}
th[aria-sort=ascending] button::after{content:"↑" / ""}
th[aria-sort=descending] button::after{content:"↓" / ""}
.folded{margin-top:1rem}
details>summary{cursor:pointer}
.folded>summary{color:var(--link);padding-block:.25rem}

.receipts{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-start}
.receipt{flex:0 1 26rem;min-width:min(100%,18rem);background:var(--surface);border:1px solid var(--line);border-radius:.25rem;box-shadow:0 2px 8px color-mix(in srgb,var(--ink) 8%,transparent);padding:1.5rem 1.5rem 1.25rem;font-size:.9375rem}
.receipt dl,.receipt-head,.receipt-over{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace}
.receipt-head{text-align:center;letter-spacing:.08em;padding-bottom:.9rem}
.receipt-over{border-top:2px dashed var(--line);padding-top:.9rem;margin-top:.9rem;font-size:.875rem;font-weight:600}
.receipt dl{margin-block:.5rem;font-size:.875rem}
.receipt dl>div{display:flex;justify-content:space-between;gap:1rem;align-items:baseline;padding-block:.1rem}
.receipt dt{font-weight:400;flex:none}
.receipt dd{text-align:end}
.receipt-total{border-top:1px solid var(--ink);padding-top:.5rem;margin-bottom:.5rem}
.receipt-note{border-top:2px dashed var(--line);padding-top:.75rem;margin-top:.9rem;font-size:.875rem;color:var(--quiet)}
.receipt summary{color:var(--link);padding-block:.15rem;font-size:.875rem}
.changes{font-size:.875rem;padding-block:.25rem .5rem}

.filters{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin-bottom:1rem;font-size:.9375rem}
.filters[hidden],.item[hidden],.more[hidden]{display:none}
.filters select,.filters input{font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--quiet);border-radius:.35rem;padding:.3rem .5rem;max-width:100%}
.filters select:disabled{color:var(--quiet);border-color:var(--line)}
.filters label{display:inline-flex;gap:.4rem;align-items:center;max-width:100%}
.item-list{border-top:1px solid var(--line)}
.item{border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 2.6rem}
.item>summary{display:flex;gap:.75rem;align-items:baseline;padding-block:.5rem;list-style:none}
.item>summary::-webkit-details-marker{display:none}
.item>summary:hover .gist{color:var(--link)}
.item>summary>code{flex:none;max-width:min(11rem,35vw);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.item>summary>.badge{flex:none}
.gist{flex:1 1 8rem;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--quiet)}
.tally-of{flex:none;min-width:2.6rem;text-align:center;font-size:.8125rem;font-weight:600;font-variant-numeric:tabular-nums;border-radius:.35rem;padding-inline:.35rem;background:var(--caution-ground);color:var(--caution)}
.tally-of.all{background:var(--exoneration-ground);color:var(--exoneration)}
.tally-of.none{background:var(--risk-ground);color:var(--risk)}
.inside{padding:.25rem 0 1.5rem 3.35rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
.item[open]>summary .gist{visibility:hidden}
.said-by{columns:24rem;column-gap:2rem}
.said-by li{padding-block:.1rem;break-inside:avoid}
.said-by .wrong>span{color:var(--risk)}.said-by .right>span{color:var(--exoneration)}
.said-by .wrong>b{color:var(--risk)}
.transcript{background:var(--surface);border:1px solid var(--line);border-radius:.5rem;padding:1rem 1.25rem;max-width:52rem}
.transcript ol{margin-top:.5rem}
.transcript li{padding-block:.6rem;border-top:1px solid var(--line);font-size:.9375rem}
.standing-of{font-variant-numeric:tabular-nums;float:inline-end}
.quoted{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif;padding-inline-start:1rem;border-inline-start:3px solid var(--line);margin-top:.35rem}
.quoted s{color:var(--quiet)}
.quoted .struck,.transcript .struck{color:var(--caution)}
@media (max-width:40rem){table.sorts tbody th code{max-width:9rem}.inside{padding-inline-start:0}.item>summary{gap:.5rem}.transcript{padding:.75rem .9rem}.receipt{padding:1.1rem 1rem}}
@media print{.filters,.items{display:none}.receipt{box-shadow:none}}
`;
