'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const { problem, view, plans } = data;
  const root = document.documentElement;
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;

  // ---- small tools -------------------------------------------------------------------------------------------
  function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined && child !== '') node.append(child);
    return node;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
  const duration = (s) =>
    s === null ? '–' : s < 0.0005 ? '< 1 ms' : s < 1 ? `${Math.round(s * 1000)} ms` : s < 100 ? `${s.toFixed(2)} s` : `${Math.round(s)} s`;
  const baseName = (path) => path.replace(/^.*[\/\\]/, '');
  const series = (index) => `var(--s${index % 6})`;
  const shown = plans.map((plan, index) => ({ plan, index })).filter(({ plan }) => plan.steps !== null);

  const now = { plan: shown.length ? shown[0].index : 0, step: 0, playing: 0, every: true, all: false, neuron: null, side: false };
  const current = () => plans[now.plan];
  const watchers = [];  // called when the step changes

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
    const before = plan.states[step - 1], after = plan.states[step];
    return after.map((value, i) => ({ value, old: before[i], variable: problem.state[i] })).filter(({ value, old }) => value !== old);
  }

  // ---- what was asked ----------------------------------------------------------------------------------------
  function listOf(constraints) {
    const items = constraints.shown.map(([words, text]) => el('li', { title: words === text ? null : text }, words === text ? el('code', {}, text) : words));
    const more = constraints.count - constraints.shown.length;
    return el('ul', {}, items, more > 0 ? el('li', { class: 'soft' }, `and ${more} more`) : '');
  }
  function writtenList() {
    const part = (title, constraints) => (constraints.count ? [el('h3', {}, title), el('ul', {}, constraints.shown.map(([, text]) => el('li', {}, el('code', {}, text))), constraints.count > constraints.shown.length ? el('li', { class: 'soft' }, `and ${constraints.count - constraints.shown.length} more`) : '')] : []);
    return [problem.objective.text ? [el('h3', {}, problem.objective.maximize ? 'Maximize' : 'Minimize'), el('p', {}, el('code', {}, problem.objective.text))] : [],
      part('At every step', problem.constraints), part('In the end', problem.goal), part('Known transitions', problem.transitions)].flat(2);
  }
  function variablesSentence() {
    const kinds = (list) => {
      const booleans = list.filter((v) => v.boolean).length, integers = list.length - booleans;
      return [booleans ? plural(booleans, 'Boolean') : '', integers ? plural(integers, 'integer') : ''].filter(Boolean).join(' and ');
    };
    const parts = [`The state has ${kinds(problem.state)}; each step chooses ${kinds(problem.action) || 'nothing'}.`];
    const learned = problem.state.filter((v) => v.learned !== 'no').length;
    if (problem.network) {
      const share = learned === problem.state.length ? 'What a step does is' : `What a step does to ${learned} of the ${problem.state.length} state variables is`;
      parts.push(` ${share} computed by a learned network of ${problem.network.shape.replaceAll(':', ' – ')} neurons`);
      parts.push(problem.transitions.count ? `, the rest is known (${plural(problem.transitions.count, 'constraint')}).` : '.');
    } else {
      parts.push(` All transitions are known (${plural(problem.transitions.count, 'constraint')}).`);
    }
    return parts.join('');
  }
  function variableTable() {
    const row = (list, place) => list.map((v) =>
      el('tr', {}, el('td', {}, el('code', {}, v.name)), el('td', {}, place), el('td', {}, v.boolean ? 'Boolean' : v.range),
        el('td', {}, place !== 'state' ? '' : v.learned === 'yes' ? 'learned' : v.learned === 'partly' ? 'partly learned' : 'known'),
        el('td', {}, v.free ? 'free' : '')));
    return el('div', { class: 'scroll' }, el('table', { class: 'plain' },
      el('thead', {}, el('tr', {}, ['variable', 'place', 'values', 'next value', 'initial'].map((t) => el('th', { scope: 'col' }, t)))),
      el('tbody', {}, row(problem.action, 'action'), row(problem.state, 'state'), row(problem.auxiliary, 'auxiliary'))));
  }
  function askedSection() {
    const horizons = [...new Set(plans.map((p) => p.horizon))].sort((a, b) => a - b);
    return el('section', { id: 'asked' },
      el('h2', {}, 'What was asked'),
      el('p', { class: 'lead' }, `A plan of ${horizons.join(' or ')} ${horizons.length === 1 && horizons[0] === 1 ? 'step' : 'steps'} with `, el('b', {}, problem.objective.words), '.'),
      el('p', { class: 'soft' }, variablesSentence()),
      el('div', { class: 'asked' },
        el('div', {}, el('h3', {}, 'At every step'), problem.constraints.count ? listOf(problem.constraints) : el('p', { class: 'soft' }, 'nothing in particular')),
        el('div', {}, el('h3', {}, 'In the end'), problem.goal.count ? listOf(problem.goal) : el('p', { class: 'soft' }, 'no goal'))),
      problem.refused ? el('p', { class: 'soft' }, `${plural(problem.refused, 'beginning')} of plans ${problem.refused === 1 ? 'is' : 'are'} refused.`) : '',
      el('details', {}, el('summary', {}, `All ${problem.action.length + problem.state.length + problem.auxiliary.length} variables`), variableTable()),
      el('details', {}, el('summary', {}, 'As written in the problem file'), writtenList()),
      el('p', { class: 'soft small' }, 'Problem ', el('code', {}, problem.file), problem.network ? [', network ', el('code', {}, problem.network.file)] : ''));
  }

  // ---- the answer --------------------------------------------------------------------------------------------
  const statusWord = (plan) => plan.status || (plan.steps === null ? 'unknown' : 'plan');
  function verdict(plan) {
    const who = plan.claimedBy ? `as ${plan.claimedBy} claims` : 'proved';
    const steps = plural(plan.horizon, 'step');
    switch (statusWord(plan)) {
      case 'optimal': return `No plan of ${steps} costs less than ${plan.cost}: ${who}.`;
      case 'infeasible': return `There is no plan of ${steps}: ${who}.`;
      case 'unknown': return `No plan of ${steps} was found${plan.stopped ? ` (${plan.stopped})` : ''}.`;
      default: return `A plan of ${steps}, not proved optimal${plan.lowerBound !== null ? `: none costs less than ${plan.lowerBound}` : ''}${plan.stopped ? ` (${plan.stopped})` : ''}.`;
    }
  }
  function facts(plan) {
    const entries = [];
    if (plan.steps !== null) entries.push(['Cost', plan.cost]);
    if (plan.steps !== null && problem.objective.maximize) entries.push(['Total reward', plan.cost === 0 ? 0 : -plan.cost]);
    if (plan.lowerBound !== null) entries.push(['Lower bound', plan.lowerBound]);
    entries.push(['Steps', plan.horizon]);
    if (plan.engine) entries.push(['Engine', plan.engine]);
    if (plan.seconds !== null) entries.push(['Time', duration(plan.seconds)]);
    if (plan.proof) entries.push(['Proof', plan.proof, true]);
    if (plan.steps !== null) entries.push(['Replayed', 'valid']);
    return el('dl', { class: 'facts' }, entries.map(([key, value, long]) => el('div', {}, el('dt', {}, key), el('dd', { class: long || String(value).length > 14 ? 'long' : null, 'data-fact': key.toLowerCase() }, String(value)))));
  }
  function answerSection() {
    const body = el('div', {});
    const draw = () => {
      const plan = current();
      body.replaceChildren(
        el('div', { class: 'answer' }, el('span', { class: `pill ${statusWord(plan)}`, id: 'status' }, statusWord(plan)), el('span', {}, verdict(plan))),
        facts(plan),
        plan.statistics.length ? el('details', {}, el('summary', {}, 'Statistics of the run'), el('div', { class: 'scroll' }, el('table', { class: 'plain' }, el('tbody', {}, plan.statistics.map(([k, v]) => el('tr', {}, el('td', {}, k.replaceAll('_', ' ')), el('td', {}, v))))))) : '',
        el('p', { class: 'soft small' }, 'From ', el('code', {}, plan.file)));
    };
    draw();
    planWatchers.push(draw);
    return el('section', { id: 'answer' }, el('h2', {}, 'The answer'), body);
  }

  // ---- comparison of several plans ---------------------------------------------------------------------------
  function compareSection() {
    const rows = plans.map((plan, i) => el('tr', { 'data-plan': i },
      el('td', {}, el('span', { class: 'swatch', style: `background:${series(i)}` }), el('button', { type: 'button', class: 'choose', onclick: () => choosePlan(i) }, baseName(plan.file))),
      el('td', { class: 'n' }, el('span', { class: `pill ${statusWord(plan)}` }, statusWord(plan))),
      el('td', { class: 'n' }, plan.steps === null ? '–' : String(plan.cost)),
      el('td', { class: 'n' }, plan.lowerBound === null ? '–' : String(plan.lowerBound)),
      el('td', { class: 'n' }, String(plan.horizon)), el('td', {}, plan.engine || '–'), el('td', { class: 'n' }, duration(plan.seconds))));
    const mark = () => rows.forEach((row, i) => row.setAttribute('aria-current', String(i === now.plan)));
    mark();
    planWatchers.push(mark);
    const longest = Math.max(0, ...shown.map(({ plan }) => plan.steps));
    const strip = [];
    if (shown.length > 1) {
      const columns = Math.min(longest, 200);
      const head = el('tr', {}, el('th', {}, 'actions'), Array.from({ length: columns }, (_, t) => el('th', { scope: 'col' }, String(t + 1))));
      const lines = shown.map(({ plan, index }) => el('tr', {}, el('th', { scope: 'row', title: plan.file }, el('span', { class: 'swatch', style: `background:${series(index)}` }), baseName(plan.file)),
        Array.from({ length: columns }, (_, t) => {
          const texts = shown.map(({ plan: other }) => (t < other.steps ? takenAt(other, t + 1).join(', ') || '·' : ''));
          const own = t < plan.steps ? takenAt(plan, t + 1).join(', ') || '·' : '';
          return el('td', { class: texts.some((text) => text !== texts[0]) ? 'changed' : null }, own);
        })));
      strip.push(el('h3', {}, 'Where they differ'), el('div', { class: 'scroll' }, el('table', { class: 'time', id: 'differences' }, el('thead', {}, head), el('tbody', {}, lines))));
      if (longest > columns) strip.push(el('p', { class: 'soft small' }, `The first ${columns} of ${longest} steps.`));
    }
    return el('section', { id: 'compare', class: 'long' }, el('h2', {}, plural(plans.length, 'result')),
      el('div', { class: 'scroll' }, el('table', { class: 'plain' },
        el('thead', {}, el('tr', {}, ['result', 'status', 'cost', 'bound', 'steps', 'engine', 'time'].map((t) => el('th', { scope: 'col' }, t)))), el('tbody', {}, rows))), strip);
  }

  // ---- the stage: a picture of one state ---------------------------------------------------------------------
  const U = 60;  // units of a cell
  const icons = {
    agent: () => [svg('rect', { class: 'agent-body', x: 15, y: 17, width: 30, height: 28, rx: 9 }), svg('rect', { class: 'agent-body', x: 28.5, y: 9, width: 3, height: 9, rx: 1.5 }), svg('circle', { class: 'agent-body', cx: 30, cy: 9, r: 3.5 }),
      svg('circle', { class: 'agent-eye', cx: 24, cy: 29, r: 3.4 }), svg('circle', { class: 'agent-eye', cx: 36, cy: 29, r: 3.4 }), svg('rect', { class: 'agent-eye', x: 24, y: 36.5, width: 12, height: 2.6, rx: 1.3 })],
    enemy: () => [svg('path', { class: 'enemy-body', d: 'M15 46V29a15 15 0 0 1 30 0v17l-5-4.5-5 4.5-5-4.5-5 4.5-5-4.5z' }), svg('circle', { class: 'enemy-eye', cx: 24.5, cy: 28, r: 3.8 }), svg('circle', { class: 'enemy-eye', cx: 35.5, cy: 28, r: 3.8 })],
    key: () => [svg('circle', { class: 'key-body', cx: 22, cy: 30, r: 7.5 }), svg('path', { class: 'key-body', d: 'M30 30H47M40 30v8M47 30v7' })],
    door: () => [svg('path', { class: 'door-frame', d: 'M13 52V14a4 4 0 0 1 4-4h26a4 4 0 0 1 4 4v38' }), svg('rect', { class: 'door-body', x: 18, y: 15, width: 24, height: 37, rx: 2, opacity: .8 }), svg('circle', { class: 'door-knob', cx: 37, cy: 34, r: 2.6 })],
    goal: () => [svg('circle', { class: 'goal-ring', cx: 30, cy: 30, r: 17 }), svg('circle', { class: 'goal-ring', cx: 30, cy: 30, r: 9, opacity: .6 }), svg('circle', { class: 'goal-dot', cx: 30, cy: 30, r: 3.5 })],
  };

  function placeOf(thing, values) {
    if (thing.shown && (values[thing.shown[0]] !== 0) !== thing.shown[1]) return null;
    if (thing.at) return thing.at;
    if (thing.cells) {
      for (let y = 0; y < thing.cells.length; ++y) {
        for (let x = 0; x < thing.cells[y].length; ++x) if (thing.cells[y][x] !== null && values[thing.cells[y][x]] !== 0) return [x, y];
      }
      return null;
    }
    const x = values[thing.x], y = values[thing.y];
    return x >= 0 && x < view.width && y >= 0 && y < view.height && Number.isInteger(x) && Number.isInteger(y) ? [x, y] : null;
  }

  function gridStage(plan, still) {
    const width = view.width * U, height = view.height * U;
    const at = ([x, y]) => [x * U, (view.height - 1 - y) * U];
    const node = svg('svg', { class: 'stage grid', viewBox: `-3 -3 ${width + 6} ${height + 6}`, role: 'img', style: still ? null : `max-width:${Math.min(560, Math.max(260, width * 1.6))}px;margin:0 auto` });
    node.append(svg('rect', { class: 'floor', x: 0, y: 0, width, height, rx: 8 }));
    for (let x = 1; x < view.width; ++x) node.append(svg('line', { class: 'mesh', x1: x * U, x2: x * U, y1: 0, y2: height }));
    for (let y = 1; y < view.height; ++y) node.append(svg('line', { class: 'mesh', y1: y * U, y2: y * U, x1: 0, x2: width }));
    for (const wall of view.walls) {
      const [x, y] = at(wall);
      node.append(svg('rect', { class: 'wall', x: x + 2, y: y + 2, width: U - 4, height: U - 4, rx: 7 }));
    }
    const agent = view.things.find((thing) => thing.kind === 'agent');
    const path = agent ? plan.states.map((values) => placeOf(agent, values)) : [];
    const points = (list) => list.filter(Boolean).map((cell) => { const [x, y] = at(cell); return `${x + U / 2},${y + U / 2}`; }).join(' ');
    const done = svg('polyline', { class: 'path-done', points: '' });
    if (agent && !still) node.append(svg('polyline', { class: 'path-all', points: points(path) }));
    if (agent) node.append(done);
    const order = { goal: 0, door: 0, key: 1, enemy: 2, agent: 3 };
    const moving = (thing) => !thing.at;
    const things = view.things.map((thing) => ({ thing, group: svg('g', { class: 'thing', 'data-kind': thing.kind, 'data-name': thing.name }) }));
    for (const { thing, group } of things) {
      const carried = thing.kind === 'key' && moving(thing);
      group.append(svg('g', carried ? { transform: 'translate(30 -2) scale(.52)' } : {}, icons[thing.kind]()));
      if (still) group.style.transition = 'none';
    }
    for (const { group } of [...things].sort((a, b) => (order[a.thing.kind] + (moving(a.thing) && a.thing.kind === 'key' ? 4 : 0)) - (order[b.thing.kind] + (moving(b.thing) && b.thing.kind === 'key' ? 4 : 0)))) node.append(group);
    return {
      node,
      show(step) {
        done.setAttribute('points', points(path.slice(0, step + 1)));
        const said = [];
        for (const { thing, group } of things) {
          const cell = placeOf(thing, plan.states[step]);
          group.style.opacity = cell ? 1 : 0;
          group.dataset.cell = cell ? cell.join(',') : '';
          if (!cell) continue;
          const [x, y] = at(cell);
          group.style.transform = `translate(${x}px, ${y}px)`;
          said.push(`${thing.name} at ${cell.join(', ')}`);
        }
        node.setAttribute('aria-label', `Step ${step}: ${said.join('; ')}`);
      },
    };
  }

  function stockStage(plan) {
    const steps = plan.steps, left = 46, column = Math.max(26, Math.min(90, 620 / (steps + 1))), width = left + column * (steps + 1) + 8;
    const height = 300, top = 74, base = 270;
    const stocks = plan.states.map((values) => values[view.stock]);
    const most = Math.max(1, view.capacity || 0, ...stocks);
    const y = (value) => base - (base - top) * value / most;
    const x = (step) => left + step * column;
    const node = svg('svg', { class: 'stage stock', viewBox: `0 0 ${width} ${height}`, role: 'img' });
    const marker = svg('rect', { class: 'column-now', y: 2, width: column, height: height - 4, rx: 8 });
    node.append(marker, svg('line', { class: 'axis', x1: left, x2: width, y1: base, y2: base }));
    for (const [text, row] of [['order', 24], ['demand', 48]]) node.append(svg('text', { class: 'soft', x: 0, y: row, 'font-size': 11 }, text));
    node.append(svg('text', { class: 'soft', x: 0, y: (top + base) / 2, 'font-size': 11 }, 'stock'));
    if (view.capacity) node.append(svg('line', { class: 'cap', x1: left, x2: width, y1: y(view.capacity), y2: y(view.capacity) }), svg('text', { class: 'soft', x: width - 4, y: y(view.capacity) - 5, 'font-size': 11, 'text-anchor': 'end' }, `capacity ${view.capacity}`));
    const bars = stocks.map((value, step) => {
      const group = svg('g', { class: 'thing', 'data-stock': value });
      const bar = svg('rect', { x: x(step) + column * .16, width: column * .68, y: y(value), height: Math.max(0, base - y(value)), rx: 3 });
      group.append(bar, svg('text', { x: x(step) + column / 2, y: y(value) - 6, 'text-anchor': 'middle', 'font-size': 13 }, String(value)),
        svg('text', { class: 'soft', x: x(step) + column / 2, y: base + 18, 'text-anchor': 'middle', 'font-size': 11 }, step ? String(step) : 'start'));
      if (step > 0) {
        const order = view.order === null ? 0 : plan.actions[step - 1][view.order];
        const month = view.month === null ? (view.demand.length ? (step - 1) % view.demand.length : 0) : plan.states[step - 1][view.month];
        const demand = view.demand[month];
        if (order) group.append(svg('text', { class: 'plus', x: x(step) + column / 2, y: 24, 'text-anchor': 'middle', 'font-size': 13 }, `+${view.orderSize === null ? order : order * view.orderSize}`));
        if (demand !== undefined) group.append(svg('text', { class: demand ? 'minus' : 'soft', x: x(step) + column / 2, y: 48, 'text-anchor': 'middle', 'font-size': 13 }, demand ? `−${demand}` : '0'));
      }
      node.append(group);
      return { group, bar };
    });
    return {
      node,
      show(step) {
        marker.setAttribute('x', x(step));
        bars.forEach(({ group, bar }, t) => {
          bar.setAttribute('class', t === step ? 'bar-now' : t < step ? 'bar-then' : 'bar-later');
          group.classList.toggle('later', t > step);
        });
        node.dataset.step = step;
        node.setAttribute('aria-label', `Step ${step}: stock ${stocks[step]}`);
      },
    };
  }

  // A spring layout from a circle: the same picture every time.
  const graphPlaces = view && view.kind === 'graph' ? (() => {
    const n = view.nodes.length;
    const places = view.nodes.map((_, i) => [Math.cos(2 * Math.PI * i / n - Math.PI / 2) * 100, Math.sin(2 * Math.PI * i / n - Math.PI / 2) * 100]);
    for (let round = 0; round < 400; ++round) {
      const push = places.map(() => [0, 0]);
      for (let i = 0; i < n; ++i) {
        for (let j = 0; j < i; ++j) {
          let dx = places[i][0] - places[j][0], dy = places[i][1] - places[j][1];
          const far = Math.hypot(dx, dy) || 1, force = 9000 / (far * far);
          dx /= far; dy /= far;
          push[i][0] += dx * force; push[i][1] += dy * force; push[j][0] -= dx * force; push[j][1] -= dy * force;
        }
      }
      for (const [a, b] of view.links) {
        const dx = places[b][0] - places[a][0], dy = places[b][1] - places[a][1], far = Math.hypot(dx, dy) || 1, force = (far - 120) * .08;
        push[a][0] += dx / far * force; push[a][1] += dy / far * force; push[b][0] -= dx / far * force; push[b][1] -= dy / far * force;
      }
      const step = 1 - round / 400;
      places.forEach((place, i) => { for (const k of [0, 1]) place[k] += Math.max(-8, Math.min(8, push[i][k] - place[k] * .01)) * step; });
    }
    return places;
  })() : null;

  function graphStage(plan, still) {
    const xs = graphPlaces.map((p) => p[0]), ys = graphPlaces.map((p) => p[1]), pad = 58;
    const left = Math.min(...xs) - pad, top = Math.min(...ys) - pad, width = Math.max(...xs) - left + pad, height = Math.max(...ys) - top + pad;
    const node = svg('svg', { class: 'stage graph', viewBox: `${left} ${top} ${width} ${height}`, role: 'img', style: still ? null : 'max-width:560px;margin:0 auto' });
    for (const [a, b] of view.links) node.append(svg('line', { class: 'link', x1: xs[a], y1: ys[a], x2: xs[b], y2: ys[b] }));
    const oldest = view.oldest || Math.max(1, ...view.nodes.filter((n) => n.age !== null).flatMap((n) => plan.states.map((s) => s[n.age])));
    const groups = view.nodes.map((computer, i) => {
      const [cx, cy] = graphPlaces[i];
      const group = svg('g', { 'data-name': computer.name, transform: `translate(${cx} ${cy})` });
      group.append(svg('circle', { class: 'pulse', r: 46 }), svg('circle', { class: 'disc', r: 27 }));
      const arcs = [];
      if (computer.age !== null && oldest <= 24) {
        for (let k = 0; k < oldest; ++k) {
          const gap = .12, from = 2 * Math.PI * k / oldest - Math.PI / 2 + gap, to = 2 * Math.PI * (k + 1) / oldest - Math.PI / 2 - gap, r = 37;
          const arc = svg('path', { class: 'age', d: `M${r * Math.cos(from)} ${r * Math.sin(from)}A${r} ${r} 0 ${to - from > Math.PI ? 1 : 0} 1 ${r * Math.cos(to)} ${r * Math.sin(to)}` });
          arcs.push(arc);
          group.append(arc);
        }
      }
      const age = svg('text', { class: 'soft', y: 15, 'text-anchor': 'middle', 'font-size': 11 });
      group.append(svg('text', { y: 0, 'text-anchor': 'middle', 'font-size': 15, 'font-weight': 600 }, computer.name), age);
      node.append(group);
      return { computer, group, arcs, age };
    });
    return {
      node,
      show(step) {
        const values = plan.states[step];
        const said = [];
        for (const { computer, group, arcs, age } of groups) {
          const running = computer.running === null || values[computer.running] !== 0;
          const years = computer.age === null ? null : values[computer.age];
          const rebooted = step > 0 && computer.reboot !== null && plan.actions[step - 1][computer.reboot] !== 0;
          group.classList.toggle('off', !running);
          group.classList.toggle('rebooted', rebooted);
          arcs.forEach((arc, k) => arc.classList.toggle('on', k < years));
          age.textContent = !running ? 'down' : years === null ? '' : `age ${years}`;
          group.dataset.age = years;
          group.dataset.rebooted = rebooted;
          said.push(`${computer.name} ${running ? 'runs' : 'is down'}${years === null ? '' : `, age ${years}`}${rebooted ? ', rebooted' : ''}`);
        }
        node.setAttribute('aria-label', `Step ${step}: ${said.join('; ')}`);
      },
    };
  }

  const makeStage = { grid: gridStage, stock: stockStage, graph: graphStage };

  function legend() {
    const items = [];
    if (view.kind === 'grid') {
      for (const thing of view.things) {
        if (!items.some(([, name]) => name === thing.name)) items.push([svg('svg', { viewBox: '0 0 60 60' }, icons[thing.kind]()), thing.name]);
      }
      if (view.walls.length) items.push([svg('svg', { viewBox: '0 0 60 60' }, svg('rect', { class: 'wall', x: 8, y: 8, width: 44, height: 44, rx: 7 })), 'obstacle']);
    } else if (view.kind === 'graph') {
      items.push([svg('svg', { viewBox: '0 0 60 60' }, svg('circle', { class: 'disc', cx: 30, cy: 30, r: 22 })), 'runs']);
      items.push([svg('svg', { viewBox: '0 0 60 60' }, svg('g', { class: 'off' }, svg('circle', { class: 'disc', cx: 30, cy: 30, r: 22 }))), 'is down']);
      items.push([svg('svg', { viewBox: '0 0 60 60' }, svg('path', { class: 'age on', d: 'M10 40A22 22 0 0 1 50 40' })), 'age']);
      items.push([svg('svg', { viewBox: '0 0 60 60' }, svg('circle', { style: 'fill:none;stroke:var(--accent);stroke-width:6', cx: 30, cy: 30, r: 22 })), 'rebooted in this step']);
    }
    return items.length ? el('ul', { class: 'legend' }, items.map(([icon, name]) => el('li', {}, icon, name))) : '';
  }

  function nowPanel() {
    const panel = el('div', { class: 'step-panel', 'aria-live': 'polite' });
    watchers.push((step) => {
      const plan = current();
      if (plan.steps === null) return panel.replaceChildren();
      const taken = takenAt(plan, step), changes = changesAt(plan, step);
      const spent = plan.costs.slice(0, step).reduce((a, b) => a + b, 0);
      const nice = (value) => String(Math.round(value * 1e9) / 1e9);
      panel.replaceChildren();
      fill(panel, {}, [
        el('h3', {}, step ? `Step ${step} of ${plan.steps}` : 'Start'),
        el('p', {}, step === 0 ? el('span', { class: 'soft' }, 'the initial state') : taken.length ? taken.map((t) => el('span', { class: 'chip' }, t)) : el('span', { class: 'chip none' }, 'no action')),
        step > 0 ? el('h3', {}, 'What changed') : '',
        step > 0 ? (changes.length ? changes.slice(0, 12).map(({ variable, value, old }) => el('span', { class: 'diff' }, variable.boolean ? `${value ? '' : 'not '}${variable.name}` : `${variable.name} ${old} → ${value}`)) : el('p', { class: 'soft' }, 'nothing')) : '',
        changes.length > 12 ? el('p', { class: 'soft' }, `and ${changes.length - 12} more`) : '',
        el('h3', {}, 'Cost so far'), el('p', { class: 'big', id: 'spent' }, nice(spent))]);
    });
    return panel;
  }

  function stageSection() {
    const stages = el('div', { class: 'stages' }), strip = el('div', { class: 'strip', role: 'group', 'aria-label': 'All steps' });
    let live = [], thumbs = [];
    const withPlan = shown.length > 1;
    const both = withPlan ? el('button', { type: 'button', id: 'side', 'aria-pressed': 'false', onclick: () => { now.side = !now.side; build(); tell(); } }, 'Side by side') : '';
    function build() {
      if (both) both.setAttribute('aria-pressed', String(now.side));
      const chosen = now.side ? shown.slice(0, 6) : shown.filter(({ index }) => index === now.plan);
      live = chosen.map(({ plan, index }) => ({ plan, index, stage: makeStage[view.kind](plan, false) }));
      stages.replaceChildren(...live.map(({ plan, index, stage }) => el('figure', { class: view.kind === 'stock' ? 'broad' : null }, stage.node, chosen.length > 1 ? el('figcaption', {}, el('span', { class: 'swatch', style: `background:${series(index)}` }), `${baseName(plan.file)}, cost ${plan.cost}`) : '')));
      const plan = current();
      thumbs = [];
      if (view.kind !== 'stock' && plan.steps !== null) {
        const most = 80;
        for (let step = 0; step <= Math.min(plan.steps, most); ++step) {
          const stage = makeStage[view.kind](plan, true);
          stage.show(step);
          thumbs.push(el('button', { type: 'button', onclick: () => go(step), 'aria-label': `Go to step ${step}` }, stage.node, el('span', {}, step ? `${step} ${takenAt(plan, step).join(', ')}` : 'start')));
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
      if (thumb) strip.scrollLeft += thumb.getBoundingClientRect().left - strip.getBoundingClientRect().left - strip.clientWidth / 2 + thumb.offsetWidth / 2;
    });
    return el('section', { id: 'plan' }, el('div', { class: 'tools' }, el('h2', {}, 'The plan, step by step'), both), el('div', { class: 'stage-row' }, el('div', {}, stages, legend()), nowPanel()), strip);
  }

  // ---- timeline ----------------------------------------------------------------------------------------------
  function timelineSection() {
    const holder = el('div', { class: 'scroll' }), note = el('p', { class: 'soft small' });
    const box = el('input', { type: 'checkbox', id: 'all' });
    box.addEventListener('change', () => { now.all = box.checked; build(); tell(); });
    const most = 150;
    let first = 0, columns = [];
    function build() {
      const plan = current();
      columns = [];
      if (plan.steps === null) return holder.replaceChildren();
      const last = Math.min(plan.steps, first + most - 1);
      const steps = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      const mark = (step, cell) => { (columns[step] = columns[step] || []).push(cell); return cell; };
      const head = el('tr', {}, el('th', {}, ''), steps.map((step) => mark(step, el('th', { scope: 'col' }, el('button', { type: 'button', onclick: () => go(step), 'aria-label': `Go to step ${step}` }, step ? String(step) : 'start')))));
      let hidden = 0;
      const body = [];
      const group = (title, list, valueAt, kind) => {
        const rows = list.map((variable, i) => {
          const values = steps.map((step) => valueAt(step, i));
          const known = values.filter((v) => v !== null);
          if (!now.all && known.every((v) => v === 0)) return null;
          if (!now.all && kind === 'state' && known.every((v) => v === known[0]) && list.length > 8 && variable.boolean) return null;
          return el('tr', { 'data-variable': variable.name }, el('th', { scope: 'row', title: variable.name }, variable.name), steps.map((step, k) => {
            const value = values[k];
            if (value === null) return mark(step, el('td', {}));
            const before = step > 0 && kind === 'state' ? valueAt(step - 1, i) : value;
            const changed = before !== value;
            const what = kind === 'action' ? (value ? 'act' : 'zero') : value ? '' : 'zero';
            const inner = variable.boolean ? el('i', { class: what || null, title: value ? 'true' : 'false' }) : String(value);
            return mark(step, el('td', { class: [changed ? (value || !variable.boolean ? 'changed' : 'changed gone') : '', kind === 'action' && value && !variable.boolean ? 'act-cell' : ''].join(' ').trim() || null, 'data-value': value }, inner));
          }));
        });
        const kept = rows.filter(Boolean);
        hidden += rows.length - kept.length;
        if (kept.length) body.push(el('tr', { class: 'head' }, el('th', { scope: 'colgroup' }, title), steps.map((step) => mark(step, el('td', {})))), ...kept);
      };
      group('Actions', problem.action, (step, i) => (step === 0 ? null : plan.actions[step - 1][i]), 'action');
      group('State', problem.state, (step, i) => plan.states[step][i], 'state');
      group('Auxiliary', problem.auxiliary, (step, i) => (step === 0 ? null : plan.auxiliary[step - 1][i]), 'auxiliary');
      body.push(el('tr', { class: 'head' }, el('th', {}, 'Cost'), steps.map((step) => mark(step, el('td', {})))));
      body.push(el('tr', { 'data-variable': '' }, el('th', { scope: 'row' }, 'of the step'), steps.map((step) => mark(step, el('td', {}, step ? String(plan.costs[step - 1]) : '')))));
      holder.replaceChildren(el('table', { class: 'time', id: 'timeline' }, el('thead', {}, head), el('tbody', {}, body)));
      const parts = [];
      if (hidden) parts.push(`${plural(hidden, 'variable')} that ${hidden === 1 ? 'does' : 'do'} nothing ${hidden === 1 ? 'is' : 'are'} hidden.`);
      if (plan.steps + 1 > most) parts.push(`Steps ${first} to ${last} of ${plan.steps}.`);
      note.textContent = parts.join(' ');
    }
    build();
    planWatchers.push(() => { first = 0; build(); });
    let lit = [];
    watchers.push((step) => {
      if (current().steps === null) return;
      if (step < first || step >= first + most) { first = Math.max(0, Math.min(step - 20, current().steps - most + 1)); build(); }
      lit.forEach((cell) => cell.classList.remove('now'));
      lit = columns[step] || [];
      lit.forEach((cell) => cell.classList.add('now'));
      const cell = lit[0];
      if (!cell || !holder.offsetParent) return;
      const a = cell.getBoundingClientRect(), b = holder.getBoundingClientRect(), names = Math.min(140, b.width / 3);
      if (a.right > b.right - 20) holder.scrollLeft += a.right - b.right + 60;
      if (a.left < b.left + names) holder.scrollLeft -= b.left + names - a.left + 40;
    });
    return el('section', { id: 'times', class: 'long' }, el('div', { class: 'tools' }, el('h2', {}, 'Timeline'), el('label', { class: 'small' }, box, ' all variables')), holder, note,
      el('p', { class: 'soft small' }, 'A round mark is an action taken, a square one a state variable that is true; a ring marks what a step changed.'));
  }

  // ---- charts ------------------------------------------------------------------------------------------------
  function ticks(low, high, wanted) {
    const span = high - low || 1, raw = span / wanted, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
    const list = [];
    for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-6; v += step) list.push(Math.round(v / step) * step);
    return list.map((v) => Number(v.toPrecision(10)));
  }
  function chart({ title, lines, xLabel, xText, low, high, end, marks }) {
    const W = Math.max(300, Math.min(520, innerWidth - 60)), H = 250, left = 48, right = 14, top = 16, base = 206;
    const x = (v) => left + (W - left - right) * (end ? v / end : 0), y = (v) => base - (base - top) * (v - low) / (high - low || 1);
    const node = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': title });
    for (const v of ticks(low, high, 4)) node.append(svg('line', { class: 'axis', x1: left, x2: W - right, y1: y(v), y2: y(v) }), svg('text', { class: 'soft', x: left - 8, y: y(v) + 4, 'text-anchor': 'end', 'font-size': 12 }, String(v)));
    for (const v of ticks(0, end, 4)) node.append(svg('text', { class: 'soft', x: x(v), y: base + 19, 'text-anchor': 'middle', 'font-size': 12 }, xText(v)));
    node.append(svg('text', { class: 'soft', x: (left + W - right) / 2, y: H - 4, 'text-anchor': 'middle', 'font-size': 12 }, xLabel));
    for (const { points, colour, lower } of lines) {
      if (!points.length) continue;
      let path = `M${x(points[0][0])} ${y(points[0][1])}`;
      for (const [px, py] of points.slice(1)) path += `H${x(px)}V${y(py)}`;
      path += `H${x(end)}`;
      node.append(svg('path', { class: `line${lower ? ' lower' : ''}`, d: path, style: `stroke:${colour}` }));
      if (points.length < 40) for (const [px, py] of points) node.append(svg('circle', { cx: x(px), cy: y(py), r: 3, style: `fill:${colour}` }));
    }
    const line = marks ? svg('line', { x1: 0, x2: 0, y1: top, y2: base, style: 'stroke:var(--accent);stroke-width:2;opacity:.5' }) : null;
    if (line) { node.append(line); watchers.push((step) => { line.setAttribute('x1', x(Math.min(step, end))); line.setAttribute('x2', x(Math.min(step, end))); }); }
    return el('div', {}, el('h3', {}, title), node);
  }
  function chartsSection() {
    const parts = [];
    const bounded = plans.map((plan, index) => ({ plan, index })).filter(({ plan }) => plan.bounds.length);
    if (bounded.length) {
      const lines = [], values = [];
      let end = 0;
      for (const { plan, index } of bounded) {
        end = Math.max(end, plan.seconds || 0, plan.bounds[plan.bounds.length - 1][0]);
        for (const k of [1, 2]) {
          const points = plan.bounds.filter((p) => p[k] !== null).map((p) => [p[0], p[k]]);
          values.push(...points.map((p) => p[1]));
          lines.push({ points, colour: series(index), lower: k === 1 });
        }
      }
      if (values.length) {
        const low = Math.min(0, ...values), high = Math.max(low + 1, ...values);
        const node = chart({ title: 'Bounds over time', lines, xLabel: 'time', xText: (s) => (end < .01 ? `${Number((s * 1000).toPrecision(3))} ms` : end < 1 ? `${Math.round(s * 1000)} ms` : `${s} s`), low, high: high + (high - low) * .08, end: end || 1e-3 });
        node.id = 'bounds';
        node.append(el('p', { class: 'soft small' }, 'Solid: the cost of the best plan so far. Dashed: what is proved that no plan can beat.'));
        parts.push(node);
      }
    }
    if (shown.length) {
      const end = Math.max(...shown.map(({ plan }) => plan.steps));
      const lines = shown.map(({ plan, index }) => {
        let sum = 0;
        return { points: [[0, 0], ...plan.costs.map((c, t) => [t + 1, Math.round((sum += c) * 1e9) / 1e9])], colour: series(index) };
      });
      const values = lines.flatMap(({ points }) => points.map((p) => p[1]));
      const low = Math.min(0, ...values), high = Math.max(low + 1, ...values);
      parts.push(chart({ title: 'Cost over the steps', lines, xLabel: 'step', xText: String, low, high: high + (high - low) * .08, end, marks: true }));
    }
    if (!parts.length) return '';
    return el('section', { id: 'charts' }, el('h2', {}, 'Bounds and cost'), el('div', { class: 'charts' }, parts));
  }

  // ---- the network -------------------------------------------------------------------------------------------
  function networkSection() {
    const network = problem.network;
    if (!network || !shown.some(({ plan }) => plan.activity)) return '';
    const sizes = [network.inputs.length, ...network.layers.map((layer) => layer.length)];
    if (sizes.reduce((a, b) => a + b) > 6000) return el('section', {}, el('h2', {}, 'The network'), el('p', { class: 'soft' }, `${network.shape} neurons: too many to draw.`));
    const bit = (text, i) => (parseInt(text[i >> 2], 16) >> (3 - (i & 3))) & 1;
    // Layers stand side by side; a large one is folded into columns.
    const rows = Math.max(12, Math.min(40, Math.max(network.inputs.length, network.outputs.length)));
    const gap = 15, between = 96;
    const longest = (names) => Math.min(200, Math.max(...names.map((name) => name.length)) * 6 + 14);
    const places = [], left = longest(network.inputs), right = longest(network.outputs) + 12;
    let x = left + 6;
    const height = rows * gap + 34;
    sizes.forEach((size, layer) => {
      const named = layer === 0 || layer === sizes.length - 1;
      const perColumn = named ? Math.max(size, 1) : Math.min(rows, Math.max(8, Math.ceil(Math.sqrt(size) * 1.5)));
      const used = Math.min(size, perColumn), columns = Math.ceil(size / perColumn), pitch = Math.min(gap, (height - 34) / Math.max(1, used));
      const top = 26 + ((height - 34) - used * pitch) / 2 + pitch / 2;
      places.push(Array.from({ length: size }, (_, i) => [x + Math.floor(i / perColumn) * gap, top + (i % perColumn) * pitch, Math.min(5.2, pitch * .42)]));
      x += (columns - 1) * gap + between;
    });
    const width = x - between + right;
    const node = svg('svg', { class: 'net', viewBox: `0 0 ${width} ${height}`, style: `width:100%;min-width:${Math.round(width * .8)}px;max-width:${Math.round(width * 1.5)}px`, tabindex: 0, role: 'application', 'aria-label': 'The network. Arrow keys choose a neuron.' });
    const edges = svg('g', {});
    node.append(edges);
    const circles = places.map((list, layer) => list.map(([cx, cy, r], i) => {
      const circle = svg('circle', { class: 'neuron', cx, cy, r, 'data-layer': layer, 'data-index': i });
      node.append(circle);
      return circle;
    }));
    const cut = (name) => (name.length > 32 ? name.slice(0, 31) + '…' : name);
    const inputTexts = network.inputs.map((name, i) => { const t = svg('text', { x: places[0][i][0] - 9, y: places[0][i][1] + 3.5, 'text-anchor': 'end' }, cut(name)); node.append(t); return t; });
    const last = places.length - 1;
    const outputTexts = network.outputs.map((name, i) => { const t = svg('text', { x: places[last][i][0] + 9, y: places[last][i][1] + 3.5 }, cut(name)); node.append(t); return t; });
    places.forEach((list, layer) => { if (list.length) node.append(svg('text', { class: 'soft', x: (list[0][0] + list[list.length - 1][0]) / 2, y: 12, 'text-anchor': 'middle' }, layer === 0 ? 'inputs' : layer === last ? 'outputs' : `layer ${layer}`)); });
    const title = el('h2', {}, 'The network'), note = el('p', { class: 'note soft', 'aria-live': 'polite' });
    let active = [];
    const empty = 'Choose a neuron with the pointer, or with the arrow keys, to see what it looks at.';
    function explain() {
      edges.replaceChildren();
      circles.flat().forEach((circle) => circle.classList.remove('picked'));
      const pick = now.neuron;
      if (!pick || !active.length) { note.textContent = empty; return; }
      const [layer, index] = pick, circle = circles[layer][index];
      circle.classList.add('picked');
      const on = bit(active[layer], index);
      const name = layer === 0 ? network.inputs[index] : layer === last ? network.outputs[index] : `Neuron ${index + 1} of layer ${layer}`;
      if (layer === 0) { note.textContent = `${name} is ${on ? 'true' : 'false'}.`; return; }
      const [threshold, weights] = network.layers[layer - 1][index];
      if (!weights) { note.textContent = `${name} is ${on ? 'active' : 'inactive'}.`; return; }
      let agree = 0, used = 0;
      for (let i = 0; i < weights.length; ++i) {
        if (weights[i] === '0') continue;
        ++used;
        const same = bit(active[layer - 1], i) === (weights[i] === '+' ? 1 : 0);
        agree += same;
        const [x1, y1] = places[layer - 1][i], [x2, y2] = places[layer][index];
        edges.append(svg('line', { class: `edge ${same ? 'agree' : 'against'}`, x1, y1, x2, y2 }));
      }
      note.textContent = `${name}: ${agree} of its ${used} inputs agree with their weights (green), ${threshold} are needed, so it is ${on ? 'active' : 'inactive'}.`;
    }
    node.addEventListener('pointerover', (event) => { const c = event.target; if (c.dataset && c.dataset.layer) { now.neuron = [Number(c.dataset.layer), Number(c.dataset.index)]; explain(); } });
    node.addEventListener('click', (event) => { const c = event.target; if (!c.dataset || !c.dataset.layer) { now.neuron = null; explain(); } });
    node.addEventListener('keydown', (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key === 'Escape') now.neuron = null;
      else if (moves[event.key]) {
        const [dl, di] = moves[event.key];
        if (!now.neuron) now.neuron = [last, 0];
        else {
          const layer = Math.max(0, Math.min(last, now.neuron[0] + dl));
          now.neuron = [layer, Math.max(0, Math.min(sizes[layer] - 1, now.neuron[1] + di))];
        }
      } else return;
      event.preventDefault();
      event.stopPropagation();
      explain();
    });
    watchers.push((step) => {
      const plan = current();
      if (!plan.activity) { title.textContent = 'The network'; return; }
      const at = Math.max(1, step);
      active = plan.activity[at - 1];
      title.textContent = `The network at step ${at}`;
      node.dataset.step = at;
      circles.forEach((list, layer) => list.forEach((circle, i) => circle.classList.toggle('on', bit(active[layer], i) === 1)));
      inputTexts.forEach((t, i) => t.classList.toggle('on', bit(active[0], i) === 1));
      outputTexts.forEach((t, i) => t.classList.toggle('on', bit(active[last], i) === 1));
      explain();
    });
    return el('section', { id: 'network' }, title, el('p', { class: 'soft' }, 'From the state and the actions of the step (left) to the next state (right). Filled neurons are active.'), el('div', { class: 'scroll' }, node), note);
  }

  // ---- the player --------------------------------------------------------------------------------------------
  const planWatchers = [];
  const symbols = {
    start: 'M5 4v12M16 4L8 10l8 6z', back: 'M13 4L5 10l8 6z', play: 'M6 3l11 7-11 7z', pause: 'M5 4h4v12H5zM11 4h4v12h-4z', next: 'M7 4l8 6-8 6z', end: 'M15 4v12M4 4l8 6-8 6z',
    sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1v2.5M10 16.5V19M1 10h2.5M16.5 10H19M3.6 3.6l1.8 1.8M14.6 14.6l1.8 1.8M3.6 16.4l1.8-1.8M14.6 5.4l1.8-1.8', moon: 'M15.5 12.2A6.5 6.5 0 0 1 7.8 4.5a6.5 6.5 0 1 0 7.7 7.7z',
  };
  const icon = (name) => svg('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' }, svg('path', { d: symbols[name], fill: name === 'sun' ? 'none' : 'currentColor', stroke: 'currentColor', 'stroke-width': 1.6, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }));
  const lastStep = () => (current().steps === null ? 0 : now.side ? Math.max(...shown.map(({ plan }) => plan.steps)) : current().steps);
  function tell() { for (const watcher of watchers) watcher(Math.min(now.step, current().steps === null ? 0 : current().steps)); }
  function go(step) {
    now.step = Math.max(0, Math.min(lastStep(), step));
    for (const watcher of playerWatchers) watcher();
    tell();
    root.dataset.step = now.step;
  }
  function choosePlan(index) {
    now.plan = index;
    stop();
    for (const watcher of planWatchers) watcher();
    go(now.step);
    root.dataset.plan = index;
  }
  function stop() { clearInterval(now.playing); now.playing = 0; for (const watcher of playerWatchers) watcher(); }
  function play() {
    if (now.playing) return stop();
    if (now.step >= lastStep()) go(0);
    now.playing = setInterval(() => { if (now.step >= lastStep()) stop(); else go(now.step + 1); }, reduced ? 1200 : 750);
    for (const watcher of playerWatchers) watcher();
  }
  const playerWatchers = [];
  function buildPlayer() {
    const footer = document.getElementById('player');
    if (!shown.length) return;
    const button = (name, text, key, action, kind) => el('button', { type: 'button', class: kind, 'aria-label': text, title: `${text} (${key})`, onclick: action, id: `player-${name}` }, icon(name));
    const slider = el('input', { type: 'range', min: 0, max: lastStep(), value: 0, step: 1, 'aria-label': 'Step', id: 'slider' });
    slider.addEventListener('input', () => { const step = Number(slider.value); stop(); go(step); });
    const output = el('output', { for: 'slider', id: 'where' });
    const go1 = button('play', 'Play', 'space', play, 'go');
    const choice = shown.length > 1 ? el('select', { 'aria-label': 'Plan', id: 'which', onchange: (event) => choosePlan(Number(event.target.value)) }, shown.map(({ plan, index }) => el('option', { value: index }, baseName(plan.file)))) : '';
    footer.append(el('div', {}, button('start', 'To the start', 'Home', () => { stop(); go(0); }, 'ends'), button('back', 'Back', '←', () => { stop(); go(now.step - 1); }), go1, button('next', 'Forward', '→', () => { stop(); go(now.step + 1); }), button('end', 'To the end', 'End', () => { stop(); go(lastStep()); }, 'ends'), slider, output, choice));
    footer.hidden = false;
    playerWatchers.push(() => {
      slider.max = lastStep();
      slider.value = now.step;
      output.textContent = `step ${now.step} of ${lastStep()}`;
      go1.replaceChildren(icon(now.playing ? 'pause' : 'play'));
      go1.setAttribute('aria-label', now.playing ? 'Pause' : 'Play');
      if (choice) choice.value = String(now.plan);
    });
  }

  // ---- light and dark ----------------------------------------------------------------------------------------
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const themeButton = document.getElementById('theme');
  let chosenTheme = null;
  try { chosenTheme = localStorage.getItem('bnnplan-theme'); } catch (error) { /* some browsers keep nothing for files */ }
  function showTheme() {
    root.dataset.theme = chosenTheme || (dark.matches ? 'dark' : 'light');
    themeButton.replaceChildren(icon(root.dataset.theme === 'dark' ? 'sun' : 'moon'));
  }
  function turnTheme() {
    chosenTheme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('bnnplan-theme', chosenTheme); } catch (error) { /* as above */ }
    showTheme();
  }
  themeButton.addEventListener('click', turnTheme);
  dark.addEventListener('change', showTheme);

  // ---- keys, addresses, printing -----------------------------------------------------------------------------
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    const typing = tag === 'SELECT' || tag === 'TEXTAREA' || (tag === 'INPUT' && event.target.type !== 'range' && event.target.type !== 'checkbox');
    if (typing) return;
    const slider = tag === 'INPUT' && event.target.type === 'range';
    if (event.key === 't' || event.key === 'T') turnTheme();
    else if (!shown.length) return;
    else if (event.key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'INPUT' && !slider)) return;
    else if (event.key === ' ') play();
    else if (slider) return;
    else if (event.key === 'ArrowRight') { stop(); go(now.step + 1); }
    else if (event.key === 'ArrowLeft') { stop(); go(now.step - 1); }
    else if (event.key === 'Home') { stop(); go(0); }
    else if (event.key === 'End') { stop(); go(lastStep()); }
    else if (/^[1-9]$/.test(event.key) && shown.length > 1 && shown[Number(event.key) - 1]) choosePlan(shown[Number(event.key) - 1].index);
    else return;
    event.preventDefault();
  });
  function readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.get('theme') === 'dark' || wanted.get('theme') === 'light') { chosenTheme = wanted.get('theme'); showTheme(); }
    const plan = Number(wanted.get('plan'));
    if (wanted.has('plan') && plans[plan - 1]) choosePlan(plan - 1);
    if (wanted.has('step')) go(Number(wanted.get('step')) || 0);
  }
  addEventListener('hashchange', readAddress);
  let opened = [];
  addEventListener('beforeprint', () => { opened = [...document.querySelectorAll('details:not([open])')]; opened.forEach((d) => { d.open = true; }); });
  addEventListener('afterprint', () => opened.forEach((d) => { d.open = false; }));

  // ---- the page ----------------------------------------------------------------------------------------------
  showTheme();
  const planSections = !shown.length ? [] : view
    ? [stageSection(), timelineSection()]
    : [el('section', { id: 'plan' }, el('h2', {}, 'The plan, step by step'), nowPanel()), timelineSection()];
  fill(document.getElementById('page'), {}, [askedSection(), plans.length > 1 ? compareSection() : '', answerSection(), ...planSections, chartsSection(), networkSection()]);
  buildPlayer();
  go(0);
  readAddress();
  root.dataset.ready = 'yes';
})();
