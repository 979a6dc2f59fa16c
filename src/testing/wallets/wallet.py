"""An operator's wallet in Python with SQLite, as a good developer of one would write it, for tests of the wallet suite. Faults are
planted one at a time, by WALLET_FAULT: each stands beside the line that is right. Everything is in the folder WALLET_FOLDER.

    wallet.py setup     makes the database with the players of WALLET_PLAYERS
    wallet.py faults    prints the names of its faults
    wallet.py PORT      serves; prints the port
"""

import hashlib
import json
import os
import re
import secrets
import sqlite3
import sys
import threading
import time
import unicodedata
from decimal import Decimal
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FAULT = os.environ.get('WALLET_FAULT', '')
FOLDER = os.environ.get('WALLET_FOLDER', '.')
TRANSACTION = ['externalToken', 'playerId', 'gameId', 'transactionId', 'currency']
METHODS = {
    'playerInfo': ['externalToken'],
    'bet': TRANSACTION,
    'win': TRANSACTION,
    'cancel': TRANSACTION,
    'tournamentWin': TRANSACTION,
    'promoWin': [*TRANSACTION, 'externalReferenceId'],
    'generateNewToken': ['token', 'newGameId'],
}
DECIMALS = {'JPY': 0, 'KRW': 0, 'CLP': 0, 'KWD': 3, 'TND': 3, 'BHD': 3}
# Whoever made one of these mistakes has no unique index that would have shown it.
WITHOUT_INDEX = ['tournament-win-not-deduplicated', 'bets-only-deduplicated', 'conflict-booked', 'keys-in-memory']
WITHOUT_INDEX += ['bet-retried-after-win-booked', 'looked-up-before-lock']
# The lock is taken after everything was checked.
LATE_LOCK = ['lock-after-read', 'looked-up-before-lock', 'state-checked-before-lock']


