// Grids: cells, walls and things that move. A stage is { node, show(step) }; a still one, for the film strip,
// does not animate.
const U = 60; // units of a cell
const icons = {
  agent: () => [
    svg('rect', { class: 'agent-body', x: 15, y: 17, width: 30, height: 28, rx: 9 }),
    svg('rect', { class: 'agent-body', x: 28.5, y: 9, width: 3, height: 9, rx: 1.5 }),
    svg('circle', { class: 'agent-body', cx: 30, cy: 9, r: 3.5 }),
    svg('circle', { class: 'agent-eye', cx: 24, cy: 29, r: 3.4 }),
    svg('circle', { class: 'agent-eye', cx: 36, cy: 29, r: 3.4 }),
    svg('rect', { class: 'agent-eye', x: 24, y: 36.5, width: 12, height: 2.6, rx: 1.3 }),
  ],
  enemy: () => [
    svg('path', {
      class: 'enemy-body',
      d: 'M15 46V29a15 15 0 0 1 30 0v17l-5-4.5-5 4.5-5-4.5-5 4.5-5-4.5z',
    }),
    svg('circle', { class: 'enemy-eye', cx: 24.5, cy: 28, r: 3.8 }),
    svg('circle', { class: 'enemy-eye', cx: 35.5, cy: 28, r: 3.8 }),
  ],
  key: () => [
    svg('circle', { class: 'key-body', cx: 22, cy: 30, r: 7.5 }),
    svg('path', { class: 'key-body', d: 'M30 30H47M40 30v8M47 30v7' }),
  ],
  door: () => [
    svg('path', { class: 'door-frame', d: 'M13 52V14a4 4 0 0 1 4-4h26a4 4 0 0 1 4 4v38' }),
    svg('rect', { class: 'door-body', x: 18, y: 15, width: 24, height: 37, rx: 2, opacity: 0.8 }),
    svg('circle', { class: 'door-knob', cx: 37, cy: 34, r: 2.6 }),
  ],
  goal: () => [
    svg('circle', { class: 'goal-ring', cx: 30, cy: 30, r: 17 }),
    svg('circle', { class: 'goal-ring', cx: 30, cy: 30, r: 9, opacity: 0.6 }),
    svg('circle', { class: 'goal-dot', cx: 30, cy: 30, r: 3.5 }),
  ],
};

function placeOf(thing, values) {
  if (thing.shown && (values[thing.shown[0]] !== 0) !== thing.shown[1]) return null;
  if (thing.at) return thing.at;
  if (thing.cells) {
    for (let y = 0; y < thing.cells.length; ++y) {
      for (let x = 0; x < thing.cells[y].length; ++x)
        if (thing.cells[y][x] !== null && values[thing.cells[y][x]] !== 0) return [x, y];
    }
    return null;
  }
  const x = values[thing.x],
    y = values[thing.y];
  return x >= 0 && x < view.width && y >= 0 && y < view.height && Number.isInteger(x) && Number.isInteger(y)
    ? [x, y]
    : null;
}

function gridStage(plan, still) {
  const width = view.width * U,
    height = view.height * U;
  const at = ([x, y]) => [x * U, (view.height - 1 - y) * U];
  const node = svg('svg', {
    class: 'stage grid',
    viewBox: `-3 -3 ${width + 6} ${height + 6}`,
    role: 'img',
    style: still ? null : `max-width:${Math.min(560, Math.max(260, width * 1.6))}px;margin:0 auto`,
  });
  node.append(svg('rect', { class: 'floor', x: 0, y: 0, width, height, rx: 8 }));
  for (let x = 1; x < view.width; ++x)
    node.append(svg('line', { class: 'mesh', x1: x * U, x2: x * U, y1: 0, y2: height }));
  for (let y = 1; y < view.height; ++y)
    node.append(svg('line', { class: 'mesh', y1: y * U, y2: y * U, x1: 0, x2: width }));
  for (const wall of view.walls) {
    const [x, y] = at(wall);
    node.append(svg('rect', { class: 'wall', x: x + 2, y: y + 2, width: U - 4, height: U - 4, rx: 7 }));
  }
  const agent = view.things.find((thing) => thing.kind === 'agent');
  const path = agent ? plan.states.map((values) => placeOf(agent, values)) : [];
  const points = (list) =>
    list
      .filter(Boolean)
      .map((cell) => {
        const [x, y] = at(cell);
        return `${x + U / 2},${y + U / 2}`;
      })
      .join(' ');
  const done = svg('polyline', { class: 'path-done', points: '' });
  if (agent && !still) node.append(svg('polyline', { class: 'path-all', points: points(path) }));
  if (agent) node.append(done);
  const order = { goal: 0, door: 0, key: 1, enemy: 2, agent: 3 };
  const moving = (thing) => !thing.at;
  const things = view.things.map((thing) => ({
    thing,
    group: svg('g', { class: 'thing', 'data-kind': thing.kind, 'data-name': thing.name }),
  }));
  for (const { thing, group } of things) {
    const carried = thing.kind === 'key' && moving(thing);
    group.append(svg('g', carried ? { transform: 'translate(30 -2) scale(.52)' } : {}, icons[thing.kind]()));
    if (still) group.style.transition = 'none';
  }
  for (const { group } of [...things].sort(
    (a, b) =>
      order[a.thing.kind] +
      (moving(a.thing) && a.thing.kind === 'key' ? 4 : 0) -
      (order[b.thing.kind] + (moving(b.thing) && b.thing.kind === 'key' ? 4 : 0)),
  ))
    node.append(group);
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
