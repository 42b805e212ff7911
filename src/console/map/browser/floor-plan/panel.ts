import { sentence, upperFirst } from '../../../../i18n/format.js';
import { translated } from '../../../../i18n/messages.js';
import { type Ends, lineOf, type PlanView } from '../../../../plan/pure.js';
import { plainNumber } from '../../../../shared/validation/number-text.js';
import { find, isChanged, showText } from '../../../browser/dom.js';
import { initHoldButtons } from '../../../browser/hold.js';
import { field, type Reply, send } from '../../../browser/post.js';
import { lineFaultText, planText } from '../../plan-text.js';
import { BEACON_TEXTS } from '../texts.js';
import { LineDrawing } from './line-drawing.js';
import { showTurned } from './turned-image.js';

/** A point's members, and the names of the form fields that contain them. */
const POINTS = [
  { x: 'x1', y: 'y1', lat: 'lat1', long: 'long1' },
  { x: 'x2', y: 'y2', lat: 'lat2', long: 'long2' },
] as const;
const LINE = ['x1', 'y1', 'x2', 'y2', 'lengthM'] as const;
const NAMES = [...LINE, 'lat1', 'long1', 'lat2', 'long2'] as const;
const TIMEOUT = { timeoutMs: 60_000 };

type Name = (typeof NAMES)[number];

export class PlanPanel {
  readonly #onPlan: (plan: PlanView | null, isChange: boolean) => void;
  readonly #drawing: LineDrawing;
  #plan: PlanView | null = null;

  /** @param onPlan receives the floor plan when the page loads and after each change. */
  constructor(onPlan: (plan: PlanView | null, isChange: boolean) => void) {
    this.#onPlan = onPlan;
    this.#drawing = new LineDrawing({
      size: () => this.#plan ?? undefined,
      ends: endsInForm,
      setEnds: (ends) => {
        showText(find('[data-plan-saved]'), '');
        fillEnds(ends);
        this.#drawing.draw();
      },
      onDrawn: () => {
        if (input('lengthM')?.value === '') input('lengthM')?.focus();
      },
    });
  }

  start(): void {
    this.#init();
    const json = find('[data-plan-json]')?.dataset.planJson ?? 'null';
    this.#show(JSON.parse(json) as PlanView | null, false);
  }

  #init(): void {
    find('[data-plan-upload]')?.addEventListener('submit', (event) => {
      event.preventDefault();
      const file = find<HTMLInputElement>('#plan-file')?.files?.[0];
      if (file) void this.#upload(file);
    });
    const form = find<HTMLFormElement>('[data-plan-form]');
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#saveLine();
    });
    form?.addEventListener('input', () => {
      showText(find('[data-plan-saved]'), '');
      this.#drawing.draw();
    });
    find('[data-save-points]')?.addEventListener('click', () => void this.#savePoints());
    // The section Advanced is served open, because the line can be entered only there if JavaScript is off.
    find('[data-plan-advanced]')?.removeAttribute('open');
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
    this.#show(planIn(reply));
  }

  async #saveLine(): Promise<void> {
    const ends = endsInForm();
    if (!ends[0] || !ends[1]) return showFault(BEACON_TEXTS.drawLine, 'x1');
    const line = Object.fromEntries(LINE.map((name) => [name, numberIn(name)]));
    this.#saved(await send('PUT', '/map/plan/line', TIMEOUT, line));
  }

  async #savePoints(): Promise<void> {
    const points = POINTS.map((names) =>
      Object.fromEntries(Object.entries(names).map(([member, name]) => [member, numberIn(name)])),
    );
    this.#saved(await send('PUT', '/map/plan/points', TIMEOUT, { points }));
  }

  #saved(reply: Reply): void {
    if (reply.ok) showFault('', undefined);
    else showFault(errorText(reply), faultyField(reply));
    if (reply.ok) this.#show(planIn(reply));
    showText(find('[data-plan-saved]'), reply.ok ? BEACON_TEXTS.scaleSet : '');
  }

  async #remove(): Promise<void> {
    const reply = await send('DELETE', '/map/plan', TIMEOUT);
    if (!reply.ok && reply.status !== 404) return this.#showStatus(errorText(reply));
    this.#show(planIn(reply));
    this.#showStatus(BEACON_TEXTS.planDeleted);
  }

  #show(plan: PlanView | null, isChange = true): void {
    this.#plan = plan;
    showText(find('[data-plan-saved]'), '');
    const form = find('[data-plan-form]');
    if (form) form.hidden = plan === null;
    const image = find<HTMLImageElement>('[data-plan-image]');
    if (image && plan) {
      image.src = `/map/plan/picture?v=${plan.version}`;
      showTurned(image, plan);
    }
    // If a form submitted without JavaScript was rejected, the entered values are kept.
    if (isChange || !find('[data-plan-form] [aria-invalid]')) fillForm(plan, isChange);
    this.#showStatus(planText(plan));
    this.#drawing.draw();
    this.#onPlan(plan, isChange);
  }

  #showStatus(text: string): void {
    showText(find('[data-plan-words]'), text);
  }
}

