import { all, find } from '../dom.js';

interface Entry {
  text: string;
  open: () => void;
}

/** Ctrl-K opens a list of pages and carts; typing filters it, and Enter opens the highlighted entry. */
export function initPalette(): void {
  const palette = find('[data-palette]');
  const input = palette && find<HTMLInputElement>('input', palette);
  const list = palette && find('ul', palette);
  if (!palette || !input || !list) return;
  let shown: Entry[] = [];
  let marked = 0;
  const mark = (index: number): void => {
    marked = Math.max(0, Math.min(index, shown.length - 1));
    for (const [at, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(at === marked));
    const option = list.children[marked];
    option?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', option?.id ?? '');
  };
  const filter = (): void => {
    const wanted = input.value.trim().toLowerCase();
    shown = entries().filter(({ text }) => text.toLowerCase().includes(wanted));
    list.replaceChildren(...shown.map(optionOf));
    mark(0);
  };
  input.addEventListener('input', filter);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') shown[marked]?.open();
    else if (event.key === 'ArrowDown') mark(marked + 1);
    else if (event.key === 'ArrowUp') mark(marked - 1);
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    palette.togglePopover();
    if (!palette.matches(':popover-open')) return;
    input.value = '';
    filter();
    input.focus();
  });
}

function optionOf({ text, open }: Entry, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `palette-${index}`;
  option.role = 'option';
  option.textContent = text;
  option.addEventListener('click', open);
  return option;
}

function entries(): Entry[] {
  const links = all<HTMLAnchorElement>('.nav a').map((link) => ({
    text: link.textContent.trim(),
    open: () => link.click(),
  }));
  const select = find<HTMLSelectElement>('[data-cart-select]');
  const carts = [...(select?.options ?? [])].map(({ text, value }) => ({
    text,
    open: () => {
      if (!select) return;
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      find('[data-palette]')?.hidePopover();
    },
  }));
  return [...links, ...carts];
}
