/* Before `npm pack` in a clone, which would pack all that development brings, and no command. */
console.error('Packages are put together by `npm run package`: npm pack artifacts/packages/@agonhq/agon packs one.');
process.exitCode = 1;
