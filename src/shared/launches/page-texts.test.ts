import { describe, expect, it } from 'vitest';
import { errorTextIn, loadingTextIn } from './page-texts.ts';

describe('the text of an error card', () => {
  it.each([
    'Session expired',
    'Your session has expired. Please log in again.',
    'Error 1042',
    'An unexpected error occurred',
    'This game is not available in your country',
    'Connection lost',
    '404 Not Found',
    'Die Sitzung ist abgelaufen.',
    'Ein Fehler ist aufgetreten',
    'Une erreur est survenue',
    'La sesión ha expirado',
    'Ocorreu um erro',
    'Si è verificato un errore',
    'Er is een fout opgetreden',
    'Något gick fel',
    'Wystąpił błąd',
    'Bir hata oluştu',
    'Произошла ошибка',
    'エラーが発生しました',
    '发生错误',
    '오류가 발생했습니다',
  ])('%s', (line) => expect(errorTextIn(`Lucky Seven\n  ${line} \nClose`, [])).toBe(line));

  it.each([
    'Malfunction voids all pays and plays',
    'Flawless play since 1998',
    'Session time 00:12:31',
    'Connection: good',
    'Big win 404.50 EUR',
    'Balance 500.00',
    'Please gamble responsibly',
    'If the connection to the server is interrupted while a round is open, the round is settled as if it had been played to its end.',
  ])('is not %s', (line) => expect(errorTextIn(line, [])).toBeNull());

  it('is also what the environment names, in any case', () => {
    expect(errorTextIn('TABLE CLOSED for tonight', ['Table closed'])).toBe('TABLE CLOSED for tonight');
  });
});

describe('a text that says that it loads', () => {
  it.each(['Loading…', 'LOADING 99 %', 'Loading… 99 %', 'Please wait', 'Wird geladen...', 'Загрузка', '加载中'])('%s', (line) =>
    expect(loadingTextIn(line)).toBe(line),
  );
  it.each(['Loading bay 7', 'Autoplay', 'Waiting for the next round'])('is not %s', (line) =>
    expect(loadingTextIn(line)).toBeNull(),
  );
});
