import type { GatewayRestore, RestoreView } from '../../backups/index.js';
import { momentText } from '../../i18n/format.js';
import { continued, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';

/** The notice about the restore of a whole gateway; null if there is none. */
export function gatewayRestoreContext({
  view,
  undone,
}: { view: RestoreView | undefined } & Undone): object | null {
  if (view) {
    const { step } = view;
    return {
      ...textsOf(view),
      step,
      isStaged: step === 'staged',
      canConfirm: step === 'trial' || step === 'waiting',
      isEarly: step === 'trial',
      confirmableInS: view.confirmableInS,
      confirmText: t('You can confirm the restore in {0} s.', view.confirmableInS),
      canReturn: step !== 'returning',
      discards:
        step === 'trial' || step === 'waiting'
          ? t(
              'A return discards everything that has been saved since the restore, including payments. A copy of the discarded database remains in the data directory.',
            )
          : '',
      needsRestart: step === 'staged' || step === 'returning',
      returnLabel: step === 'staged' ? t('Cancel restore') : t('Return to the previous data'),
    };
  }
  if (!undone) return null;
  return {
    title: t('The restore was undone'),
    text: t(
      '{0} was not restored: {1}. The data from before the restore is in use.',
      undone.name,
      continued(undone.reason),
    ),
    step: 'undone',
  };
}

type Undone = Pick<GatewayRestore, 'undone'>;

function textsOf({ step, name, by, at }: RestoreView): { title: string; text: string } {
  const [who, when] = [translated(by), momentText(at)];
  switch (step) {
    case 'staged':
      return {
        title: t('A restore is ready'),
        text: t(
          "{0} will replace this gateway's data when the gateway restarts. Requested by {1} on {2}.",
          name,
          who,
          when,
        ),
      };
    case 'trial':
      return {
        title: t('The gateway was restored and is being checked'),
        text: t(
          'Restored from {0}, as requested by {1} on {2}. If the gateway stops twice before the restore can be confirmed, the next start returns to the previous data.',
          name,
          who,
          when,
        ),
      };
    case 'waiting':
      return {
        title: t('The restore is waiting for your confirmation'),
        text: t(
          'Restored from {0}, as requested by {1} on {2}. Check the gateway, then confirm. Until then, the previous data is kept and occupies disk space.',
          name,
          who,
          when,
        ),
      };
    case 'returning':
      return {
        title: t('The restore will be undone'),
        text: t('When the gateway restarts, the data from before the restore of {0} is used again.', name),
      };
  }
}
