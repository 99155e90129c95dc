// Charts: bounds over time, cost or reward over the steps.
function ticks(low, high, wanted) {
  const span = high - low || 1,
    raw = span / wanted,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-6; v += step)
    list.push(Math.round(v / step) * step);
  return list.map((v) => Number(v.toPrecision(10)));
}
function chart({ title, lines, xLabel, xText, low, high, end, marks }) {
  const W = Math.max(300, Math.min(520, innerWidth - 60)),
    H = 250,
    left = 48,
    right = 14,
    top = 16,
    base = 206;
  const x = (v) => left + (W - left - right) * (end ? v / end : 0),
    y = (v) => base - ((base - top) * (v - low)) / (high - low || 1);
  const node = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': title });
  for (const v of ticks(low, high, 4))
    node.append(
      svg('line', { class: 'axis', x1: left, x2: W - right, y1: y(v), y2: y(v) }),
      svg(
        'text',
        { class: 'soft', x: left - 8, y: y(v) + 4, 'text-anchor': 'end', 'font-size': 12 },
        String(v),
      ),
    );
  for (const v of ticks(0, end, 4))
    node.append(
      svg(
        'text',
        { class: 'soft', x: x(v), y: base + 19, 'text-anchor': 'middle', 'font-size': 12 },
        xText(v),
      ),
    );
  node.append(
    svg(
      'text',
      { class: 'soft', x: (left + W - right) / 2, y: H - 4, 'text-anchor': 'middle', 'font-size': 12 },
      xLabel,
    ),
  );
  for (const { points, colour, lower } of lines) {
    if (!points.length) continue;
    let path = `M${x(points[0][0])} ${y(points[0][1])}`;
    for (const [px, py] of points.slice(1)) path += `H${x(px)}V${y(py)}`;
    path += `H${x(end)}`;
    node.append(svg('path', { class: `line${lower ? ' lower' : ''}`, d: path, style: `stroke:${colour}` }));
    if (points.length < 40)
      for (const [px, py] of points)
        node.append(svg('circle', { cx: x(px), cy: y(py), r: 3, style: `fill:${colour}` }));
  }
  const line = marks
    ? svg('line', {
        x1: 0,
        x2: 0,
        y1: top,
        y2: base,
        style: 'stroke:var(--accent);stroke-width:2;opacity:.5',
      })
    : null;
  if (line) {
    node.append(line);
    watchers.push((step) => {
      line.setAttribute('x1', x(Math.min(step, end)));
      line.setAttribute('x2', x(Math.min(step, end)));
    });
  }
  return el('div', {}, el('h3', {}, title), node);
}
function chartsSection() {
  const parts = [];
  const bounded = plans.map((plan, index) => ({ plan, index })).filter(({ plan }) => plan.bounds.length);
  if (bounded.length) {
    const lines = [],
      values = [];
    let end = 0;
    for (const { plan, index } of bounded) {
      end = Math.max(end, plan.seconds || 0, plan.bounds[plan.bounds.length - 1][0]);
      for (const k of [1, 2]) {
        const points = plan.bounds
          .filter((p) => p[k] !== null)
          .map((p) => [p[0], maximize ? -p[k] : p[k]]);
        values.push(...points.map((p) => p[1]));
        lines.push({ points, colour: series(index), lower: k === 1 });
      }
    }
    if (values.length) {
      const low = Math.min(0, ...values),
        high = Math.max(low + 1, ...values);
      const node = chart({
        title: 'Bounds over time',
        lines,
        xLabel: 'time',
        xText: (s) =>
          end < 0.01
            ? `${Number((s * 1000).toPrecision(3))} ms`
            : end < 1
              ? `${Math.round(s * 1000)} ms`
              : `${s} s`,
        low,
        high: high + (high - low) * 0.08,
        end: end || 1e-3,
      });
      node.id = 'bounds';
      node.append(
        el(
          'p',
          { class: 'soft small' },
          `Solid: the ${worthName} of the best plan so far. Dashed: what no plan can beat, as the ${bounded.length === 1 ? 'file claims' : 'files claim'}.`,
        ),
      );
      parts.push(node);
    }
  }
  if (shown.length) {
    const end = Math.max(...shown.map(({ plan }) => plan.steps));
    const lines = shown.map(({ plan, index }) => ({
      points: plan.totals.map((total, t) => [t, Number(total)]),
      colour: series(index),
    }));
    const values = lines.flatMap(({ points }) => points.map((p) => p[1]));
    const low = Math.min(0, ...values),
      high = Math.max(low + 1, ...values);
    parts.push(
      chart({
        title: `${capital(worthName)} over the steps`,
        lines,
        xLabel: 'step',
        xText: String,
        low,
        high: high + (high - low) * 0.08,
        end,
        marks: true,
      }),
    );
  }
  if (!parts.length) return '';
  return el(
    'section',
    { id: 'charts' },
    el('h2', {}, `Bounds and ${worthName}`),
    el('div', { class: 'charts' }, parts),
  );
}
