// Promise and world: what the plan predicts and what its actions do in the true domain, side by side, and
// where the two diverge. Shown if the page was made with a domain.
const courseValue = (variable, value) =>
  variable.boolean ? `${value ? '' : 'not '}${variable.name}` : `${variable.name} = ${value}`;
// The course of the world as a plan, so that stages can draw it. It is shorter if the domain refuses a step.
const worldOf = (plan) => ({ ...plan, states: plan.world.states, steps: plan.world.states.length - 1 });
// The variables in which the courses differ after a step.
const apartAt = (plan, step) =>
  problem.state
    .map((variable, i) => ({
      variable,
      promise: plan.states[step][i],
      world: plan.world.states[step][i],
    }))
    .filter(({ promise, world }) => promise !== world);

function coursesSummary(plan) {
  const { world } = plan;
  const lines = [];
  if (world.start) lines.push(`The initial state differs from the instance: ${world.start}.`);
  lines.push(
    world.parts
      ? `They diverge at step ${world.parts}: ${world.difference}.`
      : world.states.length > plan.steps
        ? 'The world does what the plan says, after every step.'
        : 'Up to there, the world does what the plan says.',
  );
  if (world.violation) lines.push(`The domain refuses the plan: ${world.violation}.`);
  else if (world.promisedReward === null) lines.push(`The plan is valid in the domain, with the reward ${world.reward}.`);
  else if (world.promisedReward === world.reward)
    lines.push(`The reward is ${world.reward}, as promised.`);
  else lines.push(`The promised reward is ${world.promisedReward}; the domain gives ${world.reward}.`);
  return lines;
}

function courseCell(plan, step, side) {
  const course = side === 'world' ? worldOf(plan) : plan;
  if (step > course.steps) return el('td', { class: 'soft' }, step === course.steps + 1 ? 'refused' : '');
  const differs = step < plan.world.states.length ? apartAt(plan, step) : [],
    names = new Set(differs.map(({ variable }) => variable.name));
  const chips = [
    ...differs.map((entry) => [courseValue(entry.variable, entry[side]), 'apart']),
    ...changesAt(course, step)
      .filter(({ variable }) => !names.has(variable.name))
      .map(({ variable, value }) => [courseValue(variable, value), '']),
  ];
  const most = Math.max(8, Math.min(40, differs.length)); // differences are shown before mere changes
  const rewards = side === 'world' ? plan.world.rewards : plan.world.promised;
  const reward = step && rewards ? rewards[step - 1] : undefined;
  const other =
    step > 0 &&
    step < plan.world.states.length &&
    plan.world.promised &&
    plan.world.promised[step - 1] !== plan.world.rewards[step - 1];
  return el(
    'td',
    {},
    chips.length
      ? chips.slice(0, most).map(([text, look]) => el('span', { class: `diff ${look}`.trim() }, text))
      : el('span', { class: 'soft' }, step ? 'nothing changes' : 'as stated'),
    chips.length > most ? el('span', { class: 'soft' }, `and ${chips.length - most} more`) : '',
    reward !== undefined
      ? el('span', { class: `course-reward${other ? ' apart' : ''}` }, `reward ${reward}`)
      : '',
  );
}

function coursesTable(plan) {
  const most = 200;
  // From a little before they diverge, if not all can be shown.
  const first =
    plan.steps < most ? 0 : Math.max(0, Math.min(plan.world.parts - 5, plan.steps - most + 1));
  const last = Math.min(plan.steps, first + most - 1);
  const rows = [];
  for (let step = first; step <= last; ++step) {
    const apart = step < plan.world.states.length && apartAt(plan, step).length > 0;
    const taken = takenAt(plan, step);
    rows.push(
      el(
        'tr',
        { 'data-course': step, class: apart ? 'apart' : null },
        el(
          'th',
          { scope: 'row' },
          el(
            'button',
            { type: 'button', class: 'choose', onclick: () => go(step), 'aria-label': `Go to step ${step}` },
            step ? String(step) : 'start',
          ),
          step ? el('span', { class: 'course-action' }, taken.join(', ') || 'no action') : '',
          step && step === plan.world.parts ? el('b', { class: 'course-parts' }, 'they diverge here') : '',
        ),
        courseCell(plan, step, 'promise'),
        courseCell(plan, step, 'world'),
      ),
    );
  }
  const note = last - first < plan.steps ? `Steps ${first} to ${last} of ${plan.steps}.` : '';
  return { rows, first, note };
}

function coursesSection() {
  const body = el('div', {});
  let rows = [],
    first = 0,
    stages = [];
  function build() {
    const plan = current();
    rows = [];
    stages = [];
    if (!plan.world)
      return body.replaceChildren(el('p', { class: 'soft' }, 'This result has no plan to try in the domain.'));
    const table = coursesTable(plan);
    ({ rows, first } = table);
    if (view)
      stages = [
        ['Promise', plan],
        ['World', worldOf(plan)],
      ].map(([name, course]) => ({ name, course, stage: makeStage[view.kind](course, true), caption: el('figcaption', {}) }));
    const lines = coursesSummary(plan);
    const sound = !plan.world.parts && !plan.world.violation;
    body.replaceChildren();
    fill(body, {}, [
      el(
        'p',
        { id: 'courses-say', class: sound ? 'course-good' : 'course-bad' },
        lines.join(' '),
      ),
      stages.length
        ? el(
            'div',
            { class: 'stages pair' },
            stages.map(({ stage, caption }) => el('figure', {}, stage.node, caption)),
          )
        : '',
      el(
        'table',
        { class: 'courses', id: 'courses-table' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['step', 'promise', 'world'].map((head) => el('th', { scope: 'col' }, head)),
          ),
        ),
        el('tbody', {}, rows),
      ),
      table.note ? el('p', { class: 'soft small' }, table.note) : '',
      el(
        'p',
        { class: 'soft small' },
        'Each column shows what its course changes at a step; differences between the two are marked.',
      ),
    ]);
  }
  build();
  planWatchers.push(build);
  watchers.push((step) => {
    rows.forEach((row, i) => row.setAttribute('aria-current', String(first + i === step)));
    for (const { name, course, stage, caption } of stages) {
      const at = Math.min(step, course.steps);
      stage.show(at);
      caption.textContent = `${name}, ${at ? `step ${at}` : 'start'}${at < step ? ' (refused after that)' : ''}`;
    }
  });
  return el('section', { id: 'courses', class: 'long' }, el('h2', {}, 'Promise and world'), body);
}
