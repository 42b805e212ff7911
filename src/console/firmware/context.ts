import type { FirmwareView } from '../../carts/index.js';
import type { Notice } from '../../http/pages.js';
import { upperFirst } from '../../i18n/format.js';
import { begun, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { BOARDS, type Board } from '../../shared/ports/serial.js';
import { isUpdating, updateStatus } from '../labels/firmware-labels.js';
import { type LayoutContext, type LayoutData, noticeText } from '../layout/context.js';
import { layoutContext } from '../layout/layout-context.js';

function boardTitle(board: Board): string {
  if (board === 'uno') return t('Arduino Uno, or Nano with Optiboot (115200 baud)');
  if (board === 'mega') return t('Arduino Mega 2560');
  return t('Arduino Nano with the old boot loader (57600 baud)');
}

/** Returns the versions and the state of an update, for the System page and the Controller firmware page. */
export function firmwareFacts(view: FirmwareView): object {
  const { installed, shipped, phase } = view;
  return {
    ...updateStatus(view),
    phase,
    installed: installed ?? t('unknown: the controller is not connected'),
    shipped: shipped ? shippedText(shipped) : t('no firmware'),
    isShown: phase !== 'idle',
    isUpdating: isUpdating(view),
    isRepeat: phase === 'interrupted' || phase === 'failed',
  };
}

function shippedText({ version, revision, isSigned }: NonNullable<FirmwareView['shipped']>): string {
  const build = revision === '0' ? version : `${version} (${revision})`;
  return isSigned ? build : t('{0}, unsigned development build', build);
}

interface FirmwarePage {
  view: FirmwareView;
  isAdmin: boolean;
  notice?: Notice | undefined;
}

/** Returns the template context of `firmware/firmware.html`. */
export function firmwareContext(layout: LayoutData, { view, isAdmin, notice }: FirmwarePage): LayoutContext {
  const { percent, reason, hint, conditions, shipped } = view;
  const facts = firmwareFacts(view);
  // These three conditions (reference firmware, real controller, firmware image) are prerequisites for all others.
  const isUsable = conditions.every(
    ({ need, isMet }) => isMet || !['driver', 'real', 'image'].includes(need),
  );
  const listed = conditions
    .filter(({ isMet }) => isUsable || !isMet)
    .filter((_each, at) => isUsable || at === 0);
  const shown = {
    isAdmin,
    isUsable,
    percent,
    firmware: facts,
    reason: sentence(translated(reason)),
    hint: translated(hint),
    conditions: listed.map(({ need, isMet, text, hint: advice }) => ({
      need,
      isMet,
      tone: isMet ? 'quiet' : 'warn',
      text: begun(text),
      advice: translated(advice),
    })),
    isUnknownBoard: view.board === null,
    chooseBoard: t('Select the board'),
    hasDefaultConfiguration: shipped !== null && !shipped.isConfigured,
    boards: BOARDS.map((board) => ({ board, title: boardTitle(board), isChosen: board === view.board })),
    notice: notice ? noticeText(notice) : null,
  };
  return { ...layoutContext(layout, { page: 'firmware' }), ...shown };
}

function sentence(text: string): string {
  return text === '' ? '' : `${upperFirst(text)}.`;
}
