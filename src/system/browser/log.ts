import { timeOfDay } from '../../i18n/format.js';
import { find, showText } from '../../web/browser/dom.js';
import { field, send } from '../../web/browser/post.js';
import { SYSTEM_TEXTS } from './texts.js';

const EVERY_MS = 1500;
/** The page holds no more, however long it stays open. */
const MAX_LINES = 500;

/** Follows the log of the gateway: asks for what is new, and starts again when the filter changes. */
export class LogTail {
  readonly #list: HTMLElement;
  readonly #filter: HTMLFormElement;
  #newest = 0;
  /** Counts changes of the filter: an answer to an older question is dropped. */
  #question = 0;

  constructor(list: HTMLElement, filter: HTMLFormElement) {
    this.#list = list;
    this.#filter = filter;
  }

  start(): void {
    this.#filter.addEventListener('submit', (event) => event.preventDefault());
    this.#filter.addEventListener('input', () => this.#again());
    setInterval(() => {
      if (document.visibilityState === 'visible' && !this.#isHeld) void this.#more();
    }, EVERY_MS);
    void this.#more();
  }

  get #isHeld(): boolean {
    return find<HTMLInputElement>('[data-log-hold]', this.#filter)?.checked ?? false;
  }

  #again(): void {
    this.#question += 1;
    this.#newest = 0;
    this.#list.replaceChildren();
    void this.#more();
  }

  async #more(): Promise<void> {
    const question = this.#question;
    const { level, find: text } = Object.fromEntries(new FormData(this.#filter)) as Record<string, string>;
    const query = new URLSearchParams({ level: level ?? '', find: text ?? '', after: String(this.#newest) });
    const { ok, body } = await send('GET', `/system/log?${query}`, { timeoutMs: 5000 });
    if (!ok || question !== this.#question) return;
    const newest = Number(field(body, 'newest'));
    // A smaller number than before: the gateway was started again.
    if (newest < this.#newest) return this.#again();
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
    if (box && isAtEnd) box.scrollTop = box.scrollHeight;
  }
}

function rowOf(line: unknown): HTMLElement {
  const row = document.createElement('li');
  const level = String(field(line, 'level'));
  row.dataset.level = level;
  const texts = [
    timeOfDay(String(field(line, 'time'))),
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
