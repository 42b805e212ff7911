import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { all, find, showText } from '../../web/browser/dom.js';
import { initHoldButtons } from '../../web/browser/hold.js';
import { field, type Reply, send } from '../../web/browser/post.js';
import type { PlanView } from '../floor-plan/schema.js';
import { BEACON_TEXTS } from './texts.js';

type Name = 'x' | 'y' | 'lat' | 'long';

const NAMES = ['x', 'y', 'lat', 'long'] as const satisfies readonly Name[];
const TIMEOUT = { timeoutMs: 60_000 };

export class PlanPanel {
  readonly #onPlan: (plan: PlanView | null, isChange: boolean) => void;
  #plan: PlanView | null = null;

  /** @param onPlan receives the floor plan when the page loads and after each change. */
  constructor(onPlan: (plan: PlanView | null, isChange: boolean) => void) {
    this.#onPlan = onPlan;
  }

  async start(): Promise<void> {
    this.#init();
    const reply = await send('GET', '/map/plan', TIMEOUT);
    if (reply.ok) this.#show(reply, false);
  }

  #init(): void {
    find('[data-plan-upload]')?.addEventListener('submit', (event) => {
      event.preventDefault();
      const file = find<HTMLInputElement>('#plan-file')?.files?.[0];
      if (file) void this.#upload(file);
    });
    const points = find<HTMLFormElement>('[data-plan-points]');
    points?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#savePoints();
    });
    points?.addEventListener('input', () => this.#drawMarks());
    find('[data-plan-image]')?.addEventListener('click', (event) => this.#setPixel(event));
    initHoldButtons({
      buttons: '[data-plan-delete]',
      question: BEACON_TEXTS.confirmPlanDelete,
      done: () => void this.#remove(),
      early: () => this.#showStatus(BEACON_TEXTS.holdDelete),
    });
  }

  async #upload(file: File): Promise<void> {
    this.#showStatus(BEACON_TEXTS.planUploading);
    const reply = await send('PUT', '/map/plan', TIMEOUT, file);
    if (!reply.ok) return this.#showStatus(errorText(reply));
    find<HTMLFormElement>('[data-plan-upload]')?.reset();
    this.#show(reply);
  }

  async #savePoints(): Promise<void> {
    const points = [0, 1].map((at) =>
      Object.fromEntries(NAMES.map((name) => [name, numberOf(input(at, name))])),
    );
    const reply = await send('PUT', '/map/plan/points', TIMEOUT, { points });
    showFault(reply);
    if (reply.ok) this.#show(reply);
  }

  async #remove(): Promise<void> {
    const reply = await send('DELETE', '/map/plan', TIMEOUT);
    if (!reply.ok && reply.status !== 404) return this.#showStatus(errorText(reply));
    this.#show(reply);
    this.#showStatus(BEACON_TEXTS.planDeleted);
  }

  #show({ body }: Reply, isChange = true): void {
    const plan = (field(body, 'plan') ?? null) as PlanView | null;
    this.#plan = plan;
    const form = find('[data-plan-points]');
    if (form) form.hidden = plan === null;
    const image = find<HTMLImageElement>('[data-plan-image]');
    if (image && plan) image.src = `/map/plan/picture?v=${plan.version}`;
    for (const at of [0, 1]) {
      for (const name of NAMES) {
        const control = input(at, name);
        const value = plan?.points?.[at]?.[name];
        if (control) control.value = value === undefined ? '' : String(value);
      }
    }
    this.#showStatus(statusText(plan));
    this.#drawMarks();
    this.#onPlan(plan, isChange);
  }

  /** Sets the selected point's pixel, and selects the second point after the first. */
  #setPixel({ currentTarget, clientX, clientY }: Event & { clientX?: number; clientY?: number }): void {
    if (!(currentTarget instanceof HTMLImageElement) || !this.#plan) return;
    const box = currentTarget.getBoundingClientRect();
    const at = Number(find<HTMLInputElement>('[name="point"]:checked')?.value ?? 0);
    const ratio = { x: ((clientX ?? 0) - box.left) / box.width, y: ((clientY ?? 0) - box.top) / box.height };
    const [x, y] = [input(at, 'x'), input(at, 'y')];
    if (x) x.value = String(Math.round(ratio.x * this.#plan.width));
    if (y) y.value = String(Math.round(ratio.y * this.#plan.height));
    const other = find<HTMLInputElement>(`[name="point"][value="${1 - at}"]`);
    if (other && at === 0) other.checked = true;
    this.#drawMarks();
  }

  #drawMarks(): void {
    for (const mark of all('[data-mark]')) {
      const at = Number(mark.dataset.mark);
      const [x, y] = [numberOf(input(at, 'x')), numberOf(input(at, 'y'))];
      mark.hidden = !this.#plan || typeof x !== 'number' || typeof y !== 'number';
      if (mark.hidden || !this.#plan) continue;
      mark.style.left = `${(Number(x) / this.#plan.width) * 100}%`;
      mark.style.top = `${(Number(y) / this.#plan.height) * 100}%`;
    }
  }

  #showStatus(text: string): void {
    showText(find('[data-plan-words]'), text);
  }
}

function statusText(plan: PlanView | null): string {
  if (!plan) return BEACON_TEXTS.planNone;
  const { width, height, placement } = plan;
  if (!placement) return BEACON_TEXTS.planUnplaced(width, height);
  const { metresPerPixel, rotationDeg } = placement;
  return BEACON_TEXTS.planPlaced(width * metresPerPixel, height * metresPerPixel, rotationDeg);
}

function showFault(reply: Reply): void {
  for (const control of all('[data-point] [data-of]')) control.removeAttribute('aria-invalid');
  showText(find('[data-plan-error]'), reply.ok ? '' : errorText(reply));
  const path = String(field(reply.body, 'field') ?? reply.faults[0]?.path ?? '');
  const [, at = '', name = ''] = /points\/(\d)\/(\w+)$/.exec(path) ?? [];
  const control = NAMES.find((known) => known === name);
  if (reply.ok || !control) return;
  input(Number(at), control)?.setAttribute('aria-invalid', 'true');
  input(Number(at), control)?.focus();
}

function errorText(reply: Reply): string {
  if (reply.status === 0) return BEACON_TEXTS.noAnswer;
  const [fault] = reply.faults;
  const [, at, name = ''] = /^\/points\/(\d)\/(.*)$/.exec(fault?.path ?? '') ?? [];
  const text =
    at === undefined
      ? upperFirst(reply.message)
      : BEACON_TEXTS.point(Number(at) + 1, `${name} ${translated(fault?.message ?? '')}`);
  return [`${text}.`.replace('..', '.'), reply.hint].filter(Boolean).join(' ');
}

function input(at: number, name: Name): HTMLInputElement | undefined {
  return find<HTMLInputElement>(`[data-point="${at}"] [data-of="${name}"]`);
}

/** Invalid input is sent as a string, so that the gateway rejects it with an error. */
function numberOf(control: HTMLInputElement | undefined): number | string | undefined {
  const text = (control?.value ?? '').trim().replace(',', '.');
  if (text === '') return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
