import { describe, expect, it } from 'vitest';
import { recognise } from './recognise.ts';

const hash = '5d0c7be19f02c8a4716be35d90f8127c3a4b5e6d7f8091a2b3c4d5e6f7e07b12';
const other = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const time = '22-11-2026 10:40:02';
const data = String.raw`{"roundId":9007199254740993,"logMonth":0,"note":"https:\/\/a.example"}`;
const envelope = (text = data, action = 'getGameRound') =>
  `{"action":"${action}","platform":7,"partnerId":11,"time":"${time}","data":${text},"hash":"${hash}"}`;
const gameList = `{"action":"gameList","platform":7,"partnerId":11,"time":"${time}","currency":"EUR","hash":"${hash}"}`;

function first(text: string) {
  const { requests } = recognise(text);
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was recognised.');
  return request;
}

describe('an envelope as it was sent', () => {
  it('keeps its bytes and those of data', () => {
    const spaced = envelope().replaceAll(':', ' : ').replace('{', '{\r\n');
    expect(first(spaced)).toMatchObject({ layers: [], fidelity: 'exact', envelopeText: spaced });
    expect(first(` ${envelope()}\n`)).toMatchObject({ envelopeText: envelope(), dataText: data });
  });

  it('of gameList has its currency and no data', () => {
    expect(first(gameList)).toMatchObject({
      action: 'gameList',
      operations: ['gameList'],
      currency: 'EUR',
      dataText: null,
      hash,
    });
  });

  it('with an action that the spec does not show has no operation', () => {
    expect(first(envelope('{"id":1}', 'cancelRounds'))).toMatchObject({ action: 'cancelRounds', operations: [] });
  });

  it('begins with a byte order mark as Windows writes it', () => {
    expect(first(`\ufeff${envelope()}`)).toMatchObject({ fidelity: 'exact', dataText: data });
  });

  it('may have null, an array, or nothing for data', () => {
    expect(first(envelope('null')).dataText).toBeNull();
    expect(first(envelope('[]')).dataText).toBe('[]');
    expect(first(envelope('{ }')).dataText).toBe('{ }');
  });
});

describe('several ways to read a text', () => {
  it('of data in a string are both shown: as sent first in a whole envelope', () => {
    const encoded = JSON.stringify(data);
    expect(recognise(envelope(encoded)).requests.map(({ dataText }) => dataText)).toEqual([encoded, data]);
  });

  it('of data in a string are both shown: what was hashed first in a record of it', () => {
    const record = JSON.stringify({ time, data, hash });
    expect(recognise(record).requests.map(({ dataText }) => dataText)).toEqual([data, JSON.stringify(data)]);
  });

  it('of quotes that a shell escaped alone keep the slashes in the second', () => {
    const written = envelope().replaceAll('"', '\\"');
    const texts = recognise(`echo "${written}"`).requests.map(({ dataText }) => dataText);
    expect(texts).toEqual([data.replaceAll('\\/', '/'), data]);
  });

  it('of HTML in data are both shown, as it stands first', () => {
    const html = envelope('{"roundId":1,"logMonth":0,"url":"https://a.example/?a=1&amp;b=2"}');
    expect(recognise(html).requests.map(({ dataText }) => dataText?.includes('&amp;'))).toEqual([true, false]);
  });

  it('of a plus sign in a URL that encodes none are both shown', () => {
    const encoded = encodeURIComponent(envelope('{"roundId":1,"logMonth":0,"a":"b c"}')).replaceAll('%20', '+');
    const texts = recognise(`body=${encoded}`).requests.map(({ dataText }) => dataText?.slice(-8));
    expect(texts).toEqual(['"a":"b c"}'.slice(-8), '"a":"b+c"}'.slice(-8)]);
  });
});

