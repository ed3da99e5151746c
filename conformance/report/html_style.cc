// The style sheet of the HTML page, and its only script.
#include <dlspec/conformance/report/html_parts.h>

namespace dlspec::conformance {

const char* const html_style = R"css(
:root { color-scheme: light dark; --page: #fff; --ink: #1b1b1f; --faint: #5b5e66; --line: #d4d6dc; --card: #f6f7f9;
  --bad: #a4161a; --warn: #7a5200; --good: #14692d; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --page: #16171a; --ink: #e6e7ea; --faint: #a3a6ae; --line: #3a3d44;
  --card: #202227; --bad: #ff8f88; --warn: #f0bd5b; --good: #79d08f; --link: #9cc2ff; } }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
code { font: 0.875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; } caption { text-align: left; color: var(--faint); padding-bottom: 0.25rem; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
.wide { overflow-x: auto; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem;
  margin: 0.5rem 0; padding: 0 1rem; }
details details { background: var(--page); }
summary { cursor: pointer; padding: 0.5rem 0; }
summary:focus-visible, a:focus-visible, .wide:focus-visible, input:focus-visible { outline: 2px solid var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--faint); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; white-space: pre-line; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.5rem; } }
.status { font-weight: 700; text-transform: uppercase; margin-right: 0.5rem; }
.status.fail, .status.crash, .status.timeout, .status.xpass, .verdict.fails { color: var(--bad); }
.status.warn, .verdict.warns { color: var(--warn); } .verdict.passes { color: var(--good); }
b.fail, b.crash, b.timeout { color: var(--bad); } b.warn { color: var(--warn); } b.pass { color: var(--good); }
p.verdict { font-size: 1.125rem; margin-bottom: 0.25rem; } p.verdict a { color: inherit; }
ul.counts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 0 0 1rem; padding: 0; }
ul.reasons { padding-left: 1.25rem; } ul.counts b, ul.reasons b { font-variant-numeric: tabular-nums; }
.observation { border-left: 3px solid var(--line); padding-left: 0.75rem; margin: 0.5rem 0; }
.faint, footer { color: var(--faint); } a { color: var(--link); }
fieldset.filter { border: 1px solid var(--line); border-radius: 0.4rem; display: flex; flex-wrap: wrap;
  gap: 0.25rem 1.25rem; } fieldset.filter label { padding: 0.25rem 0; }
body:has(#show-failing:checked) .finding:not(.failing), body:has(#show-warn:checked) .finding:not(.warn),
body:has(#show-info:checked) .finding:not(.info) { display: none; }
.unfound { display: none; } input[type="search"] { font: inherit; width: 100%; box-sizing: border-box;
  padding: 0.4rem 0.6rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card);
  color: inherit; } label.search { display: block; margin: 0.75rem 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
table.matrix th[scope="col"] { vertical-align: bottom; } table.matrix td { padding: 0; }
a.cell { display: block; padding: 0.4rem 0.75rem; color: inherit; min-width: 5.5rem; }
a.cell:focus-visible { outline: 3px solid var(--link); outline-offset: -3px; }
a.cell b { font-family: ui-monospace, monospace; } a.cell small { display: block; color: var(--faint); }
.fails { color: var(--bad); } .warns { color: var(--warn); } .shared, .copied { color: var(--good); }
td.fails { background: var(--card); border: 2px solid var(--bad); }
@media (min-width: 40.01rem) { section.pair th code, section.pair td code { white-space: nowrap; } }
@media (max-width: 40rem) { .cards, .cards tbody, .cards tr, .cards th, .cards td, .cards caption { display: block; }
  .cards thead { display: none; } .cards th, .cards td { border: 0; } .cards tr { border: 1px solid var(--line);
  margin: 0.5rem 0; } .cards td { display: grid; grid-template-columns: 7rem 1fr; padding: 0.25rem 0.75rem; }
  .cards td::before { content: attr(data-label); color: var(--faint); } .cards td:empty { display: none; }
  .cases td:nth-child(2)::before { content: 'requested'; }  .cases td:nth-child(3)::before { content: 'imported'; }
  .cases td:nth-child(4)::before { content: 'layout'; }  .cases td:nth-child(5)::before { content: 'memory'; }
  .cases td:nth-child(6)::before { content: 'read-only'; }  .cases td:nth-child(7)::before { content: 'by table'; }
  .cases td:nth-child(8)::before { content: 'result'; }  .cases td:nth-child(9)::before { content: 'why'; }
  .matrix.cards td { grid-template-columns: 1fr 1fr; padding: 0.25rem 0.75rem; }
  .matrix.cards td.fails { border: 2px solid var(--bad); } a.cell { padding: 0.25rem 0; } }
section.pair { display: none; } section.pair:target { display: block; }
@media print { section.pair { display: block; } fieldset.filter { display: none; } }
)css";

const char* const html_search = R"html(<script>
document.currentScript.insertAdjacentHTML('afterend', '<label class="search">Only findings with these words ' +
  '<input type="search"></label>');
document.querySelector('label.search input').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const finding of document.querySelectorAll('.finding')) {
    const text = finding.textContent.toLowerCase();
    finding.classList.toggle('unfound', !words.every(word => text.includes(word)));
  }
});
</script>
)html";

}  // namespace dlspec::conformance
