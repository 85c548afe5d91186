/** Colours by what they stand for. Every text colour is checked for contrast on every ground it may stand on. */
export interface Palette {
  paper: string;
  surface: string;
  ink: string;
  quiet: string;
  line: string;
  link: string;
  risk: string;
  riskGround: string;
  implicit: string;
  implicitGround: string;
  exoneration: string;
  exonerationGround: string;
  both: string;
  bothGround: string;
  caution: string;
  cautionGround: string;
}

export const light: Palette = {
  paper: '#faf8f4',
  surface: '#ffffff',
  ink: '#22242a',
  quiet: '#5c606b',
  line: '#e3dfd6',
  link: '#28509e',
  risk: '#a02c1c',
  riskGround: '#fce6df',
  implicit: '#1c5285',
  implicitGround: '#dfecf9',
  exoneration: '#0c6156',
  exonerationGround: '#d9f0ea',
  both: '#6b3a86',
  bothGround: '#efe3f6',
  caution: '#7a4f00',
  cautionGround: '#fdf1d3',
};

export const dark: Palette = {
  paper: '#16181d',
  surface: '#1f2229',
  ink: '#e9e6df',
  quiet: '#a8acb6',
  line: '#363a44',
  link: '#9dbcff',
  risk: '#ffa893',
  riskGround: '#4a221a',
  implicit: '#93c5f5',
  implicitGround: '#17385b',
  exoneration: '#7cdccb',
  exonerationGround: '#123f38',
  both: '#dcb3f5',
  bothGround: '#40264f',
  caution: '#f2c766',
  cautionGround: '#40310e',
};

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(';');

const layout = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:2rem}
body{margin:0;padding:clamp(1.25rem,4vw,3rem) clamp(1rem,5vw,3rem) 4rem;background:var(--paper);color:var(--ink);font:400 1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
.masthead,main,footer{max-width:62rem;margin-inline:auto}
h1,h2,h3,h4,p,ul,ol,dl,dd,figure{margin:0;padding:0}
ul,ol{list-style:none}
h1,h2,h3,h4{font-weight:600;line-height:1.25}
h1,h2{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif;font-weight:500;letter-spacing:-.01em}
h1{font-size:clamp(2.5rem,7vw,3.5rem);line-height:1.05}
h2{font-size:1.75rem;margin-bottom:1rem}
h3{font-size:1.0625rem}
h4{font-size:1rem}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace}
section{margin-top:clamp(3rem,7vw,4.5rem)}
.masthead{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;align-items:baseline;margin-bottom:1.5rem}
.masthead b{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif;font-size:1.25rem;margin-inline-end:.25rem}
.lead{color:var(--quiet);max-width:44rem;margin-block:-.5rem 1.5rem}
.small{font-size:.875rem;line-height:1.5;color:var(--quiet);font-weight:400}
.kicker{font-size:.8125rem;color:var(--quiet);font-weight:600;margin-bottom:.25rem}
.prose{white-space:pre-wrap;unicode-bidi:plaintext;max-width:44rem}
.control{display:inline-block;font:600 .6875rem/1.3 ui-monospace,Menlo,Consolas,monospace;padding:0 .3em;margin-inline:.1em;border:1px solid currentColor;border-radius:.25em;color:var(--caution);background:var(--caution-ground);vertical-align:.1em;direction:ltr;unicode-bidi:isolate;text-indent:0}
.absent{color:var(--quiet);font-style:italic}
.badge{display:inline-block;font-size:.8125rem;font-weight:600;line-height:1.4;padding:.1em .6em;border:1px solid currentColor;border-radius:1em;color:var(--quiet)}
.badge.risk{color:var(--risk)}.badge.exoneration{color:var(--exoneration)}

