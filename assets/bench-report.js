'use strict';
const figureOf = (text) => {
  const found = text
    .replaceAll(',', '')
    .replace('\u2212', '-')
    .match(/-?\d+(\.\d+)?/);
  return found ? Number(found[0]) : null;
};
const keyOf = (row, column, numeric) => {
  const cell = row.cells[column];
  if (cell.dataset.sort !== undefined) return cell.dataset.sort === '' ? null : Number(cell.dataset.sort);
  const text = cell.textContent.trim();
  return numeric ? figureOf(text) : text.toLowerCase();
};
for (const table of document.querySelectorAll('table.sorts')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const numeric = head.classList.contains('number');
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      const next =
        now === 'none' ? (numeric ? 'descending' : 'ascending') : now === 'ascending' ? 'descending' : 'ascending';
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', next);
      const sign = next === 'ascending' ? 1 : -1;
      const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column, numeric) }));
      rows.sort((a, b) =>
        a.key === b.key ? 0 : a.key === null ? 1 : b.key === null ? -1 : a.key < b.key ? -sign : sign,
      );
      body.append(...rows.map(({ row }) => row));
    });
  });
}
for (const list of document.querySelectorAll('.items')) {
  const find = (name) => list.querySelector(name);
  const [kind, by, words, told] = ['.kind', '.by', '.words', 'output'].map(find);
  const items = [...list.querySelectorAll('.item')];
  const more = find('.more');
  let texts = null;
  let most = 30;
  const filter = () => {
    const sought = words.value.trim().toLowerCase();
    if (sought !== '') texts ??= items.map((item) => item.textContent.toLowerCase());
    const concerns = kind.value === 'wrong' || kind.value === 'unsettled';
    by.disabled = !concerns;
    let fitting = 0;
    items.forEach((item, place) => {
      const among = item.dataset[kind.value];
      const fits =
        kind.value === 'all' ||
        (concerns
          ? by.value === ''
            ? among.trim() !== ''
            : among.includes(' ' + by.value + ' ')
          : among !== undefined);
      const meant = fits && (sought === '' || texts[place].includes(sought));
      if (meant) fitting += 1;
      item.hidden = !meant || fitting > most;
    });
    told.textContent = fitting + ' of ' + items.length;
    more.hidden = fitting <= most;
  };
  const anew = () => {
    most = 30;
    filter();
  };
  for (const control of [kind, by]) control.addEventListener('change', anew);
  words.addEventListener('input', anew);
  more.addEventListener('click', () => {
    most += 100;
    filter();
  });
  list.reveal = () => {
    kind.value = 'all';
    words.value = '';
    most = items.length;
    filter();
  };
  find('.filters').hidden = false;
  filter();
}
const follow = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches('details')) return;
  if (target.hidden) target.closest('.items').reveal();
  target.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', follow);
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#item-"]');
  if (link && link.getAttribute('href') === location.hash) follow();
});
follow();
