import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { readDataRows, type DataFormat, type DataRow, type Separator } from './data-rows.ts';

/** In pieces of a few bytes, so that every place is once the end of a piece. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, format: DataFormat = 'csv', size = 7): Promise<DataRow['variables'][]> {
  const rows: DataRow[] = [];
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  for await (const row of readDataRows(pieces(bytes, size), format)) rows.push(row);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  return rows.map(({ variables }) => variables);
}

async function problem(text: string | Uint8Array, format: DataFormat = 'csv'): Promise<string> {
  try {
    await read(text, format);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return error.message;
    throw error;
  }
  throw new Error('It was read.');
}

describe('CSV', () => {
  it('gives every value as it stands there', async () => {
    expect(await read('id,rate,big,zip,empty,space\n9007199254740993,0.10,1e400,00042,, x \n')).toEqual([
      { id: '9007199254740993', rate: '0.10', big: '1e400', zip: '00042', empty: '', space: ' x ' },
    ]);
  });

  it('knows quotes, line ends of every kind and a byte order mark', async () => {
    expect(await read('\ufeffa,b\r\n"x, ""y""\r\nz",1\r\n\r\nlast,"2"')).toEqual([
      { a: 'x, "y"\r\nz', b: '1' },
      { a: 'last', b: '2' },
    ]);
    expect(await read('a\r1\r2')).toEqual([{ a: '1' }, { a: '2' }]);
    expect(await read('a,b\n😀,é\n', 'csv', 1)).toEqual([{ a: '😀', b: 'é' }]);
  });

  it('holds values to the kind that the heading says, and keeps their text', async () => {
    expect(await read('a:number, b : boolean,c:json,d:string\n0.10,true,"[1.50, {""x"": 1e400}]",01\n-0,false,null,\n')).toEqual([
      { a: '0.10', b: 'true', c: '[1.50, {"x": 1e400}]', d: '01' },
      { a: '-0', b: 'false', c: 'null', d: '' },
    ]);
  });

  it('keeps names that an object of JavaScript has by itself', async () => {
    const [row] = await read('__proto__,constructor\n1,2\n');
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it.each([
    ['a,b\n1,2\n3\n', 'Line 3 of the data: 1 value for 2 columns: b is missing.'],
    ['a,b\n1,2,3\n', 'Line 2 of the data: 3 values for 2 columns: the value "3" has no column.'],
    ['a,b\n"x\ny",2\n3\n', 'Line 4 of the data: 1 value for 2 columns: b is missing.'],
    ['a,a\n1,2\n', 'Line 1 of the data: two columns are named a.'],
    ['a,a:number\n1,2\n', 'Line 1 of the data: two columns are named a.'],
    [
      'a:date\n1\n',
      'Line 1 of the data: heading "a:date" has an unknown type. After the colon, use one of string, number, boolean, json.',
    ],
    [
      'a,\n1,2\n',
      'Line 1 of the data: heading 2, "", is not a variable name. Use letters, digits, _, . and - and begin with a letter.',
    ],
    ['a:number\n01\n', 'Line 2 of the data: a must be a JSON number, but is "01".'],
    ['a:number\n1\n2\n,x\n', 'Line 4 of the data: 2 values for 1 column: the value "x" has no column.'],
    ['a:boolean\nTRUE\n', 'Line 2 of the data: a must be true or false, but is "TRUE".'],
    ['a:json\n"{"\n', 'Line 2 of the data: a must be JSON, but is "{". The text ends inside an object: a closing } is missing.'],
    ['a\n1\n"x\n\ny\n', 'Line 3 of the data: a quote in the row that begins here is never closed.'],
    [
      'a\nx"y\n',
      'Line 2 of the data: a value contains a quote but does not start with one. Put the whole value in quotes and double each quote in it.',
    ],
    [
      'a\n"x"y\n',
      'Line 2 of the data: only a comma or the end of the line can follow a closing quote. Double each quote inside a value.',
    ],
    ['a:number\n\n1\n\n\nx\n', 'Line 6 of the data: a must be a JSON number, but is "x".'],
    [
      'a:json:number\n1\n',
      'Line 1 of the data: heading "a:json:number" has an unknown type. After the colon, use one of string, number, boolean, json.',
    ],
    [`a:number\n${'x'.repeat(60)}\n`, `Line 2 of the data: a must be a JSON number, but is "${'x'.repeat(60)}".`],
    [`a:number\n${'x'.repeat(61)}\n`, `Line 2 of the data: a must be a JSON number, but is "${'x'.repeat(59)}…".`],
    [Array.from({ length: 1_001 }, (_, at) => `a${at}`).join(), 'Line 1 of the data: it names more than 1,000 columns.'],
    ['\n\n', 'The data is empty: its first line must name the variables.'],
    ['', 'The data is empty: its first line must name the variables.'],
  ])('%j is refused', async (text, message) => expect(await problem(text)).toBe(message));

  const semicolons = 'The columns of the data are separated by semicolons.';
  const tabs = 'The columns of the data are separated by tabs.';
  const emptyRow = 'The last row of the data has only empty cells and was left out.';
  it.each<[string, string, Separator | undefined, object[], string[]]>([
    ['commas', 'a,b\n1,2\n', undefined, [{ a: '1', b: '2' }], []],
    ['semicolons', 'a;b\n1,5;2\n', undefined, [{ a: '1,5', b: '2' }], [semicolons]],
    ['tabs', 'a\tb\n1;5\t2\n', undefined, [{ a: '1;5', b: '2' }], [tabs]],
    ['bars', 'a|b\n1|2\n', undefined, [{ a: '1', b: '2' }], ['The columns of the data are separated by vertical bars.']],
    ['one column', 'a\n1;5\n', undefined, [{ a: '1;5' }], []],
    ['quoted headings', '"a";"b"\r"1;5";"x\ny"\r', undefined, [{ a: '1;5', b: 'x\ny' }], [semicolons]],
    ['kinds', 'a:number;b:json\n1;"[1,2,3]"\n', undefined, [{ a: '1', b: '[1,2,3]' }], [semicolons]],
    ['empty lines first', '\r\n\r\na;b\r\n1;2\r\n', undefined, [{ a: '1', b: '2' }], [semicolons]],
    ['a byte order mark', '\ufeffa;b\r\n1;2\r\n', undefined, [{ a: '1', b: '2' }], [semicolons]],
    ['sep=', 'sep=;\r\na;b\r\n1;2\r\n', undefined, [{ a: '1', b: '2' }], [semicolons]],
    ['sep=, which is what is used anyway', 'sep=,\na,b\n1,2\n', undefined, [{ a: '1', b: '2' }], []],
    [
      'sep= that the header contradicts',
      'sep=\t\na;b\n',
      undefined,
      [],
      ['Line 2 of the data: heading 1, "a;b", is not a variable name. Use letters, digits, _, . and - and begin with a letter.'],
    ],
    [
      'a separator that was given',
      'a;b,c\n1,5;2\n',
      ';',
      [],
      ['Line 1 of the data: heading 2, "b,c", is not a variable name. Use letters, digits, _, . and - and begin with a letter.'],
    ],
    ['one that overrides sep=', 'sep=,\na;b\n1;2\n', ';', [{ a: '1', b: '2' }], []],
    ['an empty row at the end', 'a;b\n1;2\n;\n', undefined, [{ a: '1', b: '2' }], [semicolons, emptyRow]],
    [
      'empty rows at the end',
      'a,b\n1,2\n,\n\n,\n',
      undefined,
      [{ a: '1', b: '2' }],
      ['The last 2 rows of the data have only empty cells and were left out.'],
    ],
    [
      'an empty row before others',
      'a,b\n,\n1,2\n',
      undefined,
      [
        { a: '', b: '' },
        { a: '1', b: '2' },
      ],
      [],
    ],
    ['an empty cell of one column', 'a\n""\n', undefined, [{ a: '' }], []],
    [
      'a quote in the wrong place',
      'a;b\n"x"y;1\n',
      undefined,
      [],
      [
        'Line 2 of the data: only a semicolon or the end of the line can follow a closing quote. Double each quote inside a value.',
      ],
    ],
    [
      'a row that is too short, after sep=',
      'sep=;\na;b\n1\n',
      undefined,
      [],
      ['Line 3 of the data: 1 value for 2 columns: b is missing.'],
    ],
  ])('finds what separates its columns: %s', async (_, text, separator, rows, says) => {
    for (const size of [1, 7, 100]) {
      const notes: string[] = [];
      const found: object[] = [];
      const options = { separator, onNote: (note: string) => void notes.push(note) };
      try {
        for await (const { variables } of readDataRows(pieces(Buffer.from(text), size), 'csv', options)) found.push(variables);
      } catch (error) {
        notes.splice(0, notes.length, (error as AppError).message);
      }
      expect({ found, notes }).toEqual({ found: rows, notes: says });
    }
  });

  it('is read in any form of Unicode', async () => {
    expect(await read(Buffer.from('\ufeffname\tn\r\nZoë 😀\t1\r\n', 'utf16le'))).toEqual([{ name: 'Zoë 😀', n: '1' }]);
    expect(await problem(Buffer.from('PK\x03\x04'))).toBe('The data is a ZIP archive. Unpack it and use the file inside.');
  });

  it('has to be UTF-8', async () => {
    const wrong = 'a byte here is not UTF-8. Save the file as UTF-8.';
    expect(await problem(Buffer.from([0x61, 0x0a, 0x31, 0x0a, 0xff]))).toBe(`Line 3 of the data: ${wrong}`);
    expect(await problem(Buffer.from([0x61, 0x0a, 0xc3]))).toBe(`Line 2 of the data: ${wrong}`);
  });

  it('stops at a quote that takes too much', async () => {
    async function* endless() {
      yield Buffer.from('a\n"');
      for (;;) yield Buffer.alloc(1_048_576, 0x78);
    }
    const rows = readDataRows(endless(), 'csv');
    await expect(rows.next()).rejects.toThrow('Line 2 of the data: the row that begins here has more than 1,000,000 bytes.');
  });

  it('gives back whatever was written', async () => {
    const value = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (rows, size) => {
          const field = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const text = ['a,b', ...rows.map((row) => row.map(field).join(','))].join('\n');
          const end = rows.findLastIndex((row) => row.some((one) => one !== '')) + 1;
          expect(await read(text, 'csv', size)).toEqual(rows.slice(0, end).map(([a, b]) => ({ a, b })));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is read as it is asked for, and the source is released', async () => {
    let asked = 0;
    let ended = false;
    async function* source() {
      try {
        yield Buffer.from('n,id\n');
        for (asked = 1; asked <= 100_000; asked++) yield Buffer.from(`${asked},900719925474${asked}\n`);
      } finally {
        ended = true;
      }
    }
    const rows = readDataRows(source(), 'csv');
    expect((await rows.next()).value?.number).toBe(1);
    expect(asked).toBeLessThan(10_000);
    await rows.return();
    await new Promise(setImmediate);
    expect(ended).toBe(true);

    let last: DataRow | null = null;
    for await (const row of readDataRows(source(), 'csv')) last = row;
    expect(last).toEqual({ number: 100_000, variables: { n: '100000', id: '900719925474100000' } });
  });
});

describe('JSON lines', () => {
  it('give texts their characters and everything else as it is written', async () => {
    const line =
      '{"id":9007199254740993,"rate":0.10,"big":1e400,"zero":-0,"s":"a\\n\u2028é","t":true,"n":null,"o":{ "x" : [1.50, 2] }}';
    expect(await read(`\ufeff${line}\r\n\n  \n{"id":"1"}`, 'jsonl', 3)).toEqual([
      {
        id: '9007199254740993',
        rate: '0.10',
        big: '1e400',
        zero: '-0',
        s: 'a\n\u2028é',
        t: 'true',
        n: 'null',
        o: '{"x":[1.50,2]}',
      },
      { id: '1' },
    ]);
  });

  it.each([
    ['{"a":1}\n{"a":', 'Line 2 of the data: it is not JSON. The text ends where a value is missing (line 2, column 6).'],
    ['[1]', 'Line 1 of the data: it must be an object with the variables as members.'],
    ['{"a":1,"a":2}', 'Line 1 of the data: two members are named a.'],
    ['{"a b":1}', 'Line 1 of the data: "a b" is not a variable name. Use letters, digits, _, . and - and begin with a letter.'],
    ['{"$a":1}', 'Line 1 of the data: "$a" is not a variable name. Use letters, digits, _, . and - and begin with a letter.'],
    ['\n', 'The data is empty: write one object per line.'],
  ])('%j is refused', async (text, message) => expect(await problem(text, 'jsonl')).toBe(message));

  it('have up to so many values, variables and characters', async () => {
    const line = (values: number) => `{"a":[${'0,'.repeat(values - 3)}0]}`;
    expect(await read(line(50_000), 'jsonl', 65_536)).toHaveLength(1);
    expect(await problem(line(50_001), 'jsonl')).toBe(
      'Line 1 of the data: it has about 50,001 values; Croupier reads at most 50,000. Shorten it, or close its quotes.',
    );
    const names = (count: number) => `{${Array.from({ length: count }, (_, at) => `"a${at}":1`).join()}}`;
    expect(Object.keys((await read(names(1_000), 'jsonl', 65_536))[0] ?? {})).toHaveLength(1_000);
    expect(await problem(`{}\n${names(1_001)}`, 'jsonl')).toBe('Line 2 of the data: it names more than 1,000 variables.');
    const long = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    for (const size of [65_536, 2_000_000]) {
      expect(await read(`${long(1_000_000)}\n${long(1_000_000)}`, 'jsonl', size)).toHaveLength(2);
      await expect(read(`{}\n${long(1_000_001)}\n`, 'jsonl', size)).rejects.toThrow(
        'Line 2 of the data: it has more than 1,000,000 bytes.',
      );
    }
  });

  it('have to be UTF-8, by the line of the byte', async () => {
    const bytes = Buffer.concat([Buffer.from('{}\n{}\n'), Buffer.from([0xff])]);
    await expect(read(bytes, 'jsonl', 1)).rejects.toMatchObject({
      message: expect.stringContaining('Line 3 ') as string,
      details: { line: 3 },
    });
    await expect(read('{}\n{"a":', 'jsonl')).rejects.toMatchObject({ details: { line: 2 } });
  });

  it('stop at a line without an end', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1_048_576, 0x20);
    }
    await expect(readDataRows(endless(), 'jsonl').next()).rejects.toThrow('more than 1,000,000 bytes');
  });
});
