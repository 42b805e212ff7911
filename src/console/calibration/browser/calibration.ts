import { all, find, showText } from '../../browser/dom.js';
import { field, post, type Reply, send, textField } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { LiveImage } from '../../camera/browser/view.js';

const PATH = '/navigation/calibration';
const LOOK_MS = 700;
const PAUSE_MS = 500;
/** The gateway waits up to 10 s for the board. */
const TIMEOUT_MS = 20_000;
/** Errors that the user resolves by moving the board. */
const PASSING = ['MARKER_NOT_SEEN', 'IMAGE_SIMILAR'];

startLayout();
const box = find('[data-camera]');
if (box) new LiveImage(box).start();
if (box) void followMarkers();
const form = find<HTMLFormElement>('[data-take]');
if (form) initTake(form);
for (const slow of all<HTMLFormElement>('[data-slow]')) {
  slow.addEventListener('submit', () => {
    for (const button of all<HTMLButtonElement>('button', slow)) button.disabled = true;
    const words = find('[data-slow-words]', slow);
    if (words) words.hidden = false;
  });
}
// Reloads, because the browser may restore the page with its buttons disabled.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** Shows which markers the gateway sees. */
async function followMarkers(): Promise<void> {
  for (;;) {
    if (document.visibilityState === 'visible') {
      const { ok, body } = await send('GET', `${PATH}/seen`, { timeoutMs: 5000 });
      showText(find('[data-seen]'), ok ? textField(body, 'text') : '');
    }
    await pause(LOOK_MS);
  }
}

function initTake(taking: HTMLFormElement): void {
  const automatic = find<HTMLInputElement>('[data-automatic]', taking);
  let isTaking = false;
  let isAutomatic = false;
  const take = async (): Promise<Reply> => {
    isTaking = true;
    showText(find('[data-take-words]', taking), wordsOf('taking'));
    const data = new FormData(taking);
    const firstId = new URLSearchParams({ firstId: String(data.get('firstId') ?? '') });
    const reply = await post(`${PATH}/board/images`, firstId, { timeoutMs: TIMEOUT_MS });
    isTaking = false;
    showReply(taking, reply);
    return reply;
  };
  taking.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isTaking) void take();
  });
  automatic?.addEventListener('change', async () => {
    if (isAutomatic) return;
    isAutomatic = true;
    while (automatic.checked) {
      if (!isTaking) {
        const { ok, body } = await take();
        if (!ok && !PASSING.includes(textField(body, 'code'))) automatic.checked = false;
      }
      await pause(PAUSE_MS);
    }
    isAutomatic = false;
  });
}

function showReply(taking: HTMLFormElement, { ok, status, body, message, hint }: Reply): void {
  const words = find('[data-take-words]', taking);
  if (status === 0) return showText(words, wordsOf('lost'));
  if (!ok) return showText(words, [`${message}.`, hint].filter(Boolean).join(' '));
  const board = field(body, 'board');
  const [images, needed] = [Number(field(board, 'images')), Number(field(board, 'neededImages'))];
  showText(words, wordsOf('taken'));
  showText(find('[data-progress-count]'), String(images));
  const bar = find<HTMLProgressElement>('[data-progress]');
  if (bar) bar.value = Math.min(images, needed);
  const actions = find('[data-board-actions]');
  if (actions) actions.hidden = false;
  const compute = find<HTMLButtonElement>('[data-compute]');
  if (compute) compute.disabled = images < needed;
}

/** Returns a text from the page, in the page's language. */
function wordsOf(name: 'taking' | 'taken' | 'lost'): string {
  return find(`[data-words-${name}]`)?.textContent ?? '';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
