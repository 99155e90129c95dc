// The answers: status, cost and bound of the chosen result, and all results side by side if there are
// several. Only what a proof file proves, which was checked when the page was made, counts as proved;
// everything else that a file states about its plan, except the plan itself, is a claim.
function standing(plan) {
  const steps = plural(plan.horizon, 'step'),
    proved = plan.proved,
    among = plan.among ? ` among the ${plan.among}` : '',
    who = (plan.claimedBy ? `, as ${plan.claimedBy} claimed` : '') +
      (plan.resumedFrom ? `, resumed from ${plan.resumedFrom}` : ''),
    stopped = plan.stopped ? ` (${plan.stopped})` : '',
    bound = plan.bound !== null ? ` The file claims that ${boundSentence(plan.bound)}.` : '';
  if (proved) {
    const by = `proved by ${baseName(proved.file)}, which was checked`;
    if (proved.optimum === null)
      return { word: 'infeasible', look: 'infeasible', text: `There is no plan of ${steps}: ${by}.` };
    if (plan.steps === null || plan.worth !== proved.optimum) {
      const refuted = plan.status === 'infeasible' ? 'The file claims that there is no plan, which is wrong. ' : '';
      return {
        word: refuted ? 'refuted' : plan.steps === null ? 'no plan' : 'not optimal',
        look: 'plan',
        text: `${refuted}The best plan of ${steps} has the ${worthName} ${proved.optimum}: ${by}.`,
      };
    }
    return {
      word: 'optimal',
      look: 'optimal',
      text: `Of all plans of ${steps}, ${boundSentence(plan.worth)}: ${by}.`,
    };
  }
  const claim = { word: `claims: ${plan.status}`, look: 'claimed' };
  switch (plan.status) {
    case 'optimal':
      return {
        ...claim,
        text:
          plan.steps === null
            ? `The file claims: optimal${among}${who}. But it has no plan.`
            : `The file claims: optimal${among}${who}. The plan is valid; that ${boundSentence(plan.worth)} is not proved here.`,
      };
    case 'infeasible':
      return {
        ...claim,
        text:
          plan.steps === null
            ? `The file claims: infeasible${among}${who}. That there is no plan of ${steps} is not proved here.`
            : `The file claims: infeasible${who}. But its plan of ${steps} is valid.`,
      };
    case 'unknown':
      return { ...claim, text: `The file claims: unknown. It has no plan of ${steps}${stopped}.${bound}` };
    case 'plan':
      return plan.steps === null
        ? { ...claim, text: 'The file claims: plan. But it has no plan.' }
        : {
            word: 'plan',
            look: 'plan',
            text: `A valid plan of ${steps}, not claimed to be optimal${stopped}.${bound}`,
          };
    case '':
      return plan.steps === null
        ? { word: 'no plan', look: 'unknown', text: 'The file has no plan, and does not say why.' }
        : {
            word: 'plan',
            look: 'plan',
            text: `A valid plan of ${steps}; the file does not say whether it is optimal.`,
          };
    default:
      return {
        word: 'a claim',
        look: 'claimed',
        text: `The file claims: ${plan.status}${who}. That is not proved here.`,
      };
  }
}
const pill = (plan, id) => {
  const { word, look } = standing(plan);
  return el('span', { class: `pill ${look}`, id }, word);
};
function facts(plan) {
  const entries = [];
  if (plan.steps !== null) entries.push(['worth', capital(worthName), plan.worth]);
  if (plan.proved && plan.proved.optimum !== null)
    entries.push(['optimum', 'Proved optimum', plan.proved.optimum]);
  else if (plan.bound !== null)
    entries.push(['bound', maximize ? 'Claimed upper bound' : 'Claimed lower bound', plan.bound]);
  if (plan.domainReward)
    entries.push([
      'domain',
      plan.domainReplayed ? 'Reward in the domain' : 'Reward in the domain, as claimed',
      plan.domainReward,
    ]);
  if (plan.world && plan.world.violation) entries.push(['domain', 'In the domain', 'refused']);
  entries.push(['steps', 'Steps', plan.horizon]);
  if (plan.engine) entries.push(['engine', 'Engine', plan.engine]);
  if (plan.seconds !== null) entries.push(['time', 'Time', duration(plan.seconds)]);
  if (plan.proved) entries.push(['proof', 'Checked proof', plan.proved.file, true]);
  else if (plan.proof) entries.push(['proof', 'Proof, not checked here', plan.proof, true]);
  if (plan.steps !== null) entries.push(['replayed', 'Replayed', 'valid']);
  return el(
    'dl',
    { class: 'facts' },
    entries.map(([key, name, value, long]) =>
      el(
        'div',
        {},
        el('dt', {}, name),
        el(
          'dd',
          { class: long || String(value).length > 14 ? 'long' : null, 'data-fact': key },
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
        pill(plan, 'status'),
        el('span', {}, standing(plan).text),
      ),
      plan.promise
        ? el(
            'p',
            { class: 'note', id: 'promise' },
            capital(plan.promise) + (plan.domainReplayed ? '.' : ', as the file claims.'),
          )
        : '',
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

// The comparison of several results.
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
      el('td', { class: 'n' }, pill(plan, null)),
      el('td', { class: 'n' }, plan.steps === null ? '–' : plan.worth),
      el('td', { class: 'n' }, plan.bound === null ? '–' : plan.bound),
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
    const same = (key) =>
      shown.every(({ plan }) => JSON.stringify(plan[key]) === JSON.stringify(shown[0].plan[key]));
    const all = shown.length === 2 ? 'Both plans' : `All ${shown.length} plans`;
    strip.push(
      el(
        'h3',
        { id: 'difference' },
        !same('actions')
          ? 'Where they differ'
          : same('states') && same('auxiliary')
            ? `${all} are the same`
            : `${all} have the same actions, and differ in their states`,
      ),
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
    plainTable(['result', 'status', worthName, 'claimed bound', 'steps', 'engine', 'time'], rows),
    strip,
  );
}
