// A stock over time, with orders and demand.
function stockStage(plan) {
  const steps = plan.steps,
    left = 46,
    column = Math.max(26, Math.min(90, Math.max(280, Math.min(620, innerWidth - 110)) / (steps + 1))),
    width = left + column * (steps + 1) + 8;
  const height = 300,
    top = 74,
    base = 270;
  const stocks = plan.states.map((values) => values[view.stock]);
  const most = Math.max(1, view.capacity || 0, ...stocks);
  const y = (value) => base - ((base - top) * value) / most;
  const x = (step) => left + step * column;
  const node = svg('svg', { class: 'stage stock', viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const marker = svg('rect', { class: 'column-now', y: 2, width: column, height: height - 4, rx: 8 });
  node.append(marker, svg('line', { class: 'axis', x1: left, x2: width, y1: base, y2: base }));
  for (const [text, row] of [
    ['order', 24],
    ['demand', 48],
  ])
    node.append(svg('text', { class: 'soft', x: 0, y: row, 'font-size': 11 }, text));
  node.append(svg('text', { class: 'soft', x: 0, y: (top + base) / 2, 'font-size': 11 }, 'stock'));
  if (view.capacity)
    node.append(
      svg('line', { class: 'cap', x1: left, x2: width, y1: y(view.capacity), y2: y(view.capacity) }),
      svg(
        'text',
        { class: 'soft', x: width - 4, y: y(view.capacity) - 5, 'font-size': 11, 'text-anchor': 'end' },
        `capacity ${view.capacity}`,
      ),
    );
  const bars = stocks.map((value, step) => {
    const group = svg('g', { class: 'thing', 'data-stock': value });
    const bar = svg('rect', {
      x: x(step) + column * 0.16,
      width: column * 0.68,
      y: y(value),
      height: Math.max(0, base - y(value)),
      rx: 3,
    });
    group.append(
      bar,
      svg(
        'text',
        { x: x(step) + column / 2, y: y(value) - 6, 'text-anchor': 'middle', 'font-size': 13 },
        String(value),
      ),
      svg(
        'text',
        { class: 'soft', x: x(step) + column / 2, y: base + 18, 'text-anchor': 'middle', 'font-size': 11 },
        step ? String(step) : 'start',
      ),
    );
    if (step > 0) {
      const order = view.order === null ? 0 : plan.actions[step - 1][view.order];
      const month =
        view.month === null
          ? view.demand.length
            ? (step - 1) % view.demand.length
            : 0
          : plan.states[step - 1][view.month];
      const demand = view.demand[month];
      if (order)
        group.append(
          svg(
            'text',
            { class: 'plus', x: x(step) + column / 2, y: 24, 'text-anchor': 'middle', 'font-size': 13 },
            `+${view.orderSize === null ? order : order * view.orderSize}`,
          ),
        );
      if (demand !== undefined)
        group.append(
          svg(
            'text',
            {
              class: demand ? 'minus' : 'soft',
              x: x(step) + column / 2,
              y: 48,
              'text-anchor': 'middle',
              'font-size': 13,
            },
            demand ? `−${demand}` : '0',
          ),
        );
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
