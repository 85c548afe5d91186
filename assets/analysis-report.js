const exchanges = () => [...document.querySelectorAll('details')];
const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  let closed = false;
  for (let at = target.closest('details'); at; at = at.parentElement.closest('details')) {
    closed ||= !at.open;
    at.open = true;
  }
  if (closed) target.scrollIntoView();
};
/* A passage that others overlap is drawn in pieces: a jump shows all of them. */
const aim = () => {
  const [, number] = /^#mark-(\d+)$/.exec(location.hash) ?? [];
  for (const mark of document.querySelectorAll('mark[data-passages]'))
    mark.classList.toggle('aimed', mark.dataset.passages.split(' ').includes(number));
};
addEventListener('hashchange', () => {
  reveal();
  aim();
});
reveal();
aim();
const button = document.getElementById('open-all');
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const open = exchanges().some((exchange) => !exchange.open);
    for (const exchange of exchanges()) exchange.open = open;
    button.textContent = open ? 'Close all debates' : 'Open all debates';
  });
}
let closedForPrint = [];
addEventListener('beforeprint', () => {
  closedForPrint = exchanges().filter((exchange) => !exchange.open);
  for (const exchange of closedForPrint) exchange.open = true;
});
addEventListener('afterprint', () => {
  for (const exchange of closedForPrint) exchange.open = false;
});
