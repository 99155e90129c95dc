// The question: objective, constraints and goal in words, variables, everything as written.
function listOf(constraints) {
  const items = constraints.shown.map(([words, text]) =>
    el('li', { title: words === text ? null : text }, words === text ? el('code', {}, text) : words),
  );
  const more = constraints.count - constraints.shown.length;
  return el('ul', {}, items, more > 0 ? el('li', { class: 'soft' }, `and ${more} more`) : '');
}
function writtenList() {
  const part = (title, constraints) =>
    constraints.count
      ? [
          el('h3', {}, title),
          el(
            'ul',
            {},
            constraints.shown.map(([, text]) => el('li', {}, el('code', {}, text))),
            constraints.count > constraints.shown.length
              ? el('li', { class: 'soft' }, `and ${constraints.count - constraints.shown.length} more`)
              : '',
          ),
        ]
      : [];
  return [
    problem.objective.text
      ? [
          el('h3', {}, problem.objective.maximize ? 'Maximize' : 'Minimize'),
          el('p', {}, el('code', {}, problem.objective.text)),
        ]
      : [],
    part('At every step', problem.constraints),
    part('At the end', problem.goal),
    part('Known transitions', problem.transitions),
  ].flat(2);
}
function variablesSentence() {
  const kinds = (list) => {
    const booleans = list.filter((v) => v.boolean).length,
      integers = list.length - booleans;
    return [booleans ? plural(booleans, 'Boolean') : '', integers ? plural(integers, 'integer') : '']
      .filter(Boolean)
      .join(' and ');
  };
  const parts = [
    `The state has ${kinds(problem.state)}; each step chooses ${kinds(problem.action) || 'nothing'}.`,
  ];
  const learned = problem.state.filter((v) => v.learned !== 'no').length;
  if (problem.network) {
    const share =
      learned === problem.state.length
        ? 'What a step does is'
        : `What a step does to ${learned} of the ${problem.state.length} state variables is`;
    parts.push(
      ` ${share} computed by a learned network of ${problem.network.shape.replaceAll(':', ' – ')} neurons`,
    );
    parts.push(
      problem.transitions.count
        ? `, the rest is known (${plural(problem.transitions.count, 'constraint')}).`
        : '.',
    );
    if (problem.network.claim) parts.push(` Of the network, ${problem.network.claim}.`);
  } else {
    parts.push(` All transitions are known (${plural(problem.transitions.count, 'constraint')}).`);
  }
  return parts.join('');
}
function variableTable() {
  const row = (list, place) =>
    list.map((v) =>
      el(
        'tr',
        {},
        el('td', {}, el('code', {}, v.name)),
        el('td', {}, place),
        el('td', {}, v.boolean ? 'Boolean' : v.range),
        el(
          'td',
          {},
          place !== 'state'
            ? ''
            : v.learned === 'yes'
              ? 'learned'
              : v.learned === 'partly'
                ? 'partly learned'
                : 'known',
        ),
        el('td', {}, v.free ? 'free' : ''),
      ),
    );
  return plainTable(
    ['variable', 'place', 'values', 'next value', 'initial'],
    row(problem.action, 'action'),
    row(problem.state, 'state'),
    row(problem.auxiliary, 'auxiliary'),
  );
}
function askedSection() {
  const horizons = [...new Set(plans.map((p) => p.horizon))].sort((a, b) => a - b);
  return el(
    'section',
    { id: 'asked' },
    el('h2', {}, 'What was asked'),
    el(
      'p',
      { class: 'lead' },
      `A plan of ${horizons.join(' or ')} ${horizons.length === 1 && horizons[0] === 1 ? 'step' : 'steps'} with `,
      el('b', {}, problem.objective.words),
      '.',
    ),
    el('p', { class: 'soft' }, variablesSentence()),
    el(
      'div',
      { class: 'asked' },
      el(
        'div',
        {},
        el('h3', {}, 'At every step'),
        problem.constraints.count
          ? listOf(problem.constraints)
          : el('p', { class: 'soft' }, 'nothing in particular'),
      ),
      el(
        'div',
        {},
        el('h3', {}, 'At the end'),
        problem.goal.count ? listOf(problem.goal) : el('p', { class: 'soft' }, 'no goal'),
      ),
    ),
    problem.refused
      ? el(
          'p',
          { class: 'soft' },
          `${plural(problem.refused, 'beginning')} of plans ${problem.refused === 1 ? 'is' : 'are'} refused.`,
        )
      : '',
    el(
      'details',
      {},
      el(
        'summary',
        {},
        `All ${problem.action.length + problem.state.length + problem.auxiliary.length} variables`,
      ),
      variableTable(),
    ),
    el('details', { class: 'written' }, el('summary', {}, 'As written in the problem file'), writtenList()),
    el(
      'p',
      { class: 'soft small' },
      'Problem ',
      el('code', {}, problem.file),
      problem.network ? [', network ', el('code', {}, problem.network.file)] : '',
    ),
  );
}
