/* Runs before the first paint. A page whose colours change while it loads hurts the eyes at night. */
try {
  const chosen = localStorage.getItem('agon.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  /* Without storage the colours are the system's. */
}
