// The last file: assembles the page.
// Light and dark.
const dark = matchMedia('(prefers-color-scheme: dark)');
const themeButton = document.getElementById('theme');
let chosenTheme = null;
try {
  chosenTheme = localStorage.getItem('bnnplan-theme');
} catch (error) {
  /* some browsers store nothing for local files */
}
function showTheme() {
  root.dataset.theme = chosenTheme || (dark.matches ? 'dark' : 'light');
  themeButton.replaceChildren(icon(root.dataset.theme === 'dark' ? 'sun' : 'moon'));
}
function turnTheme() {
  chosenTheme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('bnnplan-theme', chosenTheme);
  } catch (error) {
    /* as above */
  }
  showTheme();
}
themeButton.addEventListener('click', turnTheme);
dark.addEventListener('change', showTheme);

// Keys, the address, printing.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tag = event.target.tagName;
  const typing =
    tag === 'SELECT' ||
    tag === 'TEXTAREA' ||
    (tag === 'INPUT' && event.target.type !== 'range' && event.target.type !== 'checkbox');
  if (typing) return;
  const slider = tag === 'INPUT' && event.target.type === 'range';
  if (event.key === 't' || event.key === 'T') turnTheme();
  else if (!shown.length) return;
  else if (event.key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY' || (tag === 'INPUT' && !slider)))
    return;
  else if (event.key === ' ') play();
  else if (slider) return;
  else if (event.key === 'ArrowRight') {
    stop();
    go(now.step + 1);
  } else if (event.key === 'ArrowLeft') {
    stop();
    go(now.step - 1);
  } else if (event.key === 'Home') {
    stop();
    go(0);
  } else if (event.key === 'End') {
    stop();
    go(lastStep());
  } else if (/^[1-9]$/.test(event.key) && shown.length > 1 && shown[Number(event.key) - 1])
    choosePlan(shown[Number(event.key) - 1].index);
  else return;
  event.preventDefault();
});
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.get('theme') === 'dark' || wanted.get('theme') === 'light') {
    chosenTheme = wanted.get('theme');
    showTheme();
  }
  const plan = Number(wanted.get('plan'));
  if (wanted.has('plan') && plans[plan - 1]) choosePlan(plan - 1);
  if (wanted.has('step')) go(Number(wanted.get('step')) || 0);
}
addEventListener('hashchange', readAddress);
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open]):not(.written)')];
  opened.forEach((d) => {
    d.open = true;
  });
});
addEventListener('afterprint', () =>
  opened.forEach((d) => {
    d.open = false;
  }),
);

// The page.
showTheme();
const planSections = !shown.length
  ? []
  : view
    ? [stageSection(), timelineSection()]
    : [el('section', { id: 'plan' }, el('h2', {}, 'The plan, step by step'), nowPanel()), timelineSection()];
fill(document.getElementById('page'), {}, [
  askedSection(),
  plans.length > 1 ? compareSection() : '',
  answerSection(),
  plans.some((plan) => plan.world) ? coursesSection() : '',
  ...planSections,
  chartsSection(),
  networkSection(),
]);
buildPlayer();
go(0);
readAddress();
root.dataset.ready = 'yes';
