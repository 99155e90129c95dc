// The answers: status, cost and bound of the chosen result, and all results side by side if there are several.
const statusWord = (plan) => plan.status || (plan.steps === null ? 'unknown' : 'plan');
function verdict(plan) {
  const who = plan.claimedBy ? `as ${plan.claimedBy} claims` : 'proved';
  const steps = plural(plan.horizon, 'step');
  switch (statusWord(plan)) {
    case 'optimal':
      return `No plan of ${steps} costs less than ${plan.cost}: ${who}.`;
    case 'infeasible':
      return `There is no plan of ${steps}: ${who}.`;
    case 'unknown':
      return `No plan of ${steps} was found${plan.stopped ? ` (${plan.stopped})` : ''}.`;
    default:
      return `A plan of ${steps}, not proved optimal${plan.lowerBound !== null ? `: none costs less than ${plan.lowerBound}` : ''}${plan.stopped ? ` (${plan.stopped})` : ''}.`;
  }
}
function facts(plan) {
  const entries = [];
  if (plan.steps !== null) entries.push(['Cost', plan.cost]);
  if (plan.steps !== null && problem.objective.maximize)
    entries.push(['Total reward', plan.cost === 0 ? 0 : -plan.cost]);
  if (plan.lowerBound !== null) entries.push(['Lower bound', plan.lowerBound]);
  entries.push(['Steps', plan.horizon]);
  if (plan.engine) entries.push(['Engine', plan.engine]);
  if (plan.seconds !== null) entries.push(['Time', duration(plan.seconds)]);
  if (plan.proof) entries.push(['Proof', plan.proof, true]);
  if (plan.steps !== null) entries.push(['Replayed', 'valid']);
  return el(
    'dl',
    { class: 'facts' },
    entries.map(([key, value, long]) =>
      el(
        'div',
        {},
        el('dt', {}, key),
        el(
          'dd',
          { class: long || String(value).length > 14 ? 'long' : null, 'data-fact': key.toLowerCase() },
          String(value),
        ),
      ),
    ),
  );
}
function answerSection() {
  const body = el('div', {});
  const draw = () => {
    const plan = current();
    body.replaceChildren(
      el(
        'div',
        { class: 'answer' },
        el('span', { class: `pill ${statusWord(plan)}`, id: 'status' }, statusWord(plan)),
        el('span', {}, verdict(plan)),
      ),
      facts(plan),
      plan.statistics.length
        ? el(
            'details',
            { class: 'written' },
            el('summary', {}, 'Statistics of the run'),
            plainTable(
              [],
              plan.statistics.map(([k, v]) =>
                el('tr', {}, el('td', {}, k.replaceAll('_', ' ')), el('td', {}, v)),
              ),
            ),
          )
        : '',
      el('p', { class: 'soft small' }, 'From ', el('code', {}, plan.file)),
    );
  };
  draw();
  planWatchers.push(draw);
  return el('section', { id: 'answer' }, el('h2', {}, 'The answer'), body);
}

// Several results.
function compareSection() {
  const rows = plans.map((plan, i) =>
    el(
      'tr',
      { 'data-plan': i },
      el(
        'td',
        {},
        el('span', { class: 'swatch', style: `background:${series(i)}` }),
        el('button', { type: 'button', class: 'choose', onclick: () => choosePlan(i) }, baseName(plan.file)),
      ),
      el('td', { class: 'n' }, el('span', { class: `pill ${statusWord(plan)}` }, statusWord(plan))),
      el('td', { class: 'n' }, plan.steps === null ? '–' : String(plan.cost)),
      el('td', { class: 'n' }, plan.lowerBound === null ? '–' : String(plan.lowerBound)),
      el('td', { class: 'n' }, String(plan.horizon)),
      el('td', {}, plan.engine || '–'),
      el('td', { class: 'n' }, duration(plan.seconds)),
    ),
  );
  const mark = () => rows.forEach((row, i) => row.setAttribute('aria-current', String(i === now.plan)));
  mark();
  planWatchers.push(mark);
  const longest = Math.max(0, ...shown.map(({ plan }) => plan.steps));
  const strip = [];
  if (shown.length > 1) {
    const columns = Math.min(longest, 200);
    const head = el(
      'tr',
      {},
      el('th', {}, 'actions'),
      Array.from({ length: columns }, (_, t) => el('th', { scope: 'col' }, String(t + 1))),
    );
    const lines = shown.map(({ plan, index }) =>
      el(
        'tr',
        {},
        el(
          'th',
          { scope: 'row', title: plan.file },
          el('span', { class: 'swatch', style: `background:${series(index)}` }),
          baseName(plan.file),
        ),
        Array.from({ length: columns }, (_, t) => {
          const texts = shown.map(({ plan: other }) =>
            t < other.steps ? takenAt(other, t + 1).join(', ') || '·' : '',
          );
          const own = t < plan.steps ? takenAt(plan, t + 1).join(', ') || '·' : '';
          return el('td', { class: texts.some((text) => text !== texts[0]) ? 'changed' : null }, own);
        }),
      ),
    );
    strip.push(
      el('h3', {}, 'Where they differ'),
      el(
        'div',
        { class: 'scroll' },
        el('table', { class: 'time', id: 'differences' }, el('thead', {}, head), el('tbody', {}, lines)),
      ),
    );
    if (longest > columns)
      strip.push(el('p', { class: 'soft small' }, `The first ${columns} of ${longest} steps.`));
  }
  return el(
    'section',
    { id: 'compare', class: 'long' },
    el('h2', {}, plural(plans.length, 'result')),
    plainTable(['result', 'status', 'cost', 'bound', 'steps', 'engine', 'time'], rows),
    strip,
  );
}