describe('several things in one text', () => {
  it('are two requests, each with the code of its response', () => {
    const log = [
      envelope(),
      '{"code":8,"message":"hash not valid","data":null}',
      gameList,
      '{"code":0,"message":"ok","data":{}}',
    ];
    expect(recognise(log.join('\n')).requests.map(({ action, code }) => [action, code])).toEqual([
      ['getGameRound', 8],
      ['gameList', 0],
    ]);
  });

  it('are digests by themselves', () => {
    const { requests, hashes, problem } = recognise(
      `ours ${hash}\ntheirs ${other.toUpperCase()} ${hash.slice(0, 12)}... ${hash.slice(0, 9)}...`,
    );
    expect({ requests, hashes, problem }).toEqual({
      requests: [],
      hashes: [hash, other.toUpperCase(), `${hash.slice(0, 12)}…`],
      problem: null,
    });
  });

  it('are a request and another digest', () => {
    expect(recognise(`${envelope()}\nexpected ${other}`)).toMatchObject({ requests: [{ hash }], hashes: [other] });
  });

  it('are more requests than are listed', () => {
    const many = Array.from({ length: 130 }, (_, index) => envelope(`{"roundId":${index},"logMonth":0}`)).join('\n');
    const { requests, leftOff } = recognise(many);
    expect([requests.length, leftOff]).toEqual([100, 30]);
  });
});

it('a text without quotes ends where the next field begins, and not at a comma or a colon in it', () => {
  const java = `{action=getGameRound, platform=7, partnerId=11, time=${time}, data={roundId=1, note=a, b: c, logMonth=0}, hash=${hash}}`;
  const go = `map[action:getGameRound data:map[playerId:a, b: c roundId:1] hash:${hash} partnerId:11 platform:7 time:${time}]`;
  expect([java, go].map((text) => first(text).dataText)).toEqual([
    '{"roundId":1,"note":"a, b: c","logMonth":0}',
    '{"playerId":"a, b: c","roundId":1}',
  ]);
});

describe('parts of a request', () => {
  it('are data by itself, with each operation that has such fields', () => {
    expect(first('{"roundId": 1001, "logMonth": 0}')).toMatchObject({
      action: null,
      operations: ['roundReplayInfo', 'getGameRound'],
      dataText: '{"roundId": 1001, "logMonth": 0}',
      time: null,
      hash: null,
    });
  });

  it('are the body of a wallet method, which its URL names', () => {
    const body = '{"externalToken":"t","playerId":"p","gameId":"1","transactionId":"x","amount":1.50,"currency":"EUR"}';
    const curl = `curl https://wallet.example/api/win -d '${body}'`;
    expect(first(curl)).toMatchObject({ operations: ['win'], dataText: body, url: 'https://wallet.example/api/win' });
    expect(first(body).operations).toEqual(['bet', 'win', 'tournamentWin']);
  });

  it('are a hash input of gameList, which has no data', () => {
    expect(first(`<PRIVATE_KEY>${time}`)).toMatchObject({ time, dataText: null, layers: ['hash input'] });
  });

  it('are a hash input with a key in it, of which nothing comes back', () => {
    const key = 'sk-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';
    const found = recognise(`hash input: ${key}2026-11-22 10:40:02${data}`);
    expect(found.requests[0]).toMatchObject({ time: '2026-11-22 10:40:02', dataText: data });
    expect(JSON.stringify(found)).not.toContain(key);
  });

  it('are a hash with a time', () => {
    expect(first(`${hash} ${time}`)).toMatchObject({ hash, time, dataText: null });
  });

  it('are not taken from the time of a log', () => {
    expect(first(`[2026-11-22 10:40:02] production.ERROR: refused {"data":${data}} []`).time).toBeNull();
  });
});

