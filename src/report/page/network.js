// The network at the chosen step: layers side by side, active neurons filled; a chosen neuron shows its inputs.
function networkSection() {
  const network = problem.network;
  if (!network || !shown.some(({ plan }) => plan.activity)) return '';
  const sizes = [network.inputs.length, ...network.layers.map((layer) => layer.length)];
  if (sizes.reduce((a, b) => a + b) > 6000)
    return el(
      'section',
      {},
      el('h2', {}, 'The network'),
      el('p', { class: 'soft' }, `${network.shape} neurons: too many to draw.`),
    );
  const bit = (text, i) => (parseInt(text[i >> 2], 16) >> (3 - (i & 3))) & 1;
  // Layers are drawn side by side; a large one is folded into columns.
  const rows = Math.max(12, Math.min(64, Math.max(network.inputs.length, network.outputs.length)));
  const gap = 15,
    between = 96;
  const longest = (names) => Math.min(200, Math.max(...names.map((name) => name.length)) * 6 + 14);
  const places = [],
    left = longest(network.inputs),
    right = longest(network.outputs) + 12;
  let x = left + 6;
  const height = rows * gap + 34;
  sizes.forEach((size, layer) => {
    const named = layer === 0 || layer === sizes.length - 1;
    const perColumn = named
      ? Math.max(size, 1)
      : Math.min(rows, Math.max(8, Math.ceil(Math.sqrt(size) * 1.5)));
    const used = Math.min(size, perColumn),
      columns = Math.ceil(size / perColumn),
      pitch = Math.min(gap, (height - 34) / Math.max(1, used));
    const top = 26 + (height - 34 - used * pitch) / 2 + pitch / 2;
    places.push(
      Array.from({ length: size }, (_, i) => [
        x + Math.floor(i / perColumn) * gap,
        top + (i % perColumn) * pitch,
        Math.min(5.2, pitch * 0.42),
      ]),
    );
    x += (columns - 1) * gap + between;
  });
  const width = x - between + right;
  const node = svg('svg', {
    class: 'net',
    viewBox: `0 0 ${width} ${height}`,
    style: `width:100%;min-width:${Math.round(width * 0.8)}px;max-width:${Math.round(width * 1.5)}px`,
    tabindex: 0,
    role: 'application',
    'aria-label': 'The network. Arrow keys choose a neuron.',
  });
  const edges = svg('g', {});
  node.append(edges);
  const circles = places.map((list, layer) =>
    list.map(([cx, cy, r], i) => {
      const circle = svg('circle', { class: 'neuron', cx, cy, r, 'data-layer': layer, 'data-index': i });
      node.append(circle);
      return circle;
    }),
  );
  // Names of many inputs are small; with even more, only those that are true are shown.
  const nameStyle = (count) => {
    const pitch = Math.min(gap, (height - 34) / Math.max(1, count));
    return {
      style: `font-size:${Math.max(6.5, Math.min(10, pitch - 0.6))}px`,
      class: pitch < 7 ? 'crowded' : null,
    };
  };
  const cut = (name) => (name.length > 32 ? name.slice(0, 31) + '…' : name);
  const inputTexts = network.inputs.map((name, i) => {
    const t = svg(
      'text',
      {
        x: places[0][i][0] - 9,
        y: places[0][i][1] + 3,
        'text-anchor': 'end',
        ...nameStyle(network.inputs.length),
      },
      cut(name),
    );
    node.append(t);
    return t;
  });
  const last = places.length - 1;
  const outputTexts = network.outputs.map((name, i) => {
    const t = svg(
      'text',
      { x: places[last][i][0] + 9, y: places[last][i][1] + 3, ...nameStyle(network.outputs.length) },
      cut(name),
    );
    node.append(t);
    return t;
  });
  places.forEach((list, layer) => {
    if (list.length)
      node.append(
        svg(
          'text',
          { class: 'soft', x: (list[0][0] + list[list.length - 1][0]) / 2, y: 12, 'text-anchor': 'middle' },
          layer === 0 ? 'inputs' : layer === last ? 'outputs' : `layer ${layer}`,
        ),
      );
  });
  const title = el('h2', {}, 'The network'),
    note = el('p', { class: 'note soft', 'aria-live': 'polite' });
  let active = [];
  const empty = 'Choose a neuron with the pointer, or with the arrow keys, to see its inputs.';
  function explain() {
    edges.replaceChildren();
    circles.flat().forEach((circle) => circle.classList.remove('picked'));
    const pick = now.neuron;
    if (!pick || !active.length) {
      note.textContent = empty;
      return;
    }
    const [layer, index] = pick,
      circle = circles[layer][index];
    circle.classList.add('picked');
    const on = bit(active[layer], index);
    const name =
      layer === 0
        ? network.inputs[index]
        : layer === last
          ? network.outputs[index]
          : `Neuron ${index + 1} of layer ${layer}`;
    if (layer === 0) {
      note.textContent = `${name} is ${on ? 'true' : 'false'}.`;
      return;
    }
    const [threshold, weights] = network.layers[layer - 1][index];
    if (!weights) {
      note.textContent = `${name} is ${on ? 'active' : 'inactive'}.`;
      return;
    }
    let agree = 0,
      used = 0;
    for (let i = 0; i < weights.length; ++i) {
      if (weights[i] === '0') continue;
      ++used;
      const same = bit(active[layer - 1], i) === (weights[i] === '+' ? 1 : 0);
      agree += same;
      const [x1, y1] = places[layer - 1][i],
        [x2, y2] = places[layer][index];
      edges.append(svg('line', { class: `edge ${same ? 'agree' : 'against'}`, x1, y1, x2, y2 }));
    }
    note.textContent = `${name}: ${agree} of its ${used} inputs agree with their weights (green), ${threshold} are needed, so it is ${on ? 'active' : 'inactive'}.`;
  }
  node.addEventListener('pointerover', (event) => {
    const c = event.target;
    if (c.dataset && c.dataset.layer) {
      now.neuron = [Number(c.dataset.layer), Number(c.dataset.index)];
      explain();
    }
  });
  node.addEventListener('click', (event) => {
    const c = event.target;
    if (!c.dataset || !c.dataset.layer) {
      now.neuron = null;
      explain();
    }
  });
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
    if (!plan.activity) {
      title.textContent = 'The network';
      return;
    }
    const at = Math.max(1, step);
    active = plan.activity[at - 1];
    title.textContent = `The network at step ${at}`;
    node.dataset.step = at;
    circles.forEach((list, layer) =>
      list.forEach((circle, i) => circle.classList.toggle('on', bit(active[layer], i) === 1)),
    );
    inputTexts.forEach((t, i) => t.classList.toggle('on', bit(active[0], i) === 1));
    outputTexts.forEach((t, i) => t.classList.toggle('on', bit(active[last], i) === 1));
    explain();
  });
  return el(
    'section',
    { id: 'network' },
    title,
    el(
      'p',
      { class: 'soft' },
      'From the state and the actions of the step (left) to the next state (right). Filled neurons are active.',
    ),
    el('div', { class: 'scroll' }, node),
    note,
  );
}
