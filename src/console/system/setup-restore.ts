import { t } from '../../i18n/page-text.js';
import type { SetupRestorePage } from '../../system/index.js';
import { noticeText } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import { backupRow, inspectedContext } from './context.js';

export function setupRestoreContext(
  layout: LayoutData,
  { code, name, notice, found, inspected, accepted }: SetupRestorePage,
  restartCommand: string,
): LayoutContext {
  const next = {
    code,
    action: `/setup/gateway-backups/${encodeURIComponent(name)}/${inspected ? 'restore' : 'inspect'}`,
    button: inspected ? t('Restore and restart') : t('Show contents'),
    accepted: accepted ?? null,
    isChoice: name === '',
    found: (found ?? []).map((backup) => ({ ...backupRow(backup), usb: backup.usb })),
    hasFound: found !== undefined && found.length > 0,
    isEmpty: found?.length === 0,
    restartCommand: restartCommand || null,
    notice: notice ? noticeText(notice) : null,
    inspected: inspected ? inspectedContext(inspected) : null,
  };
  return { ...layoutContext(layout, { title: t('Restore a gateway') }), ...next };
}
