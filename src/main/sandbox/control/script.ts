/** The control page's script, served as its own file. It runs in browsers, not in Croupier. */
export const controlScript = String.raw`
const at = (id) => document.getElementById(id);
const path = location.pathname;
const values = {
  delay: { name: 'Milliseconds', value: 3000, min: 1, max: 600000 },
  status: { name: 'HTTP status', value: 500, min: 400, max: 599 },
  code: { name: 'Code', value: 1, min: -999999999, max: 999999999 },
};
let shown = '';

function say(text, isProblem) {
  at('said').textContent = text;
  at('said').dataset.tone = isProblem ? 'bad' : 'good';
}
function cell(row, text, className) {
  const made = row.insertCell();
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
function effectText(effect) {
  if (effect.kind === 'delay') return 'Response delayed by ' + effect.ms.toLocaleString('en') + ' ms';
  if (effect.kind === 'status') return 'HTTP ' + effect.status;
  if (effect.kind === 'code') return 'Code ' + effect.code;
  if (effect.kind === 'drip') return 'Response byte by byte';
  if (effect.kind === 'cutBody') return 'Connection cut in the body';
  return effect.kind === 'cut' ? 'Connection cut before acting' : 'Connection cut after acting';
}
function whereText(where) {
  return where === 'all' ? 'All operations' : where;
}
function show(state) {
  at('identity').textContent = state.baseUrl + ', platform ' + state.platform + ', partnerId ' + state.partnerId;
  if (at('where').length === 0) {
    for (const where of ['all', ...state.operations]) at('where').add(new Option(whereText(where), where));
  }
  at('save').disabled = !state.canSave;
  at('cannot-save').hidden = state.canSave;
  const text = JSON.stringify([state.faults, state.players]);
  if (text === shown) return;
  shown = text;
  const kept = document.activeElement?.dataset?.fault;
  at('faults').replaceChildren();
  for (const fault of state.faults) {
    const row = at('faults').insertRow();
    cell(row, whereText(fault.where));
    cell(row, effectText(fault.effect));
    cell(row, fault.left === null ? 'always' : fault.left.toLocaleString('en'));
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = '×';
    button.title = 'Remove';
    button.dataset.fault = fault.id;
    button.setAttribute('aria-label', 'Remove: ' + whereText(fault.where) + ', ' + effectText(fault.effect));
    button.addEventListener('click', () => order({ do: 'remove', id: fault.id }, at('where')));
    cell(row, '').append(button);
    if (kept === String(fault.id)) button.focus();
  }
  at('list').hidden = state.faults.length === 0;
  at('no-faults').hidden = state.faults.length > 0;
  at('players').replaceChildren();
  for (const player of state.players) {
    const row = at('players').insertRow();
    cell(row, player.playerId);
    cell(row, player.country);
    cell(row, player.balance + ' ' + player.currency, 'number');
    cell(row, player.token, 'token');
  }
}
async function ask(url, options) {
  try {
    const response = await fetch(url, options);
    const state = await response.json();
    if (state.problem) say(state.problem, true);
    else show(state);
    return state;
  } catch {
    say('The provider does not respond. Check that it is running.', true);
    return { problem: 'offline' };
  }
}
async function order(what, next) {
  const state = await ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) });
  if (!state.problem) say(state.done, false);
  if (next && document.activeElement === document.body) next.focus();
}
function showValue() {
  const wanted = values[at('what').value];
  at('value-label').hidden = wanted === undefined;
  at('value').required = wanted !== undefined;
  if (wanted === undefined) return;
  at('value-name').textContent = wanted.name;
  Object.assign(at('value'), wanted);
  at('value').name = 'value';
}
at('what').addEventListener('change', showValue);
at('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const what = at('what').value;
  const value = at('value').value;
  const effect = what === 'status' ? value : what in values ? what + ':' + value : what;
  const times = at('times').value;
  order({ do: 'add', fault: at('where').value + '=' + effect + (times === '' ? '' : ',' + times) });
});
at('clear').addEventListener('click', () => order({ do: 'clear' }, at('where')));
at('reset').addEventListener('click', () => order({ do: 'reset' }));
at('save').addEventListener('click', () => order({ do: 'save' }));
showValue();
await ask(path + '/state');
setInterval(() => {
  if (document.visibilityState === 'visible') ask(path + '/state');
}, 2000);
`;
