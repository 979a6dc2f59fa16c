import { describe, expect, it } from 'vitest';
import { createEventStreamParser } from './event-stream.ts';

describe('event stream parser', () => {
  it('gives the data of each complete event and passes over comments and other fields', () => {
    const parser = createEventStreamParser();
    expect(parser.push(': ready\n\n')).toEqual([]);
    expect(parser.push('event: x\nid: 3\ndata: {"a":1}\n\ndata: {"b":2}\n\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('gives the same events wherever the stream is cut', () => {
    const text = ': \n\ndata: one\n\ndata: two\r\ndata: and a half\r\n\r\ndata:three\n\ndata\n\ndata: \n\n';
    const whole = createEventStreamParser().push(text);
    expect(whole).toEqual(['one', 'two\nand a half', 'three', '', '']);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const parser = createEventStreamParser();
      expect([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]).toEqual(whole);
    }
    const parser = createEventStreamParser();
    expect(text.split('').flatMap((character) => parser.push(character))).toEqual(whole);
  });

  it('keeps an event that is not complete', () => {
    const parser = createEventStreamParser();
    expect(parser.push('data: half')).toEqual([]);
    expect(parser.push(' whole\n')).toEqual([]);
    expect(parser.push('\n')).toEqual(['half whole']);
  });
});
