// Writes moments, in seconds since 1970, one a line, in the ways in which people use JavaScript: "line TAB way TAB base64".
import { readFileSync } from 'node:fs';

process.env.TZ = 'UTC';
const two = (value) => String(value).padStart(2, '0');
const clock = (d) => `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
const ways = {
  'padded parts': (d) => `${two(d.getDate())}-${two(d.getMonth() + 1)}-${d.getFullYear()} ${clock(d)}`,
  'without month + 1': (d) => `${two(d.getDate())}-${two(d.getMonth())}-${d.getFullYear()} ${clock(d)}`,
  'without padding': (d) =>
    `${d.getDate()}-${d.getMonth() + 1}-${d.getFullYear()} ${d.getHours()}:${d.getMinutes()}:${d.getSeconds()}`,
  'without both': (d) => `${d.getDate()}-${d.getMonth()}-${d.getFullYear()} ${d.getHours()}:${d.getMinutes()}:${d.getSeconds()}`,
  getDay: (d) => `${two(d.getDay())}-${two(d.getMonth() + 1)}-${d.getFullYear()} ${clock(d)}`,
  getYear: (d) => `${two(d.getDate())}-${two(d.getMonth() + 1)}-${d.getYear()} ${clock(d)}`,
  toISOString: (d) => d.toISOString(),
  'toISOString to its dot': (d) => d.toISOString().slice(0, 19),
  'toISOString with a space': (d) => d.toISOString().slice(0, 19).replace('T', ' '),
  toUTCString: (d) => d.toUTCString(),
  String: (d) => String(d),
  JSON: (d) => JSON.stringify(d),
  getTime: (d) => String(d.getTime()),
  seconds: (d) => String(Math.floor(d.getTime() / 1000)),
  'en-GB': (d) => d.toLocaleString('en-GB'),
  'en-US': (d) => d.toLocaleString('en-US'),
  'de-DE': (d) => d.toLocaleString('de-DE'),
};

readFileSync(0, 'utf8')
  .split('\n')
  .slice(0, -1)
  .forEach((line, at) => {
    for (const [way, write] of Object.entries(ways))
      process.stdout.write(`${at}\t${way}\t${Buffer.from(write(new Date(Number(line) * 1000))).toString('base64')}\n`);
  });
