export const chartStyles = `
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