class Refusal(Exception):
    """A call that the wallet does not carry out: the caller gets code and message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def fault(name):
    return FAULT == name


def connect():
    db = sqlite3.connect(f'{FOLDER}/wallet.sqlite', timeout=20, isolation_level=None)
    db.row_factory = sqlite3.Row
    db.execute('PRAGMA synchronous = NORMAL')
    return db


# Money: whole numbers of the currency's smallest unit, read from the digits that were sent.


def decimals_of(currency):
    return DECIMALS.get(currency, 2)


def minor_units(number, currency):
    """Returns the amount of a JSON number, given as its text."""
    if fault('float-money'):
        return float(number)
    shift = 2 if fault('amount-times-100-always') else decimals_of(currency)
    try:
        amount = Decimal(number)
    except ArithmeticError:
        raise Refusal(400, 'amount is too large') from None
    if not amount:
        return 0
    if not -30 < amount.adjusted() < 16:
        raise Refusal(400, 'amount is too large or has more decimals than the currency')
    units = Fraction(amount) * 10**shift
    if fault('amount-rounded-silently'):
        return int(units + Fraction(1, 2))
    if units.denominator != 1:
        raise Refusal(400, 'amount has more decimals than the currency')
    return units.numerator


def decimal_text(units, decimals):
    """Returns the JSON number of a balance, without zeros behind."""
    if fault('float-money'):
        return repr(float(units))
    if fault('balance-through-float'):
        return repr(units / 10**decimals)
    digits = str(abs(units)).rjust(decimals + 1, '0')
    whole, fraction = digits[: len(digits) - decimals], digits[len(digits) - decimals :].rstrip('0')
    return ('-' if units < 0 else '') + whole + ('.' + fraction if fraction else '')


# What came and what goes out.


class Number(str):
    """A number as it was written, so that no digit is lost."""


def refuse_constant(name):
    raise ValueError(name)


def read_body(raw):
    if len(raw) > 65_536:
        raise Refusal(413, 'Request too large')
    try:
        text = raw.decode('utf-8')
        body = json.loads(text, parse_float=Number, parse_int=Number, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Refusal(400, 'The body is no JSON') from None
    if not isinstance(body, dict):
        raise Refusal(400, 'The body is no JSON object')
    return body


def text_of(body, name):
    value = body.get(name)
    if name == 'externalToken' and not value and fault('empty-token-matches-null'):
        return None
    if not isinstance(value, str) or isinstance(value, Number) or not 0 < len(value) <= 255:
        raise Refusal(400, f'{name} must be a text of at most 255 characters')
    if any('\ud800' <= character <= '\udfff' for character in value):
        raise Refusal(400, f'{name} is no Unicode')
    return value


def amount_of(body, method, currency):
    """Returns the amount in minor units; None where a cancel has none."""
    if method == 'cancel' and 'amount' not in body:
        return None
    value = body.get('amount')
    # In Python True is a number.
    if fault('true-books-1') and isinstance(value, (Number, int)):
        value = Number(int(value)) if value is True or value is False else value
    if not isinstance(value, Number):
        raise Refusal(400, 'amount must be a number')
    amount = minor_units(value, currency)
    if fault('amount-made-positive'):
        amount = abs(amount)
    if amount < 0 or (amount == 0 and method != 'win'):
        raise Refusal(400, 'amount must be positive')
    return amount


def as_json(answer):
    """Writes the response; a balance is printed as it is, not through a float."""
    members = (f'"{name}":{value if name == "balance" else json.dumps(value, ensure_ascii=False)}' for name, value in answer.items())
    return ('{' + ','.join(members) + '}').encode()


# Sessions.


def player_of(db, token):
    select = 'SELECT players.*, sessions.currency AS used FROM players JOIN sessions USING (playerId) WHERE ended = 0 AND '
    if fault('sql-by-joining'):
        player = db.execute(f"{select} token = '{token}'").fetchone()
    elif fault('token-case-folded'):
        player = db.execute(f'{select} token = ? COLLATE NOCASE', [token]).fetchone()
    elif fault('empty-token-matches-null'):
        player = db.execute(f'{select} token IS ?', [token]).fetchone()
    else:
        player = db.execute(f'{select} token = ?', [token]).fetchone()
    if player is None:
        raise Refusal(404, 'Invalid Token')
    return player


def new_token(db, old):
    token = secrets.token_hex(32)
    if not fault('token-renewed-without-compare'):
        db.execute('BEGIN IMMEDIATE')
    if fault('renewed-by-ended-token'):
        player = db.execute('SELECT playerId, currency AS used FROM sessions WHERE token = ?', [old]).fetchone()
        if player is None:
            raise Refusal(404, 'Invalid Token')
    else:
        player = player_of(db, old)
    if fault('token-renewed-without-compare'):
        meet(player['playerId'])
    db.execute('UPDATE sessions SET ended = 1 WHERE token = ?', [old])
    currency = '' if fault('new-token-loses-currency') else player['used']
    db.execute('INSERT INTO sessions VALUES (?, ?, ?, 0)', [token, player['playerId'], currency])
    if db.in_transaction:
        db.execute('COMMIT')
    return token


balances = {}


def info_of(db, token):
    player = player_of(db, token)
    if fault('debit-first-check-after'):
        player = look(player['playerId'], lambda: player_of(db, token))
    balance = player['balance']
    if fault('balance-cached-per-process'):
        balance = balances.setdefault(player['playerId'], balance)
    answer = {'country': player['country'], 'currency': player['used']}
    return {**answer, 'balance': decimal_text(balance, player['decimals']), 'playerId': player['playerId']}


# Transactions.

in_use = set()


def transact(db, method, sent, body, raw):
    is_late = FAULT in LATE_LOCK
    if not is_late and not fault('debit-first-check-after'):
        db.execute('BEGIN IMMEDIATE')
    if method == 'tournamentWin' and fault('tournament-token-unchecked'):
        player = db.execute('SELECT * FROM players WHERE playerId = ?', [sent['playerId']]).fetchone()
    else:
        player = player_of(db, sent['externalToken'])
    if player['playerId'] != sent['playerId']:
        if fault('unknown-player-created') and not db.execute('SELECT 1 FROM players WHERE playerId = ?', [sent['playerId']]).fetchone():
            balance, currency = minor_units('1000', sent['currency']), sent['currency']
            row = [sent['playerId'], player['country'], currency, decimals_of(currency), balance]
            db.execute('INSERT INTO players VALUES (?, ?, ?, ?, ?)', row)
            player = db.execute('SELECT * FROM players WHERE playerId = ?', [sent['playerId']]).fetchone()
        else:
            raise Refusal(403, 'The session is of another player')
    if player['currency'] != sent['currency'] and not (method == 'win' and fault('win-currency-unchecked')):
        raise Refusal(400, 'Wrong currency')
    amount = amount_of(body, method, player['currency'])
    owner = player['playerId']
    if fault('player-in-global'):
        if inside == 1:
            in_use.clear()
        in_use.add(owner)
        db.execute('COMMIT')
        meet('all')
        owner = min(in_use)
        db.execute('BEGIN IMMEDIATE')
    key = key_of(sent, raw)
    first = first_of(db, owner, method, key, amount)
    if first is not None:
        return again(first, method, sent, amount, player)
    moved, bet = change_of(db, method, sent, amount, player)
    if FAULT == 'control-rendezvous':
        wait_for_another()
    elif is_late:
        meet(owner)
        db.execute('BEGIN IMMEDIATE')
    if fault('lock-after-read'):
        db.execute('UPDATE players SET balance = ? WHERE playerId = ?', [player['balance'] + moved, owner])
    else:
        db.execute('UPDATE players SET balance = balance + ? WHERE playerId = ?', [moved, owner])
    if fault('balance-from-body-stored') and isinstance(body.get('balance'), Number):
        balance = minor_units(body['balance'], player['currency'])
        db.execute('UPDATE players SET balance = ? WHERE playerId = ?', [balance, owner])
    balance = db.execute('SELECT balance FROM players WHERE playerId = ?', [owner]).fetchone()[0]
    if fault('debit-first-check-after') and balance < 0:
        wait_for_look(owner)
        db.execute('UPDATE players SET balance = balance - ? WHERE playerId = ?', [moved, owner])
        raise Refusal(402, 'Insufficient funds')
    if bet is not None:
        db.execute('UPDATE transactions SET state = ? WHERE id = ?', ['settled' if method == 'win' else 'cancelled', bet])
    trx = insert(db, owner, method, key, sent, amount, 'open' if method == 'bet' else 'booked')
    if fault('one-lock-for-all-players') and trx % 100 == 0:
        time.sleep(4.2)
    if db.in_transaction:
        db.execute('COMMIT')
    if fault('balance-of-before'):
        balance = player['balance']
    return answer_of(sent, trx, balance, player)


def insert(db, owner, method, key, sent, amount, state):
    reference = sent['externalReferenceId'] if method == 'promoWin' else None
    values = [owner, method, key, sent['transactionId'], sent['gameId'], amount, reference, state]
    columns = 'playerId, method, key, transactionId, gameId, amount, reference, state'
    remembered.add((owner, method, key))
    return db.execute(f'INSERT INTO transactions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', values).lastrowid


def answer_of(sent, trx, balance, player):
    answer = {'transactionId': sent['transactionId'], 'externalTrxId': f'{trx:08d}'}
    return {**answer, 'balance': decimal_text(balance, player['decimals'])}


def key_of(sent, raw):
    """By what a transaction is known again, with its player and method."""
    key = sent['transactionId']
    if fault('key-from-raw-body'):
        key = hashlib.sha256(raw).hexdigest()
    elif fault('dedupe-by-token'):
        key = f'{sent["externalToken"]}:{key}'
    elif fault('id-trimmed'):
        key = key.strip()
    elif fault('ids-normalised'):
        key = unicodedata.normalize('NFC', key)
    return key


remembered = set()


def first_of(db, owner, method, key, amount):
    """Returns the transaction of an earlier call that this one repeats."""
    select = 'SELECT * FROM transactions WHERE playerId = ? AND method = ? AND key = ?'
    known = [owner, method, key]
    if fault('tournament-win-not-deduplicated') and method == 'tournamentWin':
        return None
    if fault('bets-only-deduplicated') and method != 'bet':
        return None
    if fault('keys-in-memory') and tuple(known) not in remembered:
        return None
    if fault('conflict-booked'):
        return db.execute(f'{select} AND amount IS ?', [*known, amount]).fetchone()
    if fault('bet-retried-after-win-booked'):
        return db.execute(f"{select} AND state <> 'settled'", known).fetchone()
    return db.execute(select, known).fetchone()


def again(first, method, sent, amount, player):
    """A retry gets the present balance; another call with its id is refused."""
    reference = sent['externalReferenceId'] if method == 'promoWin' else None
    values = (sent['gameId'], first['amount'] if method == 'cancel' else amount, reference)
    if (first['gameId'], first['amount'], first['reference']) != values:
        raise Refusal(409, 'The id was used for another transaction')
    if first['state'] == 'cancelled':
        raise Refusal(410, 'The bet was cancelled')
    return answer_of(sent, first['id'], player['balance'], player)


def change_of(db, method, sent, amount, player):
    """Returns by how much the balance moves, and the bet that a win settles or a cancel calls off."""
    owner, name = player['playerId'], sent['transactionId']
    bets = "SELECT * FROM transactions WHERE playerId = ? AND gameId = ? AND method = 'bet'"
    opened = db.execute(f"{bets} AND state = 'open' ORDER BY transactionId = ? DESC, id DESC", [owner, sent['gameId'], name]).fetchone()
    if method == 'bet':
        called_off = "SELECT 1 FROM transactions WHERE playerId = ? AND transactionId = ? AND method = 'cancel'"
        cancelled = db.execute(called_off, [owner, name])
        if cancelled.fetchone():
            raise Refusal(410, 'The bet was cancelled')
        if amount > player['balance'] and not fault('no-funds-check') and not fault('debit-first-check-after'):
            if fault('refused-bet-cancellable'):
                insert(db, owner, method, name, sent, amount, 'open')
                db.execute('COMMIT')
            raise Refusal(402, 'Insufficient funds')
        return -amount, None
    if method == 'cancel':
        return cancel_of(db, sent, amount, owner)
    if player['balance'] + amount > 10**18:
        raise Refusal(400, 'The account is full')
    if method == 'win':
        newest = db.execute(f'{bets} ORDER BY id DESC', [owner, sent['gameId']]).fetchone()
        if opened is None or newest['state'] == 'cancelled':
            if fault('win-without-bet-dropped'):
                return 0, None
            raise Refusal(404, 'There is no open bet')
        return min(amount, 10 * opened['amount']) if fault('win-capped') else amount, opened['id']
    if method == 'promoWin':
        if fault('promo-needs-open-bet') and opened is None:
            raise Refusal(404, 'There is no open bet')
        if db.execute('SELECT 1 FROM transactions WHERE reference = ?', [sent['externalReferenceId']]).fetchone():
            raise Refusal(409, 'The reference was used for another transaction')
    return amount, None


def cancel_of(db, sent, amount, owner):
    """A cancel returns what the bet took, whatever amount it names. That of an unknown bet is remembered: its bet is refused."""
    name = sent['transactionId']
    if fault('any-players-bet-cancelled'):
        bet = db.execute("SELECT * FROM transactions WHERE transactionId = ? AND method = 'bet'", [name]).fetchone()
    elif fault('cancel-of-any-method'):
        bet = db.execute('SELECT * FROM transactions WHERE playerId = ? AND transactionId = ?', [owner, name]).fetchone()
    else:
        select = "SELECT * FROM transactions WHERE playerId = ? AND transactionId = ? AND method = 'bet'"
        bet = db.execute(select, [owner, name]).fetchone()
    if bet is None:
        return 0, None
    if bet['state'] == 'settled':
        raise Refusal(409, 'The bet is settled')
    if bet['method'] != 'bet':
        return -bet['amount'], bet['id']
    if fault('cancel-moves-nothing'):
        return 0, bet['id']
    if fault('cancel-trusts-amount') and amount is not None:
        return amount, bet['id']
    return bet['amount'], bet['id']


# Races that are certain: calls meet in the middle of a fault. The rightful wallet waits at the same place, inside its lock.

state = threading.Condition()
barriers = {}
overdrawn = set()
seen = set()
inside = 0


def meet(place):
    """Waits until another call has come to the place, or for 0.4 s."""
    with state:
        barrier = barriers.setdefault(place, threading.Barrier(2, timeout=0.4))
    try:
        barrier.wait()
    except threading.BrokenBarrierError:
        barrier.reset()


def wait_for_another():
    """Waits until another call is inside as well, or for 0.4 s."""
    with state:
        state.wait_for(lambda: inside > 1, 0.4)


def look(name, read):
    """Reads a player in the middle of an overdraft, or after 0.4 s."""
    with state:
        state.wait_for(lambda: name in overdrawn, 0.4)
    player = read()
    with state:
        if player['balance'] < 0:
            seen.add(name)
            state.notify_all()
    return player


def wait_for_look(name):
    """Waits until somebody has read the balance below zero, or for 0.4 s."""
    with state:
        overdrawn.add(name)
        state.notify_all()
        state.wait_for(lambda: name in seen, 0.4)
        overdrawn.discard(name)


def mark(sign):
    """How many calls are inside at once is seen by these marks."""
    global inside
    with state:
        inside += 1 if sign == '+' else -1
        with open(f'{FOLDER}/inside', 'a', encoding='ascii') as file:
            file.write(sign)
        state.notify_all()


# The server.


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self):
        size = self.headers.get('Content-Length', '')
        method = re.search(r'/(\w+)$', self.path.partition('?')[0])
        if not re.fullmatch(r'\d{1,7}', size) or method is None or method[1] not in METHODS:
            # What is not read would be taken for the next request.
            self.close_connection = True
            return self.say(400, Refusal(400, 'Unknown method or much too large'))
        raw = self.rfile.read(int(size))
        if len(raw) < int(size):
            self.close_connection = True
            return None
        mark('+')
        db = connect()
        try:
            self.say(200, self.answer(db, method[1], raw))
        except Refusal as refusal:
            self.say(200, refusal)
        except Exception:
            # Nobody outside learns more about a trouble of the wallet's own.
            self.say(500, Refusal(500, 'Internal error'))
        finally:
            # SQLite takes back what was not committed.
            db.close()
            mark('-')
        return None

    def answer(self, db, method, raw):
        body = read_body(raw)
        sent = {name: text_of(body, name) for name in METHODS[method]}
        if method == 'playerInfo':
            return info_of(db, sent['externalToken'])
        if method == 'generateNewToken':
            return {'token': new_token(db, sent['token'])}
        return transact(db, method, sent, body, raw)

    def do_GET(self):
        self.say(405, Refusal(405, 'Only POST'))

    def say(self, status, answer):
        is_refusal = isinstance(answer, Refusal)
        named = {'code': answer.code, 'message': str(answer)} if is_refusal else {'code': 0, 'message': 'ok', **answer}
        text = as_json(named)
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def set_up():
    db = connect()
    db.executescript("""PRAGMA journal_mode = WAL;
        CREATE TABLE players (playerId TEXT PRIMARY KEY, country TEXT, currency TEXT, decimals INTEGER, balance INTEGER);
        CREATE TABLE sessions (token TEXT UNIQUE, playerId TEXT NOT NULL, currency TEXT NOT NULL, ended INTEGER NOT NULL);
        CREATE TABLE transactions (id INTEGER PRIMARY KEY AUTOINCREMENT, playerId TEXT, method TEXT, key TEXT, transactionId TEXT,
            gameId TEXT, amount INTEGER, reference TEXT UNIQUE, state TEXT);
        CREATE INDEX bets ON transactions (playerId, transactionId);""")
    if FAULT not in WITHOUT_INDEX:
        db.execute('CREATE UNIQUE INDEX once ON transactions (playerId, method, key)')
    for player in json.loads(os.environ['WALLET_PLAYERS']):
        name, currency = player['playerId'], player['currency']
        decimals = 0 if fault('float-money') else decimals_of(currency)
        units = minor_units(player['balance'], currency)
        db.execute('INSERT INTO players VALUES (?, ?, ?, ?, ?)', [name, player['country'], currency, decimals, units])
        db.execute('INSERT INTO sessions VALUES (?, ?, ?, 0)', [player['externalToken'], name, currency])
        # A session that the player ended by leaving.
        db.execute('INSERT INTO sessions VALUES (NULL, ?, ?, 0)', [name, currency])


def main(task):
    with open(__file__, encoding='utf-8') as source:
        named = re.findall(r"(?:\bfault\(|FAULT == )'([a-z0-9-]+)'", source.read())
    names = sorted({*named, *WITHOUT_INDEX, *LATE_LOCK})
    if task == 'faults':
        print(json.dumps(names))
    elif FAULT and FAULT not in names:
        sys.exit(f'This wallet knows no fault {FAULT}')
    elif task == 'setup':
        set_up()
    else:
        ThreadingHTTPServer.request_queue_size = 128
        server = ThreadingHTTPServer(('127.0.0.1', int(task)), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()


main(sys.argv[1])
