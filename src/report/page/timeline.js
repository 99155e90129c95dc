// The timeline: variables by steps, with what each step did and changed.
function timelineSection() {
  const holder = el('div', { class: 'scroll' }),
    note = el('p', { class: 'soft small' });
  const box = el('input', { type: 'checkbox', id: 'all' });
  box.addEventListener('change', () => {
    now.all = box.checked;
    build();
    tell();
  });
  const most = 150;
  let first = 0,
    columns = [];
  function build() {
    const plan = current();
    columns = [];
    if (plan.steps === null) return holder.replaceChildren();
    const last = Math.min(plan.steps, first + most - 1);
    const steps = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const mark = (step, cell) => {
      (columns[step] = columns[step] || []).push(cell);
      return cell;
    };
    const head = el(
      'tr',
      {},
      el('th', {}, ''),
      steps.map((step) =>
        mark(
          step,
          el(
            'th',
            { scope: 'col' },
            el(
              'button',
              { type: 'button', onclick: () => go(step), 'aria-label': `Go to step ${step}` },
              step ? String(step) : 'start',
            ),
          ),
        ),
      ),
    );
    let hidden = 0;
    const body = [];
    const group = (title, list, valueAt, kind) => {
      const rows = list.map((variable, i) => {
        const values = steps.map((step) => valueAt(step, i));
        const known = values.filter((v) => v !== null);
        if (!now.all && known.every((v) => v === 0)) return null;
        if (
          !now.all &&
          kind === 'state' &&
          known.every((v) => v === known[0]) &&
          list.length > 8 &&
          variable.boolean
        )
          return null;
        return el(
          'tr',
          { 'data-variable': variable.name },
          el('th', { scope: 'row', title: variable.name }, variable.name),
          steps.map((step, k) => {
            const value = values[k];
            if (value === null) return mark(step, el('td', {}));
            const before = step > 0 && kind === 'state' ? valueAt(step - 1, i) : value;
            const changed = before !== value;
            const what = kind === 'action' ? (value ? 'act' : 'zero') : value ? '' : 'zero';
            const inner = variable.boolean
              ? el('i', { class: what || null, title: value ? 'true' : 'false' })
              : String(value);
            return mark(
              step,
              el(
                'td',
                {
                  class:
                    [
                      changed ? (value || !variable.boolean ? 'changed' : 'changed gone') : '',
                      kind === 'action' && value && !variable.boolean ? 'act-cell' : '',
                    ]
                      .join(' ')
                      .trim() || null,
                  'data-value': value,
                },
                inner,
              ),
            );
          }),
        );
      });
      const kept = rows.filter(Boolean);
      hidden += rows.length - kept.length;
      if (kept.length)
        body.push(
          el(
            'tr',
            { class: 'head' },
            el('th', { scope: 'colgroup' }, title),
            steps.map((step) => mark(step, el('td', {}))),
          ),
          ...kept,
        );
    };
    group('Actions', problem.action, (step, i) => (step === 0 ? null : plan.actions[step - 1][i]), 'action');
    group('State', problem.state, (step, i) => plan.states[step][i], 'state');
    group(
      'Auxiliary',
      problem.auxiliary,
      (step, i) => (step === 0 ? null : plan.auxiliary[step - 1][i]),
      'auxiliary',
    );
    body.push(
      el(
        'tr',
        { class: 'head' },
        el('th', {}, capital(worthName)),
        steps.map((step) => mark(step, el('td', {}))),
      ),
    );
    body.push(
      el(
        'tr',
        { 'data-variable': '' },
        el('th', { scope: 'row' }, 'of the step'),
        steps.map((step) => mark(step, el('td', {}, step ? plan.worths[step - 1] : ''))),
      ),
    );
    holder.replaceChildren(
      el('table', { class: 'time', id: 'timeline' }, el('thead', {}, head), el('tbody', {}, body)),
    );
    const parts = [];
    if (hidden)
      parts.push(
        `${plural(hidden, 'variable')} that ${hidden === 1 ? 'does' : 'do'} nothing ${hidden === 1 ? 'is' : 'are'} hidden.`,
      );
    if (plan.steps + 1 > most) parts.push(`Steps ${first} to ${last} of ${plan.steps}.`);
    note.textContent = parts.join(' ');
  }
  build();
  planWatchers.push(() => {
    first = 0;
    build();
  });
  let lit = [];
  watchers.push((step) => {
    if (current().steps === null) return;
    if (step < first || step >= first + most) {
      first = Math.max(0, Math.min(step - 20, current().steps - most + 1));
      build();
    }
    lit.forEach((cell) => cell.classList.remove('now'));
    lit = columns[step] || [];
    lit.forEach((cell) => cell.classList.add('now'));
    const cell = lit[0];
    if (!cell || !holder.offsetParent) return;
    const a = cell.getBoundingClientRect(),
      b = holder.getBoundingClientRect(),
      names = Math.min(140, b.width / 3);
    if (a.right > b.right - 20) holder.scrollLeft += a.right - b.right + 60;
    if (a.left < b.left + names) holder.scrollLeft -= b.left + names - a.left + 40;
  });
  return el(
    'section',
    { id: 'times', class: 'long' },
    el(
      'div',
      { class: 'tools' },
      el('h2', {}, 'Timeline'),
      el('label', { class: 'small' }, box, ' all variables'),
    ),
    holder,
    note,
    el(
      'p',
      { class: 'soft small' },
      'A round mark is an action taken, a square one a state variable that is true; a ring marks what a step changed.',
    ),
  );
}
