import { symbols } from '#sandbox/slot-machine.ts';

/** Colour ramps that the symbols refer to. */
const gradients = `<defs>
<radialGradient id="red" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#ff8a8a"/><stop offset=".45" stop-color="#e0263f"/><stop offset="1" stop-color="#7c0a25"/></radialGradient>
<radialGradient id="yellow" cx=".35" cy=".3" r=".85"><stop offset="0" stop-color="#fff7b8"/><stop offset=".5" stop-color="#ffd23e"/><stop offset="1" stop-color="#c47f0a"/></radialGradient>
<radialGradient id="green" cx=".35" cy=".3" r=".9"><stop offset="0" stop-color="#b5f5b0"/><stop offset=".5" stop-color="#2fa85a"/><stop offset="1" stop-color="#0c5a38"/></radialGradient>
<linearGradient id="gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff0b3"/><stop offset=".45" stop-color="#f3b83b"/><stop offset="1" stop-color="#9a5b10"/></linearGradient>
<linearGradient id="violet" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#e9ccff"/><stop offset=".5" stop-color="#9a5bf0"/><stop offset="1" stop-color="#4a1a9c"/></linearGradient>
<linearGradient id="blue" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#d9f6ff"/><stop offset=".5" stop-color="#3fb4ef"/><stop offset="1" stop-color="#11519e"/></linearGradient>
<linearGradient id="crimson" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff6b6b"/><stop offset="1" stop-color="#b3122f"/></linearGradient>
</defs>`;

const drawings: Record<(typeof symbols)[number], string> = {
  cherry: `<path d="M36 62C38 40 52 26 72 18M68 66C70 46 70 30 72 18" fill="none" stroke="#3d8b4f" stroke-width="5" stroke-linecap="round"/><path d="M72 18c-16-10-30-6-34 4 12 8 26 6 34-4Z" fill="url(#green)"/><circle cx="34" cy="70" r="19" fill="url(#red)"/><circle cx="69" cy="73" r="19" fill="url(#red)"/><ellipse cx="27" cy="62" rx="5" ry="3.4" fill="#fff" opacity=".6" transform="rotate(-35 27 62)"/><ellipse cx="62" cy="65" rx="5" ry="3.4" fill="#fff" opacity=".6" transform="rotate(-35 62 65)"/>`,
  lemon: `<g transform="rotate(-28 50 52)"><path d="M10 52c4-3 5-6 8-12 7-13 19-20 33-20s25 7 32 19c3 6 4 9 8 12-4 4-5 8-8 14-7 12-19 19-33 19s-25-7-32-20c-3-5-4-9-8-12Z" fill="url(#yellow)"/><ellipse cx="38" cy="38" rx="12" ry="6" fill="#fff" opacity=".5" transform="rotate(-18 38 38)"/></g><path d="M66 20c4-9 14-12 22-8-2 9-12 14-22 8Z" fill="url(#green)"/>`,
  clover: `<path d="M52 56c2 14 8 24 18 32" fill="none" stroke="#1d7a48" stroke-width="6" stroke-linecap="round"/><g fill="url(#green)"><path d="M50 50C34 46 26 36 30 25c4-9 16-9 20 1 4-10 16-10 20-1 4 11-4 21-20 25Z"/><path d="M50 50C46 66 36 74 25 70c-9-4-9-16 1-20-10-4-10-16-1-20 11-4 21 4 25 20Z"/><path d="M50 50c4-16 14-24 25-20 9 4 9 16-1 20 10 4 10 16 1 20-11 4-21-4-25-20Z"/><path d="M50 50c16 4 24 14 20 25-4 9-16 9-20-1-4 10-16 10-20 1-4-11 4-21 20-25Z"/></g><circle cx="50" cy="50" r="5" fill="#d8ffd0" opacity=".7"/>`,
  bell: `<circle cx="50" cy="82" r="8" fill="#9a5b10"/><path d="M50 12c5 0 8 3 8 8 14 4 21 15 22 31 1 12 4 18 10 23H10c6-5 9-11 10-23 1-16 8-27 22-31 0-5 3-8 8-8Z" fill="url(#gold)"/><path d="M34 34c-5 5-7 12-7 22" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".6"/><rect x="8" y="70" width="84" height="8" rx="4" fill="#c9852a"/>`,
  star: `<path d="m50 8 12.4 26.9 29.4 3.5-21.7 20.1 5.7 29L50 73.1 24.2 87.5l5.7-29L8.2 38.4l29.4-3.5Z" fill="url(#violet)" stroke="#e9ccff" stroke-width="2.5" stroke-linejoin="round"/><path d="m50 18 9 20-9 32Z" fill="#fff" opacity=".28"/>`,
  diamond: `<path d="M26 18h48l18 24-42 46L8 42Z" fill="url(#blue)" stroke="#e5f9ff" stroke-width="2" stroke-linejoin="round"/><path d="M26 18 34 42H8ZM74 18 66 42h26ZM50 18 34 42h32Z" fill="#fff" opacity=".32"/><path d="M34 42h32L50 88Z" fill="#fff" opacity=".16"/>`,
  seven: `<path d="M18 16h66v16C68 46 60 62 58 88H34c2-22 9-38 24-52H36v10H18Z" fill="url(#crimson)" stroke="#ffd98a" stroke-width="4" stroke-linejoin="round"/><path d="M24 22h54" stroke="#fff" stroke-width="3" stroke-linecap="round" opacity=".5"/>`,
};

/** An SVG that shows nothing and holds every symbol as `#s0`, `#s1`, … in the order of the slot. */
export const symbolSprite = `<svg width="0" height="0" aria-hidden="true" focusable="false">${gradients}${symbols
  .map((name, index) => `<symbol id="s${index}" viewBox="0 0 100 100">${drawings[name]}</symbol>`)
  .join('')}</svg>`;

/** Returns a picture of one game: its colours, one of the symbols and its name. `hue` in degrees. */
export function thumbnailSvg(game: { readonly name: string; readonly hue: number; readonly symbol: number }): string {
  const drawing = drawings[symbols[game.symbol % symbols.length] ?? 'seven'];
  const lines = wrap(game.name);
  const second = (game.hue + 48) % 360;
  const start = 246 - (lines.length - 1) * 26;
  const name = lines
    .map((line, index) => `<text x="24" y="${start + index * 30}" font-size="26">${escapeXml(line)}</text>`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 280" width="400" height="280">${gradients}<defs><linearGradient id="back" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${game.hue} 62% 34%)"/><stop offset="1" stop-color="hsl(${second} 70% 12%)"/></linearGradient><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset=".35" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".72"/></linearGradient></defs><rect width="400" height="280" fill="url(#back)"/><circle cx="272" cy="112" r="128" fill="hsl(${game.hue} 90% 70%)" opacity=".14"/><circle cx="272" cy="112" r="88" fill="hsl(${game.hue} 95% 78%)" opacity=".16"/><g transform="translate(194 34) scale(1.56)">${drawing}</g><rect width="400" height="280" fill="url(#shade)"/><g fill="#fff" font-family="system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" font-weight="700">${name}</g></svg>`;
}

/** At most three lines of about 24 characters; a longer name ends in an ellipsis. */
function wrap(name: string): string[] {
  const lines: string[] = [''];
  for (const word of name.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length > 23) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.length <= 3 ? lines : [...lines.slice(0, 2), `${lines[2] ?? ''}…`];
}

/** Text for an XML or HTML element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
