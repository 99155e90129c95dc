// The stage: the picture of the chosen step (grid.js, stock.js, graph.js), what the step did, and a film strip.
const makeStage = { grid: gridStage, stock: stockStage, graph: graphStage };

function legend() {
  const items = [];
  if (view.kind === 'grid') {
    for (const thing of view.things) {
      if (!items.some(([, name]) => name === thing.name))
        items.push([svg('svg', { viewBox: '0 0 60 60' }, icons[thing.kind]()), thing.name]);
    }
    if (view.walls.length)
      items.push([
        svg(
          'svg',
          { viewBox: '0 0 60 60' },
          svg('rect', { class: 'wall', x: 8, y: 8, width: 44, height: 44, rx: 7 }),
        ),
        'obstacle',
      ]);
  } else if (view.kind === 'graph') {
    items.push([
      svg('svg', { viewBox: '0 0 60 60' }, svg('circle', { class: 'disc', cx: 30, cy: 30, r: 22 })),
      'runs',
    ]);
    items.push([
      svg(
        'svg',
        { viewBox: '0 0 60 60' },
        svg('g', { class: 'off' }, svg('circle', { class: 'disc', cx: 30, cy: 30, r: 22 })),
      ),
      'is down',
    ]);
    items.push([
      svg('svg', { viewBox: '0 0 60 60' }, svg('path', { class: 'age on', d: 'M10 40A22 22 0 0 1 50 40' })),
      'age',
    ]);
    items.push([
      svg(
        'svg',
        { viewBox: '0 0 60 60' },
        svg('circle', { style: 'fill:none;stroke:var(--accent);stroke-width:6', cx: 30, cy: 30, r: 22 }),
      ),
      'rebooted in this step',
    ]);
  }
  return items.length
    ? el(
        'ul',
        { class: 'legend' },
        items.map(([icon, name]) => el('li', {}, icon, name)),
      )
    : '';
}

function nowPanel() {
  const panel = el('div', { class: 'step-panel', 'aria-live': 'polite' });
  watchers.push((step) => {
    const plan = current();
    if (plan.steps === null) return panel.replaceChildren();
    const taken = takenAt(plan, step),
      changes = changesAt(plan, step);
    panel.replaceChildren();
    fill(panel, {}, [
      el('h3', {}, step ? `Step ${step} of ${plan.steps}` : 'Start'),
      el(
        'p',
        {},
        step === 0
          ? el('span', { class: 'soft' }, 'the initial state')
          : taken.length
            ? taken.map((t) => el('span', { class: 'chip' }, t))
            : el('span', { class: 'chip none' }, 'no action'),
      ),
      step > 0 ? el('h3', {}, 'What changed') : '',
      step > 0
        ? changes.length
          ? changes
              .slice(0, 12)
              .map(({ variable, value, old }) =>
                el(
                  'span',
                  { class: 'diff' },
                  variable.boolean
                    ? `${value ? '' : 'not '}${variable.name}`
                    : `${variable.name} ${old} → ${value}`,
                ),
              )
          : el('p', { class: 'soft' }, 'nothing')
        : '',
      changes.length > 12 ? el('p', { class: 'soft' }, `and ${changes.length - 12} more`) : '',
      el('h3', {}, `${capital(worthName)} so far`),
      el('p', { class: 'big', id: 'spent' }, plan.totals[step]),
    ]);
  });
  return panel;
}

function stageSection() {
  const stages = el('div', { class: 'stages' }),
    strip = el('div', { class: 'strip', role: 'group', 'aria-label': 'All steps' });
  let live = [],
    thumbs = [];
  const withPlan = shown.length > 1;
  const both = withPlan
    ? el(
        'button',
        {
          type: 'button',
          id: 'side',
          'aria-pressed': 'false',
          onclick: () => {
            now.side = !now.side;
            build();
            tell();
          },
        },
        'Side by side',
      )
    : '';
  function build() {
    if (both) both.setAttribute('aria-pressed', String(now.side));
    const chosen = now.side ? shown.slice(0, 6) : shown.filter(({ index }) => index === now.plan);
    live = chosen.map(({ plan, index }) => ({ plan, index, stage: makeStage[view.kind](plan, false) }));
    stages.replaceChildren(
      ...live.map(({ plan, index, stage }) =>
        el(
          'figure',
          { class: view.kind === 'stock' ? 'broad' : null },
          stage.node,
          chosen.length > 1
            ? el(
                'figcaption',
                {},
                el('span', { class: 'swatch', style: `background:${series(index)}` }),
                `${baseName(plan.file)}, ${worthName} ${plan.worth}`,
              )
            : '',
        ),
      ),
    );
    const plan = current();
    thumbs = [];
    if (view.kind !== 'stock' && plan.steps !== null) {
      const most = 80;
      for (let step = 0; step <= Math.min(plan.steps, most); ++step) {
        const stage = makeStage[view.kind](plan, true);
        stage.show(step);
        thumbs.push(
          el(
            'button',
            { type: 'button', onclick: () => go(step), 'aria-label': `Go to step ${step}` },
            stage.node,
            el('span', {}, step ? `${step} ${takenAt(plan, step).join(', ')}` : 'start'),
          ),
        );
      }
    }
    strip.replaceChildren(...thumbs);
    strip.hidden = thumbs.length === 0;
  }
  build();
  planWatchers.push(build);
  watchers.push((step) => {
    for (const { plan, stage } of live) stage.show(Math.min(now.step, plan.steps));
    thumbs.forEach((thumb, t) => thumb.setAttribute('aria-current', String(t === step)));
    const thumb = thumbs[step];
    if (thumb)
      strip.scrollLeft +=
        thumb.getBoundingClientRect().left -
        strip.getBoundingClientRect().left -
        strip.clientWidth / 2 +
        thumb.offsetWidth / 2;
  });
  return el(
    'section',
    { id: 'plan' },
    el('div', { class: 'tools' }, el('h2', {}, 'The plan, step by step'), both),
    el('div', { class: 'stage-row' }, el('div', {}, stages, legend()), nowPanel()),
    strip,
  );
}
