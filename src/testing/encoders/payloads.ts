/** A `data` of one operation, on one line, typed as a backend holds it: `1.0` is a float, `1` a whole number. */
export interface Payload {
  readonly name: string;
  /** Null for a text that shows one way to differ. */
  readonly action: string | null;
  readonly text: string;
}

/** Payloads of every operation whose data the spec shows (Endpoints, 2 to 6), plain and with values that tell encoders apart. `telling` has all marks that any encoder escapes. */
export const operationPayloads: readonly Payload[] = [
  { name: 'replay', action: 'roundReplayInfo', text: '{"roundId":1001,"logMonth":0}' },
  { name: 'long round', action: 'getGameRound', text: '{"roundId":9007199254740993,"logMonth":1}' },
  {
    name: 'fun',
    action: 'getLauncherURL',
    text: '{"gameMode":"fun","gameId":"1042","lang":"en","externalToken":"","playerId":"player-1","country":"DE","ip":"203.0.113.9","exitURL":""}',
  },
  {
    name: 'real',
    action: 'getLauncherURL',
    text: '{"gameMode":"real","gameId":"1042","lang":"en","externalToken":"q83v/Ty+4Q==","playerId":"player-1","country":"DE","ip":"203.0.113.9","exitURL":"https://lobby.example/?from=games&player=1"}',
  },
  {
    name: 'real, José',
    action: 'getLauncherURL',
    text: '{"gameMode":"real","gameId":"1042","lang":"es","externalToken":"q83v/Ty+4Q==","playerId":"José","country":"ES","ip":"203.0.113.9","exitURL":"https://lobby.example/?from=games&player=José"}',
  },
  {
    name: 'telling',
    action: 'getLauncherURL',
    text: '{"gameMode":"real","gameId":"1042","lang":"es","externalToken":"q83v/Ty+4Q==","playerId":"O\'Né <i>&\\"`\u2028🎰\u007f","country":"ES","ip":"203.0.113.9","exitURL":"https://lobby.example/?from=games&player=1"}',
  },
  {
    name: 'free rounds',
    action: 'freeRounds',
    text: '{"playerId":"player-1","externalReferenceId":"reference-1","freeRoundValidity":"31-12-2026 23:59:59","numberOfFreeRounds":10,"betLevel":0,"gameIds":["1042"]}',
  },
  {
    name: 'free rounds of two players',
    action: 'freeRounds',
    text: '{"playerIds":["player-1","player-2"],"externalReferenceIds":["reference-1","reference-2"],"freeRoundValidity":"31-12-2026 23:59:59","numberOfFreeRounds":10,"betLevel":1,"gameIds":["1042"]}',
  },
  {
    name: 'free rounds with an amount',
    action: 'freeRounds',
    text: '{"playerIds":["player-1"],"externalReferenceIds":["reference/1"],"freeRoundValidity":"31-12-2026 23:59:59","numberOfFreeRounds":10,"amount":0.15,"currency":"EUR","gameIds":["1042"]}',
  },
  {
    name: 'free rounds by bet',
    action: 'freeRoundsByBet',
    text: '{"playerIds":["player-1","player-2"],"externalReferenceIds":["reference-1","reference-2"],"freeRoundValidity":"31-12-2026 23:59:59","numberOfFreeRounds":10,"betAmount":1.0,"currency":"EUR","gameId":"1042"}',
  },
];

/** Each shows one way in which encoders differ. */
const featurePayloads: readonly Payload[] = Object.entries({
  slashes: '{"a":"1/2/3"}',
  'letters beyond ASCII': '{"a":"é"}',
  emoji: '{"a":"🎰"}',
  'marks of HTML': '{"a":"<&>"}',
  'marks that some escape': '{"a":"=\'+`"}',
  quotes: '{"a":"say \\"x\\" \\\\"}',
  'line separator': '{"a":"b\u2028"}',
  'delete character': '{"a":"b\u007f"}',
  'control characters': '{"a":"\\t\\n\\u001f"}',
  'a whole float': '{"amount":1.0}',
  'a float of ten million': '{"amount":12345678.0}',
  'a large float': '{"amount":1.0e+22}',
  'a small float': '{"amount":1.0e-5}',
  'a smaller float': '{"amount":0.0004}',
  noise: '{"amount":0.30000000000000004}',
  'two decimals': '{"amount":12.5}',
  'a long number': '{"a":9007199254740993}',
  'an empty list': '{"a":[]}',
  'an empty object': '{"a":{},"b":1}',
  nothing: '{"a":null,"b":1}',
  'empty text and zero': '{"a":"","b":0,"c":"0","d":false,"e":1}',
  numbers: '{"a":"007","b":"12.50","c":" 5","d":"1e3"}',
  order: '{"z":{"b":1,"a":2},"aa":1,"b":2}',
  'names that are numbers': '{"b":1,"10":2,"9":3}',
  lists: '{"a":["x","y"],"b":[{"c":true}]}',
  words: '{"a":true,"b":false}',
}).map(([name, text]) => ({ name, action: null, text }));

export const payloads: readonly Payload[] = [...operationPayloads, ...featurePayloads];
