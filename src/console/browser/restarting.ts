import { find } from './dom.js';
import { send } from './post.js';

const CHECK_MS = 500;
const TIMEOUT_MS = 2000;

/**
 * Hides the link to log in until the gateway has restarted. Then reports that it is running, in place of the notice
 * that it restarts.
 */
export function followRestart(): void {
  const element = find('[data-restarting]');
  if (!element) return;
  element.hidden = true;
  let wasDown = false;
  const check = async (): Promise<void> => {
    const { ok } = await send('GET', '/livez', { timeoutMs: TIMEOUT_MS });
    wasDown ||= !ok;
    if (!ok || !wasDown) return void setTimeout(() => void check(), CHECK_MS);
    find('[hidden]', element)?.removeAttribute('hidden');
    element.hidden = false;
    find('.outcome')?.setAttribute('hidden', '');
  };
  void check();
}