.verdict{margin-top:0;background:var(--surface);border:1px solid var(--line);border-radius:1rem;overflow:hidden;--accent:var(--caution);--ground:var(--caution-ground)}
.verdict.unsafe{--accent:var(--risk);--ground:var(--risk-ground)}
.verdict.safe{--accent:var(--exoneration);--ground:var(--exoneration-ground)}
.verdict>*{padding:1.5rem clamp(1.25rem,4vw,2.25rem)}
.label{display:flex;gap:1.25rem;align-items:center;background:var(--ground)}
.label svg{flex:none;width:clamp(3.5rem,11vw,5rem);fill:var(--accent)}
.label .sign{fill:none;stroke:var(--ground);stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
.label h1,.label .kicker{color:var(--accent)}
.label p{margin:0}.label h1+p{margin-top:.35rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10.5rem),1fr));gap:1rem 1.5rem;border-bottom:1px solid var(--line)}
.facts dt{font-size:.8125rem;color:var(--quiet)}
.facts dd{font-size:1.125rem}
.grounds>*+.kicker{margin-top:1.25rem}
.degraded{background:var(--caution-ground);border-top:1px solid var(--line)}
.degraded h3{color:var(--caution);margin-bottom:.35rem}
.degraded li+li{margin-top:.4rem}
.warnings{border-top:0;border-bottom:1px solid var(--line)}

.score{display:inline-flex;align-items:center;gap:.6rem;font-variant-numeric:tabular-nums}
.bar{display:inline-block;width:4.5rem;height:.5rem;border-radius:.25rem;background:var(--line);overflow:hidden}
.bar span{display:block;height:100%;background:var(--accent,var(--quiet))}

.ladder{margin-top:2rem}
.ladder>li{display:grid;grid-template-columns:2.75rem 1fr;gap:1.25rem;padding-bottom:2rem;position:relative}
.ladder>li:not(:last-child)::before{content:"";position:absolute;left:1.3125rem;top:2.75rem;bottom:0;width:2px;background:var(--line)}
.rung{display:grid;place-items:center;width:2.75rem;height:2.75rem;border:2px solid var(--line);border-radius:50%;font-weight:600;color:var(--quiet);background:var(--paper)}
.ladder header{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:center;min-height:2.75rem}
.ladder .decided .rung{background:var(--ink);border-color:var(--ink);color:var(--paper)}
.ladder .decided .badge{background:var(--ink);border-color:var(--ink);color:var(--paper)}
.ladder .decided h3{font-size:1.25rem}
.ladder .not-reached .rung,.ladder .not-checked .rung{border-style:dashed}
.question{color:var(--quiet)}
.ladder .question+p{font-weight:500}
.finding{margin-top:.75rem}