function planIn({ body }: Reply): PlanView | null {
  return (field(body, 'plan') ?? null) as PlanView | null;
}

/**
 * @param isChange false when the page loads, so that values that were entered before this script started are kept.
 */
function fillForm(plan: PlanView | null, isChange: boolean): void {
  const values: Partial<Record<Name, number>> = plan?.points ? { ...lineOf(plan.points) } : {};
  for (const [at, names] of POINTS.entries()) {
    const point = plan?.points?.[at];
    // Eight decimal places correspond to about 1 mm.
    const degrees = (value: number): number => Number(value.toFixed(8));
    if (point) Object.assign(values, { [names.lat]: degrees(point.lat), [names.long]: degrees(point.long) });
  }
  for (const name of NAMES) {
    const control = input(name);
    if (control && (isChange || !isChanged(control))) control.value = String(values[name] ?? '');
  }
  showFault('', undefined);
}

function endsInForm(): Ends {
  const [first, second] = POINTS.map((names) => {
    const [x, y] = [numberIn(names.x), numberIn(names.y)];
    return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
  });
  return [first, second];
}

function fillEnds(ends: Ends): void {
  for (const [at, names] of POINTS.entries()) {
    for (const axis of ['x', 'y'] as const) {
      const control = input(names[axis]);
      if (control) control.value = String(ends[at]?.[axis] ?? '');
    }
  }
}

function showFault(text: string, faulty: Name | undefined): void {
  for (const name of NAMES) input(name)?.removeAttribute('aria-invalid');
  showText(find('[data-plan-error]'), text);
  if (!faulty) return;
  const control = input(faulty);
  control?.setAttribute('aria-invalid', 'true');
  // Drawing sets the pixel coordinates, so the section with these fields stays closed.
  const section = control?.closest('details');
  if (!section || section.open) control?.focus();
}

function faultyField(reply: Reply): Name | undefined {
  const path = String(field(reply.body, 'field') ?? reply.faults[0]?.path ?? '');
  const [, at, member = ''] = /points\/(\d)\/(\w+)$/.exec(path) ?? [];
  const name = at === undefined ? path.replace(/^\//, '') : `${member}${Number(at) + 1}`;
  return NAMES.find((known) => known === name);
}

function errorText(reply: Reply): string {
  if (reply.status === 0) return BEACON_TEXTS.noAnswer;
  return [sentence(faultText(reply)), reply.hint].filter(Boolean).join(' ');
}

function faultText({ faults: [fault], message }: Reply): string {
  if (!fault) return upperFirst(message);
  const [, at, name = ''] = /^\/points\/(\d)\/(.*)$/.exec(fault.path) ?? [];
  if (at === undefined) return lineFaultText(fault);
  return BEACON_TEXTS.point(Number(at) + 1, `${name} ${translated(fault.message)}`);
}

function input(name: Name): HTMLInputElement | undefined {
  return find<HTMLInputElement>(`[data-plan-form] [name="${name}"]`);
}

/** Returns invalid input as a string, so that the gateway rejects it with an error. */
function numberIn(name: Name): number | string | undefined {
  const text = plainNumber(input(name)?.value ?? '');
  if (text === '') return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
