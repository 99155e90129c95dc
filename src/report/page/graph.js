// Computers and their links.
// A spring layout from a circle: the same picture every time.
const graphPlaces =
  view && view.kind === 'graph'
    ? (() => {
        const n = view.nodes.length;
        const places = view.nodes.map((_, i) => [
          Math.cos((2 * Math.PI * i) / n - Math.PI / 2) * 100,
          Math.sin((2 * Math.PI * i) / n - Math.PI / 2) * 100,
        ]);
        for (let round = 0; round < 400; ++round) {
          const push = places.map(() => [0, 0]);
          for (let i = 0; i < n; ++i) {
            for (let j = 0; j < i; ++j) {
              let dx = places[i][0] - places[j][0],
                dy = places[i][1] - places[j][1];
              const far = Math.hypot(dx, dy) || 1,
                force = 9000 / (far * far);
              dx /= far;
              dy /= far;
              push[i][0] += dx * force;
              push[i][1] += dy * force;
              push[j][0] -= dx * force;
              push[j][1] -= dy * force;
            }
          }
          for (const [a, b] of view.links) {
            const dx = places[b][0] - places[a][0],
              dy = places[b][1] - places[a][1],
              far = Math.hypot(dx, dy) || 1,
              force = (far - 120) * 0.08;
            push[a][0] += (dx / far) * force;
            push[a][1] += (dy / far) * force;
            push[b][0] -= (dx / far) * force;
            push[b][1] -= (dy / far) * force;
          }
          const step = 1 - round / 400;
          places.forEach((place, i) => {
            for (const k of [0, 1])
              place[k] += Math.max(-8, Math.min(8, push[i][k] - place[k] * 0.01)) * step;
          });
        }
        return places;
      })()
    : null;

function graphStage(plan, still) {
  const xs = graphPlaces.map((p) => p[0]),
    ys = graphPlaces.map((p) => p[1]),
    pad = 58;
  const left = Math.min(...xs) - pad,
    top = Math.min(...ys) - pad,
    width = Math.max(...xs) - left + pad,
    height = Math.max(...ys) - top + pad;
  const node = svg('svg', {
    class: 'stage graph',
    viewBox: `${left} ${top} ${width} ${height}`,
    role: 'img',
    style: still ? null : 'max-width:560px;margin:0 auto',
  });
  for (const [a, b] of view.links)
    node.append(svg('line', { class: 'link', x1: xs[a], y1: ys[a], x2: xs[b], y2: ys[b] }));
  const oldest =
    view.oldest ||
    Math.max(1, ...view.nodes.filter((n) => n.age !== null).flatMap((n) => plan.states.map((s) => s[n.age])));
  const groups = view.nodes.map((computer, i) => {
    const [cx, cy] = graphPlaces[i];
    const group = svg('g', { 'data-name': computer.name, transform: `translate(${cx} ${cy})` });
    group.append(svg('circle', { class: 'pulse', r: 46 }), svg('circle', { class: 'disc', r: 27 }));
    const arcs = [];
    if (computer.age !== null && oldest <= 24) {
      for (let k = 0; k < oldest; ++k) {
        const gap = 0.12,
          from = (2 * Math.PI * k) / oldest - Math.PI / 2 + gap,
          to = (2 * Math.PI * (k + 1)) / oldest - Math.PI / 2 - gap,
          r = 37;
        const arc = svg('path', {
          class: 'age',
          d: `M${r * Math.cos(from)} ${r * Math.sin(from)}A${r} ${r} 0 ${to - from > Math.PI ? 1 : 0} 1 ${r * Math.cos(to)} ${r * Math.sin(to)}`,
        });
        arcs.push(arc);
        group.append(arc);
      }
    }
    const age = svg('text', { class: 'soft', y: 15, 'text-anchor': 'middle', 'font-size': 11 });
    group.append(
      svg('text', { y: 0, 'text-anchor': 'middle', 'font-size': 15, 'font-weight': 600 }, computer.name),
      age,
    );
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
        const rebooted =
          step > 0 && computer.reboot !== null && plan.actions[step - 1][computer.reboot] !== 0;
        group.classList.toggle('off', !running);
        group.classList.toggle('rebooted', rebooted);
        arcs.forEach((arc, k) => arc.classList.toggle('on', k < years));
        age.textContent = !running ? 'down' : years === null ? '' : `age ${years}`;
        group.dataset.age = years;
        group.dataset.rebooted = rebooted;
        said.push(
          `${computer.name} ${running ? 'runs' : 'is down'}${years === null ? '' : `, age ${years}`}${rebooted ? ', rebooted' : ''}`,
        );
      }
      node.setAttribute('aria-label', `Step ${step}: ${said.join('; ')}`);
    },
  };
}