.content,.image,.passages{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem clamp(1rem,3vw,1.75rem);margin-top:1.25rem}
.content>h3,.passages>h3{margin-bottom:.5rem}
.observation{border-style:dashed}
.image .content{padding:1.25rem 0 0;border-width:1px 0 0;border-radius:0;background:none}
.image details{margin:.75rem 0}
.image summary{cursor:pointer;color:var(--link);padding:.25rem 0}
.image img{display:block;max-width:100%;max-height:32rem;height:auto;border-radius:.5rem;margin-top:.5rem}
.source{white-space:pre-wrap;unicode-bidi:plaintext;font-size:1.0625rem;line-height:1.85;overflow:auto;padding-block:.25rem}
.observation .source{font-size:1rem;line-height:1.75}
mark{color:inherit;padding:.1em 0;border-radius:.15em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
mark.risk{background:var(--risk-ground);border-bottom:2px solid var(--risk)}
mark.implicit{background:var(--implicit-ground);border-bottom:2px dotted var(--implicit)}
mark.neutral{background:var(--line);border-bottom:2px solid var(--quiet)}
mark.exoneration{background:var(--exoneration-ground);border-bottom:2px dashed var(--exoneration)}
mark.both{background:var(--both-ground);border-bottom:4px double var(--both)}
.legend-line mark{margin-inline-end:.75rem;padding:.1em .3em;color:var(--ink)}
.reference{font-size:.75rem;line-height:0;font-weight:600;user-select:none;unicode-bidi:isolate}
.reference a{padding:.25em .1em;text-decoration:none}
.elision{display:block;text-align:center;font-size:.875rem;color:var(--quiet);border-block:1px dashed var(--line);padding:.5rem;margin-block:.75rem}
:target{scroll-margin-top:30vh}
.reference:target a,.card:target,.ladder>li:target .rung{outline:3px solid var(--link);outline-offset:2px}

.quotes{margin-top:.75rem}
.quotes li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.7rem}
.quotes li+li{margin-top:.6rem}
.passages .quotes li{padding-block:.75rem;border-top:1px solid var(--line);margin:0}
.number-tag{align-self:start;min-width:1.6rem;margin-top:.1rem;text-align:center;font-size:.8125rem;font-weight:600;text-decoration:none;border:1px solid var(--line);border-radius:.35rem;line-height:1.4rem;padding-inline:.25rem;background:var(--paper);color:var(--quiet)}
a.number-tag{color:var(--link)}
.bullets{list-style:disc;padding-inline-start:1.2rem}
.quote{display:block;white-space:pre-wrap;unicode-bidi:plaintext;font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif","Noto Serif CJK SC",Georgia,serif}
s.quote{color:var(--quiet)}
.struck{color:var(--caution)}
.clauses{display:flex;flex-direction:column;gap:.4rem;margin-top:.75rem}
.clauses li{font-size:.9375rem;font-weight:500;padding-inline-start:1.1rem;text-indent:-1.1rem}
.clauses li::before{content:"§";display:inline-block;width:1.1rem;text-indent:0;color:var(--quiet)}
.grounds .clauses,.grounds .quotes{margin-top:.25rem}

.trajectory{display:grid;grid-template-columns:minmax(0,1.2fr) minmax(0,1fr);gap:1.5rem 2.5rem;align-items:center;margin-top:1rem}
.chart{width:100%;height:auto;max-width:34rem}
.chart .grid{stroke:var(--line)}
.chart .axis{fill:var(--quiet);font-size:12px}
.chart .value{fill:var(--ink);font-size:12px;font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.series{--tone:var(--ink)}
.series.circle{--tone:var(--risk)}.series.square{--tone:var(--exoneration)}
.series polyline{fill:none;stroke:var(--tone);stroke-width:2.5}
.series.square polyline{stroke-dasharray:7 5}
.series .mark{fill:var(--tone);stroke:var(--tone);stroke-width:2}
.series .hollow{fill:var(--paper)}
.legend{width:1.1em;height:1.1em;vertical-align:-.2em;margin-inline-end:.4em}

.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1.25rem;margin-top:.75rem;align-items:start}
section>h3{margin-top:2.25rem}
.side{display:grid;gap:1.25rem;min-width:0}
.card{background:var(--surface);border:1px solid var(--line);border-top:4px solid var(--accent,var(--quiet));border-radius:.75rem;padding:1.25rem clamp(1rem,3vw,1.5rem);min-width:0}
.card.risk{--accent:var(--risk)}.card.exoneration{--accent:var(--exoneration)}
.card.neutral{border-top:1px solid var(--line)}
.card.stand-in{border-style:dashed}
.card>*+*{margin-top:.9rem}
.card header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:flex-start}
.standing{display:grid;justify-items:end}
.concession{padding:.75rem 1rem;border-radius:.5rem;background:var(--exoneration-ground)}
.risk .concession{background:var(--risk-ground)}
.concession .badge{color:var(--ink);margin-bottom:.35rem}
.notice{padding:.75rem 1rem;border-radius:.5rem;background:var(--caution-ground);border-inline-start:4px solid var(--caution)}
.notes{border-top:1px dashed var(--line);padding-top:.6rem}
.stop{margin-top:.9rem;text-align:center}
section>h3+.card{margin-top:.75rem}
.card.outcome{border:2px solid var(--caution)}

.conversation{display:grid;gap:1.25rem;margin-top:1.25rem}
.conversation .content{margin-top:0}
.said{min-width:0;display:grid;gap:.75rem;grid-template-columns:minmax(0,1fr)}
.said.asks{margin-inline-end:clamp(0rem,8vw,6rem)}
.said.answers{margin-inline-start:clamp(0rem,8vw,6rem)}
.said.answers>.content:first-child{border-inline-start:4px solid var(--ink)}
.said.instructs>.content:first-child{background:none;border-style:dashed}
.content .badge{margin-inline-end:.25rem}

