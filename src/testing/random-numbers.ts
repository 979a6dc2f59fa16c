import type { Choices } from './seeded-random.ts';

/** Returns JSON numbers of every form that a reader could take for another one. */
export function createNumbers({ below, chance, pick }: Choices): () => string {
  function digits(count: number): string {
    let text = '';
    for (let i = 0; i < count; i++) text += String(below(10));
    return text;
  }

  function integer(count: number): string {
    return count === 1 ? digits(1) : String(1 + below(9)) + digits(count - 1);
  }

  /** Returns a double made of random bits, so that every exponent occurs. */
  function anyDouble(): string {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, below(0x1_0000_0000));
    view.setUint32(4, below(0x1_0000_0000));
    const value = view.getFloat64(0);
    if (!Number.isFinite(value)) return '1.5';
    return pick([String(value), value.toExponential(), value.toPrecision(17), value.toPrecision(1 + below(20))]).replace(
      'e+',
      pick(['e+', 'e', 'E+', 'E0']),
    );
  }

  function number(): string {
    const sign = chance(0.25) ? '-' : '';
    const edge = () =>
      pick([2n ** 53n, 2n ** 63n, 10n ** 15n, 10n ** 16n, 10n ** 17n, 10n ** 18n, 10n ** 19n, 2n ** 64n]) + BigInt(below(7) - 3);
    switch (below(13)) {
      case 0:
        return sign + integer(1 + below(3));
      case 1:
        return sign + integer(1 + below(25));
      case 2:
        return sign + String(edge());
      case 3:
        return `${sign}${edge()}.${digits(1 + below(3))}`;
      case 4:
        return `${sign}${integer(1 + below(6))}.${digits(1 + below(20))}`;
      case 5:
        return `${sign}0.${'0'.repeat(below(8))}${digits(1 + below(18))}`;
      case 6:
        return `${sign}${integer(1 + below(18))}${chance(0.5) ? `.${digits(1 + below(18))}` : ''}${pick(['e', 'E'])}${pick(['', '+', '-'])}${digits(1 + below(2))}`;
      case 7:
        return `${sign}${integer(1)}.${digits(1 + below(17))}e${pick(['+', '-', ''])}${290 + below(45)}`;
      case 8:
        return (
          sign +
          pick([
            '0',
            '0.0',
            '0e1',
            '0E-5',
            '0.000',
            '0e400',
            '1e-400',
            '1.0',
            '1.50',
            '100.00',
            '1e400',
            '5e-324',
            '2e-324',
            '3e-324',
          ])
        );
      case 9:
        return (
          sign +
          pick([
            '1e15',
            '1e16',
            '1e17',
            '1e-4',
            '1e-5',
            '0.0001',
            '0.00001',
            '0.00009999999999999999',
            '99999999999999999',
            '99999999999999992.5',
            '123456789012345678',
            '1.7976931348623157e308',
            '1.7976931348623159e308',
            '2.2250738585072011e-308',
            '0.1e-3',
            '12e22',
          ])
        );
      case 10:
        return `${sign}${integer(300 + below(20))}`;
      default:
        return anyDouble();
    }
  }

  return number;
}
