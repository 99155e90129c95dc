// The data, the state of the page, and small helpers. The files of this folder are concatenated into one
// function (page.html); each but the last only defines what builds its part of the page.
const data = JSON.parse(document.getElementById('data').textContent);
const { problem, view, plans } = data;
const root = document.documentElement;
const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== '') node.append(child);
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
// A table that scrolls if it is too wide; without headings it has only rows.
const plainTable = (heads, ...rows) =>
  el(
    'div',
    { class: 'scroll' },
    el(
      'table',
      { class: 'plain' },
      heads.length
        ? el(
            'thead',
            {},
            el(
              'tr',
              {},
              heads.map((head) => el('th', { scope: 'col' }, head)),
            ),
          )
        : '',
      el('tbody', {}, ...rows),
    ),
  );
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
const duration = (s) =>
  s === null
    ? '–'
    : s < 0.0005
      ? '< 1 ms'
      : s < 1
        ? `${Math.round(s * 1000)} ms`
        : s < 100
          ? `${s.toFixed(2)} s`
          : `${Math.round(s)} s`;
// The worth of a plan: its cost, or its reward if that is maximised.
const maximize = problem.objective.maximize;
const worthName = maximize ? 'reward' : 'cost';
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const boundSentence = (bound) =>
  maximize ? `none has a reward above ${bound}` : `none costs less than ${bound}`;
const baseName = (path) => path.replace(/^.*[\/\\]/, '');
const series = (index) => `var(--s${index % 6})`;
const shown = plans.map((plan, index) => ({ plan, index })).filter(({ plan }) => plan.steps !== null);

const now = {
  plan: shown.length ? shown[0].index : 0,
  step: 0,
  playing: 0,
  every: true,
  all: false,
  neuron: null,
  side: false,
};
const current = () => plans[now.plan];
const watchers = []; // called when the step changes

// What a step did: actions that are not 0, and state variables that changed.
function takenAt(plan, step) {
  if (step === 0) return [];
  return plan.actions[step - 1]
    .map((value, i) => ({ value, variable: problem.action[i] }))
    .filter(({ value }) => value !== 0)
    .map(({ value, variable }) => (variable.boolean ? variable.name : `${variable.name} = ${value}`));
}
function changesAt(plan, step) {
  if (step === 0) return [];
  const before = plan.states[step - 1],
    after = plan.states[step];
  return after
    .map((value, i) => ({ value, old: before[i], variable: problem.state[i] }))
    .filter(({ value, old }) => value !== old);
}
