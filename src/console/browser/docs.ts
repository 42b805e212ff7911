/** The global variable that `swagger-ui-bundle.js` defines. */
interface Viewer {
  SwaggerUIBundle(options: object): unknown;
}

interface System {
  React: { createElement(tag: string, props: object | null, text: string): unknown };
}

/** Replaces the link in each route's button with text, because nested controls are not accessible. */
const plainNames = {
  wrapComponents: {
    DeepLink:
      (_link: unknown, { React }: System) =>
      ({ text }: { text: string }) =>
        React.createElement('span', null, text),
  },
};

/** Accessibility attributes that swagger-ui omits or sets incorrectly. */
const REPAIRS: readonly [selector: string, name: string, value: string | ((element: Element) => string)][] = [
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About this API'],
  // swagger-ui skips heading level 2, so the levels of its headings are corrected.
  ['#api h3', 'aria-level', '2'],
  ['#api h4', 'aria-level', '3'],
  ['#api h5', 'aria-level', '4'],
  // swagger-ui sets the role `region`, so screen readers do not announce a table.
  ['.responses-table', 'role', 'table'],
  ['pre.microlight', 'tabindex', '0'],
  ['[data-param-name] :is(input, select, textarea)', 'aria-label', (element) => paramOf(element)],
];

const paramOf = (element: Element): string =>
  element.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '';

function repair(): void {
  for (const [selector, name, value] of REPAIRS) {
    for (const element of document.querySelectorAll(selector))
      element.setAttribute(name, typeof value === 'string' ? value : value(element));
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
// Repairs elements that swagger-ui adds later, for example when a route is expanded.
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });

(globalThis as unknown as Viewer).SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  plugins: [plainNames],
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // Disables requests to the online validator.
  validatorUrl: null,
  // The page can send only GET requests, because it has no Stop button and must not move carts.
  supportedSubmitMethods: ['get'],
});

export {};
