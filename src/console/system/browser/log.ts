import { dayAndTime } from '../../../i18n/format.js';
import { find, showText } from '../../browser/dom.js';
import { field, send } from '../../browser/post.js';
import { SYSTEM_TEXTS } from './texts.js';

const POLL_MS = 1500;
const MAX_LINES = 500;

/** Shows new log lines. Clears the list when the filter changes. */
export class LogTail {
  readonly #list: HTMLElement;
  readonly #filter: HTMLFormElement;
  readonly #isVisible: () => boolean;
  #newest = 0;
  /** Incremented when the list is cleared, so that responses to earlier requests are discarded. */
  #generation = 0;

  constructor(list: HTMLElement, filter: HTMLFormElement, isVisible: () => boolean) {
    this.#list = list;
    this.#filter = filter;
    this.#isVisible = isVisible;
  }

  start(): void {
    this.#filter.addEventListener('submit', (event) => event.preventDefault());
    this.#filter.addEventListener('input', ({ target }) => {
      const isSwitch = target instanceof HTMLElement && target.hasAttribute('data-log-follow');
      if (!isSwitch) this.#reset();
      else if (this.#isFollowing) this.update();
    });
    setInterval(() => {
      if (this.#isVisible() && this.#isFollowing) void this.#fetchNew();
    }, POLL_MS);
    this.update();
  }

  /** If the log is visible, shows the latest lines immediately. */
  update(): void {
    if (!this.#isVisible()) return;
    this.#scrollToEnd();
    void this.#fetchNew();
  }

  get #isFollowing(): boolean {
    return find<HTMLInputElement>('[data-log-follow]', this.#filter)?.checked ?? true;
  }

  #scrollToEnd(): void {
    const box = this.#list.parentElement;
    if (box) box.scrollTop = box.scrollHeight;
  }

  #reset(): void {
    this.#generation += 1;
    this.#newest = 0;
    this.#list.replaceChildren();
    void this.#fetchNew();
  }

  async #fetchNew(): Promise<void> {
    const generation = this.#generation;
    const { level, find: text } = Object.fromEntries(new FormData(this.#filter)) as Record<string, string>;
    const query = new URLSearchParams({ level: level ?? '', find: text ?? '', after: String(this.#newest) });
    const { ok, body } = await send('GET', `/system/log?${query}`, { timeoutMs: 5000 });
    if (!ok || generation !== this.#generation) return;
    const newest = Number(field(body, 'newest'));
    // If the latest line's ID is lower than before, the gateway has restarted.
    if (newest < this.#newest) return this.#reset();
    const lines = field(body, 'lines');
    if (Array.isArray(lines)) this.#add(lines.filter((line) => Number(field(line, 'id')) > this.#newest));
    this.#newest = newest;
  }

  #add(lines: unknown[]): void {
    const box = this.#list.parentElement;
    const isAtEnd = !box || box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    this.#list.append(...lines.map(rowOf));
    while (this.#list.children.length > MAX_LINES) this.#list.firstElementChild?.remove();
    showText(find('[data-log-count]'), SYSTEM_TEXTS.lines(this.#list.children.length));
    if (isAtEnd) this.#scrollToEnd();
  }
}

function rowOf(line: unknown): HTMLElement {
  const row = document.createElement('li');
  const level = String(field(line, 'level'));
  row.dataset.level = level;
  const texts = [
    dayAndTime(String(field(line, 'time'))),
    level,
    String(field(line, 'event')),
    String(field(line, 'text')),
  ];
  for (const text of texts) {
    const span = document.createElement('span');
    span.textContent = text;
    row.append(span, ' ');
  }
  return row;
}