.concepts .triangle{fill:var(--surface);stroke:var(--quiet);stroke-width:1.5;stroke-linejoin:round}
.concepts .corner{fill:var(--ink);font-size:14px;font-weight:600}
.voice{--tone:var(--ink);--number:var(--paper)}
.voice.auditor{--tone:var(--risk)}.voice.detector{--tone:var(--implicit)}.voice.critic{--tone:var(--both)}
.voice.auditor{--tint:var(--risk-ground)}.voice.detector{--tint:var(--implicit-ground)}.voice.critic{--tint:var(--both-ground)}
.voice polyline{fill:none;stroke:var(--tone);stroke-width:2;stroke-linejoin:round}
.voice.detector polyline{stroke-dasharray:7 4}
.voice.critic polyline{stroke-dasharray:2 4;stroke-linecap:round}
.voice.mixture polyline{stroke-width:4;opacity:.55}
.voice .mark{fill:var(--tone);stroke:var(--tone);stroke-width:2;stroke-linejoin:round}
.voice.variant-2 .mark{fill:var(--surface)}.voice.variant-3 .mark{fill:var(--tint,var(--line))}
.voice.variant-2,.voice.variant-3{--number:var(--tone)}
.voice .stand-in{fill:var(--surface);stroke-dasharray:3 3}
.voice .stand-in+.ordinal{fill:var(--tone)}
.voice .ordinal{fill:var(--number);font-size:11px;font-weight:700}
.voice .several{font-size:8.5px}
.voice .leader{stroke:var(--tone);stroke-width:1}
.legend.voice{width:1.35em;height:1.35em;vertical-align:-.3em}
.numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:2rem 2rem;align-items:start;margin-top:2rem}
.numbers .scroll+.scroll{margin:0}
.numbers th,.numbers td{padding-block:.3rem}
caption{text-align:start;font-weight:600;padding-bottom:.25rem}
.group{font-size:.8125rem;font-weight:600;color:var(--quiet);padding-top:.9rem!important}
.numbers p{margin-top:.5rem}

.card.auditor{--accent:var(--risk)}.card.detector{--accent:var(--implicit)}.card.critic{--accent:var(--both)}
.critique{margin-top:1.25rem}
.card header.in-a-word{flex-wrap:nowrap}
.in-a-word>:first-child{min-width:0}
.in-a-word .standing{flex:none}
.distribution{display:grid;gap:.35rem}
.shares{display:flex;height:.5rem;border-radius:.25rem;overflow:hidden;background:var(--line)}
.shares span{height:100%}
.shares .explicit{background:var(--risk)}.shares .implicit{background:var(--implicit)}.shares .none{background:var(--line)}
.objections>li+li{margin-top:.75rem}
.badge.material{color:var(--caution)}
.tally{margin-top:1rem;font-weight:600}

.precedents{display:grid;gap:1.25rem;margin-top:1.25rem}
.compare{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:.75rem 1.5rem;border-top:1px solid var(--line);padding-top:.9rem}
dt{font-size:.8125rem;font-weight:600;color:var(--quiet)}

.scroll{overflow-x:auto}
.scroll+.scroll,.provenance+.scroll{margin-top:2rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem;overflow-wrap:normal}
th,td{text-align:start;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:baseline;font-weight:400}
thead th{font-size:.8125rem;font-weight:600;color:var(--quiet)}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap;padding-inline:.75rem 0}
.provenance>div{display:grid;grid-template-columns:10rem 1fr;gap:.25rem 1rem;padding-block:.5rem;border-bottom:1px solid var(--line)}
footer{margin-top:4rem;padding-top:1.25rem;border-top:1px solid var(--line)}

@media (max-width:40rem){
.trajectory{grid-template-columns:minmax(0,1fr)}
.facts{grid-template-columns:repeat(auto-fit,minmax(min(100%,8rem),1fr))}
.provenance>div{grid-template-columns:1fr}
.ladder>li{grid-template-columns:2.25rem 1fr;gap:.9rem}
.rung{width:2.25rem;height:2.25rem}
.ladder header{min-height:2.25rem}
.ladder>li:not(:last-child)::before{left:1.0625rem;top:2.25rem}
.label{align-items:flex-start}
}
@media print{
@page{margin:18mm 16mm}
html{font-size:11.5px}
body{padding:0;background:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.card,.ladder>li,.passages li,figure,tr,.facts{break-inside:avoid}
.image{break-inside:auto}
h2,h3,.lead{break-after:avoid}
.concepts{max-width:22rem}
section{margin-top:2rem}
.sides{grid-template-columns:1fr 1fr}
.scroll,.source{overflow:visible}
a{color:inherit}
}`;

export const styles = `:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}${layout}`;
