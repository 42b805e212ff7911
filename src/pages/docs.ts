/** What `swagger-ui-bundle.js` puts into the page. */
interface Viewer {
  SwaggerUIBundle(options: object): unknown;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
/** The viewer has its dark colours under a class. */
const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

(globalThis as unknown as Viewer).SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // A page of another site is asked for nothing.
  validatorUrl: null,
  // Nothing moves from a page on which it cannot be stopped.
  supportedSubmitMethods: ['get'],
});

export {};
