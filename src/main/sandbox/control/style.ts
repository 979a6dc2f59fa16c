/** The style sheet of the control page, in the reader's own light or dark. */
export const controlStyle = String.raw`
:root {
  color-scheme: light dark;
  --ground: #f6f7f9;
  --panel: #ffffff;
  --ink: #1b1f27;
  --dim: #555d6b;
  --edge: #d4d9e1;
  --field-edge: #838c9b;
  --accent: #1f5fbf;
  --on-accent: #ffffff;
  --good: #17693a;
  --bad: #b3261e;
  font: 15px/1.5 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171d;
    --panel: #1c2028;
    --ink: #e8ebf0;
    --dim: #a5aebc;
    --edge: #343b47;
    --field-edge: #768092;
    --accent: #8ab4f8;
    --on-accent: #10151d;
    --good: #7bd09a;
    --bad: #ff9a91;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
header, main { max-width: 1040px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 24px; }
h1 { margin: 0; font-size: 22px; letter-spacing: -0.01em; }
h2 { margin: 0 0 12px; font-size: 16px; }
#identity { margin: 2px 0 0; color: var(--dim); overflow-wrap: anywhere; }
#said { min-height: 1.5em; margin: 4px 0; }
#said[data-tone='good'] { color: var(--good); }
#said[data-tone='bad'] { color: var(--bad); }
section { margin: 0 0 16px; padding: 18px 20px; background: var(--panel); border: 1px solid var(--edge); border-radius: 10px; }
section p { margin: 0 0 12px; color: var(--dim); }
section p:last-child { margin-bottom: 0; }
form { display: flex; flex-wrap: wrap; gap: 12px 14px; align-items: end; margin-bottom: 16px; }
label { display: grid; gap: 3px; color: var(--dim); font-size: 13px; }
[hidden] { display: none; }
input, select, button { font: inherit; font-size: 15px; color: var(--ink); }
input, select { height: 36px; padding: 0 10px; background: var(--panel); border: 1px solid var(--field-edge); border-radius: 6px; }
input { width: 130px; }
button { min-height: 36px; padding: 0 14px; background: var(--panel); border: 1px solid var(--field-edge); border-radius: 6px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--dim); border-style: dashed; cursor: default; }
th button { font-weight: 400; white-space: nowrap; }
::placeholder { color: var(--dim); opacity: 1; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th { text-align: start; font-weight: 600; font-size: 13px; color: var(--dim); }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--edge); }
tbody tr:last-child td { border-bottom: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
#faults td:last-child, th:has(#clear) { text-align: end; }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; padding-inline-end: 28px; }
.token { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 13px; overflow-wrap: anywhere; user-select: all; }
.buttons { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; color: var(--dim); }
@media (max-width: 560px) { section { padding: 14px; } label, input, select, form button { width: 100%; } th, td { padding-inline-end: 6px; } th button, td button { padding: 0 6px; } }
`;
