export const docsStyles = `
body{padding:0}
.layout{display:grid;grid-template-columns:17rem minmax(0,1fr);min-height:100vh}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:1rem;z-index:2;background:var(--surface);padding:.5rem 1rem}
.side-list{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1rem 2rem 1.5rem;border-inline-end:1px solid var(--line);background:var(--surface);font-size:.9375rem}
.side-list b.name{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif;font-size:1.5rem;font-weight:500}
.side-list h2{font:600 .8125rem/1.4 system-ui,sans-serif;letter-spacing:.02em;color:var(--quiet);margin:1.25rem 0 .25rem}
.side-list li a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .4rem;margin-inline:-.4rem;border-radius:.35rem;color:var(--ink);text-decoration:none}
.side-list li a:hover{background:var(--paper);text-decoration:underline}
.side-list .method{font-size:.625rem;min-width:3.1rem;padding:.05em .35em}
main{max-width:60rem;margin:0;padding:clamp(1.5rem,4vw,3rem) clamp(1rem,4vw,3.5rem) 6rem}
main h1{font-size:clamp(2.25rem,6vw,3rem)}
.guide{max-width:44rem;margin-top:1.25rem}
.guide p+p{margin-top:.75rem}
.side-list ul{padding:0}
section.chapter{margin-top:4rem}
section.chapter>h2{margin-bottom:.25rem;text-transform:none}
article{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1.5rem clamp(1rem,3vw,2rem);margin-top:1.5rem;scroll-margin-top:1rem}
article:target{outline:2px solid var(--link);outline-offset:-1px}
article h3{font-size:1.25rem;margin:0}
article h4{margin:1.5rem 0 .5rem}
article p{max-width:46rem}
.anchor{color:inherit;text-decoration:none}
.anchor:hover{text-decoration:underline}
.address{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin-block:.6rem .75rem}
.address code{font-size:1rem}
.method{display:inline-block;text-align:center;font:600 .75rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.1em .6em;border-radius:.35em;color:var(--implicit);background:var(--implicit-ground)}
.method.post{color:var(--exoneration);background:var(--exoneration-ground)}
.method.put,.method.patch{color:var(--caution);background:var(--caution-ground)}
.method.delete{color:var(--risk);background:var(--risk-ground)}
.members{width:100%;border-collapse:collapse;font-size:.9375rem}
.members th,.members td{text-align:start;vertical-align:top;padding:.45rem .75rem .45rem 0;border-top:1px solid var(--line);font-weight:400}
.members thead th{border-top:0;font-size:.8125rem;color:var(--quiet);font-weight:600}
.members td:nth-child(2){max-width:20rem}
.members th .small,.members th .required,.members th .optional{margin-inline-start:.25rem}
.depth-1{padding-inline-start:1.25rem!important}.depth-2{padding-inline-start:2.5rem!important}.depth-3{padding-inline-start:3.75rem!important}.depth-4{padding-inline-start:5rem!important}
.either th{color:var(--quiet);font-style:italic;padding-block:.6rem .2rem}
.required{font-size:.75rem;font-weight:600;color:var(--risk)}
.optional{font-size:.75rem;color:var(--quiet)}
.limit{display:inline-block;font-size:.8125rem;color:var(--quiet);border:1px solid var(--line);border-radius:.35em;padding:0 .45em;margin:.1em .2em .1em 0}
.problems{font-size:.9375rem;display:grid;gap:.25rem}
.problems b{display:inline-block;min-width:2.5rem;font-variant-numeric:tabular-nums}
.answers li{margin-top:.25rem}
pre{margin:0;padding:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;overflow:auto;max-height:30rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.875rem}
.examples{display:grid;gap:0 1.5rem}
details summary{cursor:pointer;color:var(--link);padding:.35rem 0}
details.example{margin-top:.25rem}
.try{margin-top:1.25rem;border-top:1px solid var(--line);padding-top:.5rem}
.try>summary{font-weight:600}
.try form{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:1rem;margin-top:.75rem;align-items:end}
.try label>span,.field>span{display:block;font-size:.8125rem;font-weight:600;margin-bottom:.2rem}
.try label span span{display:inline}
.try .wide,.try .buttons,.try .outcome{grid-column:1/-1}
.try .check{display:flex;gap:.5rem;align-items:center;grid-column:1/-1}
.try .check span{margin:0}
input:not([type=checkbox]),select,textarea{width:100%;font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--quiet);border-radius:.4rem;padding:.45rem .6rem;min-height:2.5rem}
textarea{font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;resize:vertical}
button{font:inherit;font-weight:600;line-height:1.2;color:var(--paper);background:var(--link);border:0;border-radius:.4rem;padding:.65rem 1.25rem;cursor:pointer}
button.stop{color:var(--ink);background:none;border:1px solid var(--quiet)}
.outcome>*+*{margin-top:.5rem}
.outcome .status{font-weight:600}
.outcome .status.good{color:var(--exoneration)}.outcome .status.bad{color:var(--risk)}
.field{display:block;margin-top:1rem;max-width:32rem}
.field>.small{font-weight:400;margin-top:.3rem}
.schemas article{padding-block:1.1rem}
.none{color:var(--quiet);margin-top:1rem}
[hidden]{display:none!important}
@media (max-width:56rem){
.layout{grid-template-columns:minmax(0,1fr)}
.side-list{position:static;height:auto;border-inline-end:0;border-bottom:1px solid var(--line);padding:1.25rem 1rem}
.side-list .groups{max-height:14rem;overflow-y:auto}
.members td:nth-child(2){max-width:12rem}
}
@media print{.side-list,.try{display:none}.layout{display:block}}
`;
