/** The style sheet of the game and replay pages. Colours come from `--hue`, which a theme sheet sets. */
export const gameStyle = String.raw`
:root {
  --hue: 40;
  --gold: #f3c566;
  --gold-deep: #a8691b;
  --ink: #f7f1e6;
  --dim: #c3b8c9;
  --glass: rgb(255 255 255 / 7%);
  --edge: rgb(255 255 255 / 14%);
  --cell: min(26vmin, 15.5vh, 168px);
  font: 16px/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif;
}
* { box-sizing: border-box; }
html, body { height: 100%; }
body {
  margin: 0;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  color: var(--ink);
  background:
    radial-gradient(90vmax 60vmax at 50% 32%, hsl(var(--hue) 60% 24%) 0%, transparent 62%),
    radial-gradient(60vmax 40vmax at 12% 110%, hsl(calc(var(--hue) + 50) 55% 22%) 0%, transparent 70%),
    #0c0913;
  background-attachment: fixed;
  overflow-x: hidden;
}
button { font: inherit; color: inherit; cursor: pointer; }
button:focus-visible { outline: 3px solid #fff; outline-offset: 3px; }
button:disabled { cursor: default; }
svg { display: block; }
header {
  display: flex;
  align-items: center;
  gap: 12px;
  padding: max(12px, env(safe-area-inset-top)) clamp(14px, 3vw, 32px) 12px;
}
.title { flex: 1; min-width: 0; display: flex; align-items: center; gap: 12px; }
h1 {
  margin: 0;
  font-size: clamp(17px, 2.4vw, 24px);
  font-weight: 750;
  letter-spacing: -0.01em;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.mark {
  flex: none;
  width: 12px; height: 12px;
  border-radius: 3px;
  rotate: 45deg;
  background: linear-gradient(135deg, #fff3c9, var(--gold) 45%, var(--gold-deep));
  box-shadow: 0 0 16px hsl(var(--hue) 90% 65% / 60%);
}
.badge {
  padding: 3px 10px;
  border-radius: 99px;
  font-size: 12px;
  font-weight: 650;
  letter-spacing: 0.06em;
  text-transform: uppercase;
  color: var(--dim);
  background: var(--glass);
  border: 1px solid var(--edge);
  white-space: nowrap;
}
body[data-mode='real'] .badge { color: #1d1303; background: linear-gradient(#ffe6a6, var(--gold)); border-color: transparent; }
.badge:empty { display: none; }
.quiet {
  display: inline-flex;
  align-items: center;
  gap: 8px;
  min-height: 40px;
  padding: 0 14px;
  border-radius: 10px;
  border: 1px solid var(--edge);
  background: var(--glass);
  font-weight: 600;
}
.quiet:hover { background: rgb(255 255 255 / 14%); }
.quiet svg { width: 18px; height: 18px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
main {
  flex: 1;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: clamp(12px, 2.4vh, 24px);
  padding: 8px 14px;
}
.free {
  display: flex;
  align-items: center;
  gap: 10px;
  padding: 6px 18px 6px 10px;
  border-radius: 99px;
  font-weight: 650;
  background: linear-gradient(90deg, hsl(268 70% 42% / 85%), hsl(300 70% 42% / 75%));
  border: 1px solid rgb(255 255 255 / 25%);
  box-shadow: 0 6px 30px hsl(280 80% 50% / 35%);
}
.free[hidden] { display: none; }
.free svg { width: 28px; height: 28px; }
.cabinet {
  position: relative;
  padding: clamp(10px, 1.6vmin, 18px);
  border-radius: 26px;
  background: linear-gradient(160deg, #ffe9b0, var(--gold) 22%, #7c4a12 52%, var(--gold) 80%, #fff0c4);
  box-shadow: 0 24px 70px rgb(0 0 0 / 60%), 0 0 90px hsl(var(--hue) 85% 55% / 28%), inset 0 0 0 2px rgb(255 255 255 / 25%);
}
.reels {
  position: relative;
  display: grid;
  grid-template-columns: repeat(3, calc(var(--cell) * 1.12));
  gap: 6px;
  padding: 6px;
  border-radius: 16px;
  background: #160d1f;
  box-shadow: inset 0 0 30px #000;
}
.reel {
  height: calc(var(--cell) * 3);
  overflow: hidden;
  border-radius: 10px;
  background: linear-gradient(#d9cfc0, #fffdf8 22%, #fffdf8 78%, #cfc4b3);
  position: relative;
}
.reel::after {
  content: '';
  position: absolute;
  inset: 0;
  background: linear-gradient(rgb(28 12 36 / 62%), transparent 30%, transparent 70%, rgb(28 12 36 / 62%));
  pointer-events: none;
}
.strip { will-change: transform; }
.strip svg { width: 100%; height: var(--cell); padding: calc(var(--cell) * 0.11); filter: drop-shadow(0 3px 4px rgb(60 20 40 / 30%)); }
.strip svg.hit { animation: hit 620ms ease-in-out 2; }
@keyframes hit { 50% { transform: scale(1.14); } }
.line {
  position: absolute;
  inset: calc(50% - 1px) -16px auto;
  height: 2px;
  background: linear-gradient(90deg, transparent, hsl(var(--hue) 95% 60% / 55%) 8%, transparent 22%, transparent 78%, hsl(var(--hue) 95% 60% / 55%) 92%, transparent);
  pointer-events: none;
}
.line::before, .line::after {
  content: '';
  position: absolute;
  top: -8px;
  border: 9px solid transparent;
}
.line::before { left: 4px; border-left-color: #b3122f; }
.line::after { right: 4px; border-right-color: #b3122f; }
body[data-won='yes'] .line { height: 3px; background: hsl(var(--hue) 100% 62% / 55%); box-shadow: 0 0 26px hsl(var(--hue) 100% 60%); }
/* Above the cabinet's shadow. */
.message { position: relative; min-height: 1.5em; margin: 0; font-size: clamp(16px, 2.2vmin, 22px); font-weight: 600; color: #e6dcea; text-align: center; text-wrap: balance; }
body[data-won='yes'] .message { color: #ffe2a0; font-weight: 750; }
footer {
  display: grid;
  grid-template-columns: 1fr 1.5fr auto 1fr;
  align-items: center;
  gap: clamp(10px, 2vw, 28px);
  width: min(100%, 980px);
  margin: 0 auto;
  padding: 14px clamp(14px, 3vw, 28px) max(18px, env(safe-area-inset-bottom));
}
.cell { padding: 10px 16px; border-radius: 14px; background: var(--glass); border: 1px solid var(--edge); min-width: 0; }
.label { display: block; font-size: 12px; font-weight: 600; letter-spacing: 0.05em; text-transform: uppercase; color: var(--dim); }
.value { font-size: clamp(17px, 2.4vw, 22px); font-weight: 700; font-variant-numeric: tabular-nums; display: block; overflow-wrap: anywhere; }
.stepper { display: flex; align-items: center; justify-content: space-between; gap: 8px; }
.stepper button { flex: none; width: 36px; height: 36px; border-radius: 10px; border: 1px solid var(--edge); background: rgb(255 255 255 / 10%); font-size: 20px; line-height: 1; }
.stepper button:hover:not(:disabled) { background: rgb(255 255 255 / 20%); }
.stepper button:disabled, .spin:disabled { opacity: 0.45; }
.spin {
  width: clamp(88px, 13vmin, 116px);
  aspect-ratio: 1;
  border-radius: 50%;
  border: 0;
  display: grid;
  place-content: center;
  justify-items: center;
  gap: 2px;
  font-weight: 800;
  color: #2a1503;
  background: radial-gradient(circle at 35% 28%, #fff6d6, #ffcf5c 45%, #d98a16 85%);
  box-shadow: 0 10px 30px rgb(0 0 0 / 50%), inset 0 -6px 14px rgb(120 60 0 / 45%), 0 0 0 5px rgb(255 255 255 / 12%);
  transition: transform 120ms;
}
.spin:hover:not(:disabled) { transform: scale(1.04); }
.spin:active:not(:disabled) { transform: scale(0.96); }
.spin svg { width: 34px; height: 34px; fill: none; stroke: currentcolor; stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round; }
body[data-state='spinning'] .spin svg { animation: turn 700ms linear infinite; }
@keyframes turn { to { transform: rotate(360deg); } }
dialog {
  width: min(420px, calc(100vw - 32px));
  padding: 26px;
  border-radius: 20px;
  border: 1px solid var(--edge);
  color: var(--ink);
  background: #1b1326;
  box-shadow: 0 30px 90px #000;
}
dialog::backdrop { background: rgb(6 3 10 / 70%); backdrop-filter: blur(3px); }
dialog h2 { margin: 0 0 8px; font-size: 20px; }
dialog p { margin: 0; color: var(--dim); }
.actions { display: flex; justify-content: flex-end; gap: 10px; margin-top: 22px; }
.actions button:empty { display: none; }
.solid { min-height: 40px; padding: 0 18px; border-radius: 10px; border: 0; font-weight: 700; color: #2a1503; background: linear-gradient(#ffe6a6, var(--gold)); }
.cabinet.small { --cell: min(20vmin, 110px); }
.facts { width: min(520px, 100%); margin: 0; display: grid; gap: 1px; border-radius: 14px; overflow: hidden; border: 1px solid var(--edge); background: var(--edge); }
.facts div { display: flex; justify-content: space-between; gap: 16px; padding: 10px 16px; background: #1b1326; }
.facts dt { color: var(--dim); }
.facts dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; text-align: right; overflow-wrap: anywhere; }
@media (max-width: 680px) {
  :root { --cell: min(25vw, 11vh, 150px); }
  header .quiet { padding: 0 12px; }
  footer { grid-template-columns: 1fr auto 1fr; grid-template-areas: 'balance spin win' 'bet bet bet'; row-gap: 14px; }
  footer .cell:first-child { grid-area: balance; }
  .spin { grid-area: spin; }
  .win { grid-area: win; text-align: right; }
  .bet { grid-area: bet; }
  .cell { padding: 8px 12px; }
  .bet .label { text-align: center; }
  .stepper button { width: 48px; height: 40px; }
  .value { font-size: clamp(12px, 3.5vw, 20px); }
}
@media (max-width: 360px) { .cell { padding-inline: 8px; } }
@media (max-height: 460px) {
  :root { --cell: 13.5vh; }
  .quiet { min-height: 34px; }
  main { gap: 8px; }
  header { padding-block: 6px; }
  footer { padding-block: 6px 8px; }
  .spin { width: 72px; }
  .spin svg { width: 24px; height: 24px; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
`;
