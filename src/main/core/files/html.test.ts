import { describe, expect, it } from 'vitest';
import { escapeAttribute, escapeHtml, htmlPage, htmlTable } from './html.ts';

describe('texts of others in a page', () => {
  it('cannot reorder what stands around them, and keep their characters', () => {
    const text = '<user\u202e \u2066// שלום\u2069>';
    const html = escapeHtml(text);
    expect(html).toBe(
      '&lt;user<bdi dir="ltr" data-control="RLO">\u202e</bdi> <bdi dir="ltr" data-control="LRI">\u2066</bdi>// <bdi>שלום</bdi>' +
        '<bdi dir="ltr" data-control="PDI">\u2069</bdi>&gt;',
    );
    expect(html.replace(/<[^>]*>/g, '')).toBe('&lt;user\u202e \u2066// שלום\u2069&gt;');
    expect(htmlTable([], [{ cells: ['a\u202eb'] }])).toContain('<td>a<bdi dir="ltr" data-control="RLO">\u202e</bdi>b</td>');
  });

  it('hide nothing', () => {
    expect(escapeHtml('a\u00a0b\u200b')).toBe(
      'a<bdi dir="ltr" data-control="NBSP">\u00a0</bdi>b<bdi dir="ltr" data-control="ZWSP">\u200b</bdi>',
    );
    expect(escapeHtml('می\u200cخ')).toBe('<bdi>می<bdi dir="ltr" data-control="ZWNJ">\u200c</bdi>خ</bdi>');
  });

  it('have the abbreviation in their place where only text can stand', () => {
    expect(escapeAttribute('a\u202e"b')).toBe('a[RLO]&quot;b');
    expect(htmlPage('a\u202eb', '')).toContain('<title>a[RLO]b</title>');
  });
});
