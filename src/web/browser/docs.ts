/** What `swagger-ui-bundle.js` puts into the page. */
interface Viewer {
  SwaggerUIBundle(options: object): unknown;
}

/** What the viewer hands its plugins. */
interface System {
  React: { createElement(tag: string, props: object | null, text: string): unknown };
}

/** The viewer puts a link into the button that opens a route: one thing to press inside another. */
const plainNames = {
  wrapComponents: {
    DeepLink:
      (_link: unknown, { React }: System) =>
      ({ text }: { text: string }) =>
        React.createElement('span', null, text),
  },
};

/** What the viewer leaves out for those who hear the page or have no mouse: an attribute, where it belongs. */
const REPAIRS: readonly [selector: string, name: string, value: string | ((element: Element) => string)][] = [
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'What this is'],
  // Right below the title, which is the first, it begins with the third.
  ['#api h3', 'aria-level', '2'],
  ['#api h4', 'aria-level', '3'],
  ['#api h5', 'aria-level', '4'],
  // The viewer says `region`, which takes its rows from it.
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
/** The viewer has its dark colours under a class. */
const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
// What it draws later, when a route is opened, is put right as well.
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true });

(globalThis as unknown as Viewer).SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  plugins: [plainNames],
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // A page of another site is asked for nothing.
  validatorUrl: null,
  // Nothing moves from a page on which it cannot be stopped.
  supportedSubmitMethods: ['get'],
});

export {};