describe('what was masked or truncated', () => {
  it.each(['[FILTERED]', '***', '<redacted>', '5d0c7be19...', '[token]'])('is missing: a hash of %s', (mark) => {
    expect(first(envelope().replace(hash, mark))).toMatchObject({ hash: null, missing: ['hash'] });
  });

  it('is missing: a token in data', () => {
    const launch = '{"gameMode":"real","gameId":"1","lang":"en","externalToken":"[token]","playerId":"p"}';
    expect(first(envelope(launch, 'getLauncherURL')).missing).toEqual(['data.externalToken']);
  });

  it('is missing: all of data, if it breaks off there', () => {
    expect(first(envelope().slice(0, 130))).toMatchObject({
      action: 'getGameRound',
      time,
      dataText: null,
      missing: ['data', 'hash'],
    });
  });

  it('is a hash alone, if the text breaks off behind data', () => {
    expect(first(envelope().slice(0, -30))).toMatchObject({ dataText: data, hash: null, missing: ['hash'] });
  });

  it('keeps a digest of another length or alphabet, which is a mistake to find', () => {
    expect(first(envelope().replace(hash, hash.slice(0, 32))).hash).toBe(hash.slice(0, 32));
    const base64 = Buffer.from(hash, 'hex').toString('base64');
    expect(first(envelope().replace(hash, base64)).hash).toBe(base64);
  });
});

describe('a text that was made to hurt', () => {
  it('is not read to its end, and says so', () => {
    const { requests, problem } = recognise(`${envelope()}\n${"{'hash': ".repeat(20_000)}`);
    expect(requests).toMatchObject([{ hash }]);
    expect(problem).toMatch(/^Croupier did not read this text to the end/);
  });

  it('may have more values than a call of a function has room for', () => {
    for (const text of [`{"hash":1,"x":[${'1,'.repeat(300_000)}1]}`, `{'hash':[${'1,'.repeat(300_000)}1]}`]) {
      expect(recognise(text).requests).toEqual([]);
    }
  });

  it('is not called a text without a request where Croupier did not read an object in it for its size', () => {
    const { problem } = recognise(envelope().replace('"data":{', `"data":{"x":[${'1,'.repeat(100_000)}1],`));
    expect(problem).toBe(
      'Croupier did not read an object in this text: it has more than 100,000 values. Paste a shorter request.',
    );
  });
});

describe('what a program put in place of a value', () => {
  it('is missing: a variable of a shell or of a client', () => {
    const curl = `curl https://api.example/serviceApi.php -d "${envelope().replace(hash, '$HASH').replaceAll('"', '\\"')}"`;
    expect(first(curl)).toMatchObject({ hash: null, missing: ['hash'] });
    const template = envelope().replace(hash, '{{hash}}').replace(time, '{{time}}');
    expect(first(template)).toMatchObject({ time: null, hash: null, missing: ['hash', 'time'] });
  });

  it('is not the time of a request, if a log writes its own over it', () => {
    const record = {
      name: 'api',
      level: 50,
      action: 'getGameRound',
      data: { roundId: 1 },
      hash,
      msg: 'refused',
      time: '2026-11-22T10:40:02.118Z',
    };
    expect(first(JSON.stringify(record))).toMatchObject({ time: null, hash, fidelity: 'reencoded' });
    expect(first(JSON.stringify(record).replace('{', `{"time":"${time}",`)).time).toBe(time);
  });
});

describe('what is no request', () => {
  it('is answered with the reason, if it is a command whose body is elsewhere', () => {
    expect(recognise('curl https://api.example/serviceApi.php -d @body.json').problem).toBe(
      "The curl command was not read. Its body is in the file body.json, which Croupier doesn't read. Pass the contents with --data-raw.",
    );
  });

  it.each([
    '',
    'hello',
    '{}',
    '{"a":1}',
    'curl https://a.example',
    '{"code":8,"message":"hash not valid","data":null}',
    '{"action":',
  ])('is answered with advice: %j', (text) => {
    const { requests, hashes, problem } = recognise(text);
    expect([requests, hashes]).toEqual([[], []]);
    expect(problem).toMatch(/^No request found .*\.$/);
  });
});
