// The player: one step for all parts of the page.
const planWatchers = [];
const symbols = {
  start: 'M5 4v12M16 4L8 10l8 6z',
  back: 'M13 4L5 10l8 6z',
  play: 'M6 3l11 7-11 7z',
  pause: 'M5 4h4v12H5zM11 4h4v12h-4z',
  next: 'M7 4l8 6-8 6z',
  end: 'M15 4v12M4 4l8 6-8 6z',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1v2.5M10 16.5V19M1 10h2.5M16.5 10H19M3.6 3.6l1.8 1.8M14.6 14.6l1.8 1.8M3.6 16.4l1.8-1.8M14.6 5.4l1.8-1.8',
  moon: 'M15.5 12.2A6.5 6.5 0 0 1 7.8 4.5a6.5 6.5 0 1 0 7.7 7.7z',
};
const icon = (name) =>
  svg(
    'svg',
    { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' },
    svg('path', {
      d: symbols[name],
      fill: name === 'sun' ? 'none' : 'currentColor',
      stroke: 'currentColor',
      'stroke-width': 1.6,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }),
  );
const lastStep = () =>
  current().steps === null
    ? 0
    : now.side
      ? Math.max(...shown.map(({ plan }) => plan.steps))
      : current().steps;
function tell() {
  for (const watcher of watchers) watcher(Math.min(now.step, current().steps === null ? 0 : current().steps));
}
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
function stop() {
  clearInterval(now.playing);
  now.playing = 0;
  for (const watcher of playerWatchers) watcher();
}
function play() {
  if (now.playing) return stop();
  if (now.step >= lastStep()) go(0);
  now.playing = setInterval(
    () => {
      if (now.step >= lastStep()) stop();
      else go(now.step + 1);
    },
    reduced ? 1200 : 750,
  );
  for (const watcher of playerWatchers) watcher();
}
const playerWatchers = [];
function buildPlayer() {
  const footer = document.getElementById('player');
  if (!shown.length) return;
  const button = (name, text, key, action, kind) =>
    el(
      'button',
      {
        type: 'button',
        class: kind,
        'aria-label': text,
        title: `${text} (${key})`,
        onclick: action,
        id: `player-${name}`,
      },
      icon(name),
    );
  const slider = el('input', {
    type: 'range',
    min: 0,
    max: lastStep(),
    value: 0,
    step: 1,
    'aria-label': 'Step',
    id: 'slider',
  });
  slider.addEventListener('input', () => {
    const step = Number(slider.value);
    stop();
    go(step);
  });
  const output = el('output', { for: 'slider', id: 'where' });
  const go1 = button('play', 'Play', 'space', play, 'go');
  const choice =
    shown.length > 1
      ? el(
          'select',
          {
            'aria-label': 'Plan',
            id: 'which',
            onchange: (event) => choosePlan(Number(event.target.value)),
          },
          shown.map(({ plan, index }) => el('option', { value: index }, baseName(plan.file))),
        )
      : '';
  footer.append(
    el(
      'div',
      {},
      button(
        'start',
        'To the start',
        'Home',
        () => {
          stop();
          go(0);
        },
        'ends',
      ),
      button('back', 'Back', '←', () => {
        stop();
        go(now.step - 1);
      }),
      go1,
      button('next', 'Forward', '→', () => {
        stop();
        go(now.step + 1);
      }),
      button(
        'end',
        'To the end',
        'End',
        () => {
          stop();
          go(lastStep());
        },
        'ends',
      ),
      slider,
      output,
      choice,
    ),
  );
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
