import { describe, expect, it } from 'vitest';
import { readBru, readBruExample } from './bru.ts';
import { planFiles, planImport } from './plan-import.ts';
import { readHash } from './signing-check.ts';
import { takeSecrets } from './take-secrets.ts';

const request = `meta {
  name: rounds
  type: http
}

post {
  url: https://a.example/serviceApi.php
  body: json
}

body:json {
  {"action":"getGameRound","platform":1,"partnerId":2,"data":{"roundId":1}}
}
`;
const bare = `example {
  name: It is there
  description: as in May
  request: {
    url: https://a.example/serviceApi.php
  }

  response: {
    headers: {
      content-type: application/json
    }

    status: {
      code: 200
      text: OK
    }

    body: {
      {
        "code": 0,
        "token": "tok-in-a-file"
      }
    }
  }
}
`;
const quoted = `example {
  name: Refused
  response: {
    status: {
      code: 403
    }
    body: {
      type: text
      content: '''
        no
          access
      '''
    }
  }
}
`;

describe('examples of Bruno', () => {
  it('are a name, a status and a body, in both ways of writing it', () => {
    const [first, second] = readBru(`${bare}\n${quoted}`, 'a.bru').map(({ text }) => readBruExample(text));
    expect(first).toEqual({
      name: 'It is there',
      status: '200',
      body: '{\n  "code": 0,\n  "token": "tok-in-a-file"\n}',
      others: ['description', 'request', 'headers'],
    });
    expect(second).toEqual({ name: 'Refused', status: '403', body: 'no\n  access', others: [] });
  });

  it('come with their request, masked; what they hold besides is named', async () => {
    const name = 'rounds.bru';
    const text = `${request}\n${bare}\n${quoted}\n${quoted.replace('code: 403', 'text: OK').replace('Refused', 'Without')}`;
    const { plan } = await planImport(
      [{ name, text }],
      { folder: '', names: [] },
      { choices: {}, remembered: { salt: '', choices: {} } },
      {
        holdsKey: async () => false,
        planFiles: async (input) => planFiles(input),
        readHash: async (body) => readHash(body),
        takeSecrets: async (input) => takeSecrets(input),
        at: () => undefined,
        environments: () => [],
        digest: async () => '',
      },
    );
    expect(plan.requests[0]?.request.examples).toEqual([
      { name: 'It is there', status: '200', body: '{\n  "code": 0,\n  "token": "[token]"\n}' },
      { name: 'Refused', status: '403', body: 'no\n  access' },
    ]);
    const named = plan.notCarried.map(({ what }) => what);
    expect(named).toContain('description, request, headers');
    expect(named).toContain('the saved response Without');
    expect(named).toContain('1 token in its saved responses');
  });

  it('come from its YAML form as well', async () => {
    const text = `info:
  name: rounds
  type: http
http:
  method: POST
  url: https://a.example/serviceApi.php
  body:
    type: json
    data: |-
      {"action":"getGameRound","platform":1,"partnerId":2,"data":{"roundId":1}}
examples:
  - name: ok
    request:
      url: https://a.example
    response:
      status: 200
      statusText: OK
      body:
        type: json
        data: |-
          {"code": 0, "amount": 0.10}
`;
    const { plan } = await planImport(
      [{ name: 'rounds.yml', text }],
      { folder: '', names: [] },
      { choices: {}, remembered: { salt: '', choices: {} } },
      {
        holdsKey: async () => false,
        planFiles: async (input) => planFiles(input),
        readHash: async (body) => readHash(body),
        takeSecrets: async (input) => takeSecrets(input),
        at: () => undefined,
        environments: () => [],
        digest: async () => '',
      },
    );
    expect(plan.requests[0]?.request.examples).toEqual([{ name: 'ok', status: '200', body: '{"code": 0, "amount": 0.10}' }]);
    expect(plan.notCarried.find(({ where }) => where.endsWith('the example ok'))?.what).toBe('request');
  });
});
