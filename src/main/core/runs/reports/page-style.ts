/**
 * The look of a run's page, in light, dark and print. It has no script, because CI servers that show reports forbid them: the filter is a group
 * of radio buttons.
 */
export const pageStyle = `<style>
:root { --good: light-dark(#0a6b47, #6ddba8); --bad: light-dark(#b3261e, #ff8a80); --left: light-dark(#7a5900, #ffcf70); --line: light-dark(#d5d5da, #45454d); --ground: light-dark(#f5f5f7, #212126); }
body { max-width: 80rem; background: light-dark(#fff, #17171a); color: light-dark(#1b1b1f, #e6e6ea); }
h1 { margin-bottom: .25rem; } h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; } h4 { margin: .75rem 0 .25rem; font-size: .9rem; }
small { font-weight: normal; color: light-dark(#5a5a62, #a9a9b3); }
.states { display: flex; height: .75rem; margin: 1rem 0 .5rem; gap: 2px; }
.states span { min-width: 4px; border-radius: 2px; } .states .passed { background: var(--good); } .states :is(.failed, .error, .unfinished) { background: var(--bad); } .states .skipped, .states .cancelled { background: var(--left); }
.failure { margin: .75rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 4px; background: var(--ground); }
.failure p { margin: .35rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } .failure ul { margin: .35rem 0; padding-left: 1.25rem; } .failure li { overflow-wrap: anywhere; white-space: pre-wrap; }
.failure pre { margin: .25rem 0; max-height: 24rem; overflow: auto; border: 1px solid var(--line); background: light-dark(#fff, #17171a); }
summary { cursor: pointer; } fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; padding: 0; border: 0; } legend { padding: 0; font-weight: 600; }
.wide { overflow-x: auto; } td, th { padding-right: 1rem; } td:first-child { white-space: pre-wrap; min-width: 9rem; } td details { min-width: 12rem; } td details div { margin-top: .35rem; }
.requests th, .requests td.number { white-space: nowrap; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td.result { min-width: 8rem; }
td.time { min-width: 9rem; white-space: nowrap; font-variant-numeric: tabular-nums; } .bar { display: inline-block; height: .6rem; min-width: 2px; margin-right: .5rem; border-radius: 2px; background: light-dark(#5b6ee1, #8fa0ff); } .failed .bar, .error .bar { background: var(--bad); }
body:has(#only-wrong:checked) tr.passed, body:has(#only-passed:checked) tr:is(.failed, .error, .unfinished, .skipped, .cancelled), body:has(#only-findings:checked) tr.request:not(.findings) { display: none; }
body:has(#only-wrong:checked) .iteration.passed { display: none; }
@media (width < 40rem) { td.time { min-width: 0; } .bar { max-width: 1.5rem; } td:first-child, td.result { min-width: 6rem; } }
@media print { :root { color-scheme: light; font-size: 10px; } body { margin: 0; max-width: none; } fieldset { display: none; } details::details-content { content-visibility: visible; display: block; height: auto; } .failure pre { max-height: none; } pre, code { font-size: 9px; } .failure, tr { break-inside: avoid; } .states span, .bar { print-color-adjust: exact; } }
</style>`;
