import { momentText } from '../../i18n/format.js';
import { t } from '../../i18n/page-text.js';
import { FIRST_STEPS, type FirstRunView, type FirstStep } from '../../system/index.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';

interface StepRow {
  step: FirstStep;
  title: string;
  what: string;
  href: string;
  done: boolean;
  /** The time of completion; empty if the step is not completed. */
  when: string;
}

export interface Checklist {
  steps: StepRow[];
  /** For example `2 of 5 done`. */
  progress: string;
  /** True until the user completes one of the steps that the gateway cannot complete by itself. */
  isNew: boolean;
  isComplete: boolean;
}

const stepTexts = (): Record<FirstStep, Pick<StepRow, 'title' | 'what' | 'href'>> => ({
  controller: {
    title: t('Connect the controller'),
    what: t('Set the serial port in the settings, or use the simulated controller.'),
    href: '/brokerSettings?section=serial#serial',
  },
  drive: {
    title: t('Drive 0.5 m'),
    what: t('Hold a preset or use the drive pad.'),
    href: '/#main',
  },
  estop: {
    title: t('Test Stop all'),
    what: t('Press Stop all, then hold Reset.'),
    href: '/#main',
  },
  user: {
    title: t('Add a user'),
    what: t('Give each person an account, so that the history shows who drove.'),
    href: '/users#add',
  },
  backup: {
    title: t('Make a gateway backup'),
    what: t('Make one on the System page. Download it, or plug in a USB stick first.'),
    href: '/system#gateway-backups',
  },
});

export function checklist({ done, isComplete }: FirstRunView): Checklist {
  const texts = stepTexts();
  const steps = FIRST_STEPS.map((step) => {
    const at = done[step];
    return { step, ...texts[step], done: at !== undefined, when: at === undefined ? '' : momentText(at) };
  });
  const isNew = !done.drive && !done.estop && !done.user;
  const count = steps.filter((step) => step.done).length;
  return { steps, progress: t('{0} of {1} done', count, steps.length), isNew, isComplete };
}

export function firstRunContext(
  layout: LayoutData,
  firstRun: FirstRunView,
): LayoutContext & { firstRun: Checklist } {
  return { ...layoutContext(layout, { page: 'firstRun' }), firstRun: checklist(firstRun) };
}
