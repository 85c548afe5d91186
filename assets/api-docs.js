const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  // The scope of each operation.
  showExtensions: true,
  defaultModelsExpandDepth: 0,
  // The colours of its themes are hard to make out on their ground.
  syntaxHighlight: false,
  // Otherwise it would ask a server of others whether the document is valid.
  validatorUrl: null,
});
