/** The look of a report: ink on paper, one accent, one warning colour; light or dark as the reader's system is. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --raised: #f3f3ef; --ink: #1c1d1f; --soft: #62656a; --faint: #a9abad; --rule: #dddcd6;
  --accent: #0b5c8a; --accent-soft: #b9c6ce; --heat: 178 58 30; --good: #256b3f; --bad: #a3361b; --invert: 1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181a; --raised: #1f2225; --ink: #e6e5e1; --soft: #a0a4a8; --faint: #63676b; --rule: #33373a;
    --accent: #74bde6; --accent-soft: #455159; --heat: 233 112 72; --good: #7cc596; --bad: #f0916f; --invert: 0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 58rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
h1, h2 { font-family: Charter, "Bitstream Charter", "Iowan Old Style", Cambria, Georgia, serif; font-weight: 600; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: .2rem 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 0 0 .3rem; }
h3 { font-size: .95rem; font-weight: 600; margin: 0 0 .5rem; }
p { margin: 0 0 .8rem; max-width: 42rem; }
section { border-top: 1px solid var(--rule); padding-top: 1.6rem; margin-top: 2.6rem; }
section > p { color: var(--soft); margin-bottom: 1.4rem; }
.eyebrow { color: var(--soft); font-size: .85rem; margin: 0; }
.verdict { border-left: 3px solid var(--soft); padding: .1rem 0 .1rem .9rem; margin: 1.2rem 0 0; }
.verdict.deployed { border-color: var(--good); } .verdict.deployed b { color: var(--good); }
.verdict.withheld { border-color: var(--bad); } .verdict.withheld b { color: var(--bad); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 2rem 3rem; }
.pair > * { min-width: 0; }
.headline { font-size: clamp(3rem, 9vw, 4.6rem); line-height: 1; letter-spacing: -.03em; font-weight: 600; margin: 0 0 .4rem; }
.headline small { font-size: .45em; font-weight: 500; letter-spacing: 0; color: var(--soft); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.2rem; margin: 1rem 0 0; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { font-weight: 500; color: var(--soft); text-align: left; }
td, th { padding: .28rem .6rem .28rem 0; vertical-align: middle; }
td.number, th.number { text-align: right; padding-right: 0; padding-left: .8rem; white-space: nowrap; }
.lined tbody tr { border-top: 1px solid var(--rule); }
.scroll { overflow-x: auto; }
.chosen td, .chosen th { color: var(--accent); font-weight: 600; }
.bars th { white-space: nowrap; } .note + .bars { margin-top: .8rem; } .bars td.bar { width: 50%; padding-right: 0; }
.bars i { display: block; height: .62rem; min-width: 2px; border-radius: 1px; background: var(--accent-soft); }
.bars .ours i { background: var(--accent); } .bars .ours th, .bars .ours td { color: var(--accent); font-weight: 600; }
.confusion { table-layout: fixed; font-size: .82rem; border-spacing: 2px; border-collapse: separate; }
.confusion td { text-align: center; padding: 0; height: 2rem; border-radius: 3px; background: rgb(var(--heat) / var(--share, 0)); }
.confusion th { text-align: center; padding: 0; }
.confusion td.right { background: var(--raised); color: var(--soft); }
.confusion td.none { color: var(--faint); }
.note { color: var(--soft); font-size: .82rem; margin: .6rem 0 0; }
.mistakes { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.4rem, 1fr)); gap: 1.3rem 1rem; margin: 0; padding: 0; }
figure { margin: 0; font-size: .82rem; line-height: 1.35; }
.mistakes img {
  display: block; width: 100%; max-width: 7rem; height: auto; image-rendering: pixelated; margin-bottom: .4rem;
  filter: invert(var(--invert)); outline: 1px solid var(--rule);
}
@media (prefers-color-scheme: light) { .mistakes img { outline-color: #22232d; outline-color: rgb(255 255 255 / .14); } }
figcaption span { color: var(--soft); }
svg { display: block; width: 100%; max-width: 28rem; height: auto; overflow: visible; }
svg text { fill: var(--soft); font-size: 12px; }
svg .title { fill: var(--ink); }
svg .grid { stroke: var(--rule); } svg .diagonal { stroke: var(--faint); stroke-dasharray: 4 4; }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
svg .dot { fill: var(--accent); } svg .whisker { stroke: var(--accent); opacity: .45; stroke-width: 1.5; }
svg .column { fill: var(--accent-soft); }
code { font: .88em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
ol { margin: 0; padding: 0; list-style: none; }
ol li { display: grid; grid-template-columns: 10rem 1fr; gap: 0 1rem; padding: .5rem 0; border-top: 1px solid var(--rule); }
ol li:first-child { border: 0; } ol li span { color: var(--soft); } ol li div { min-width: 0; }
footer { color: var(--soft); font-size: .82rem; border-top: 1px solid var(--rule); margin-top: 2.6rem; padding-top: 1rem; }
@media (max-width: 36rem) {
  main { padding: 1.6rem 1rem 3rem; } ol li { grid-template-columns: 1fr; } .confusion { font-size: .74rem; border-spacing: 1px; }
  .confusion td { height: 1.7rem; } .bars th { white-space: normal; } .bars td.bar { width: 34%; }
}
@media print { body { background: none; } section { break-inside: avoid; } }
`;
