import { minuteText, type Severity, upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { type LayoutContext, type LayoutData, type Notice, noticeText } from '../../web/layout/context.js';
import { layoutContext } from '../../web/layout/layout-context.js';
import { qrCode } from '../../web/layout/qr-code.js';
import type { TlsView } from '../tls/tls-view.js';

export interface TlsPage {
  view: TlsView;
  /** The URL from which other devices can download the CA certificate. */
  caUrl: string;
  isAdmin: boolean;
  notice?: Notice | undefined;
}

/** Names that lead other devices to themselves. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** The context of `system/tls.html`. */
export function tlsContext(layout: LayoutData, { view, caUrl, isAdmin, notice }: TlsPage): LayoutContext {
  const { source, names, port, ca, notAfter, fault } = view;
  const { tone, status } = tlsStatus(view);
  const addresses = names.filter((name) => !LOOPBACK.includes(name));
  const shown = {
    tone,
    tlsStatus: upperFirst(status),
    ...{ isAdmin, addresses, isRedirectOn: view.redirect !== 'off' },
    isConfigured: source === 'configured',
    hasCertificate: notAfter !== null,
    mayRedirect: isAdmin && source === 'local',
    mayCreate: isAdmin && source !== 'configured',
    expires: notAfter === null ? '' : minuteText(Date.parse(notAfter)),
    links: port === null ? [] : addresses.map((name) => urlOf(name, port)),
    ca: ca ? { ...ca, until: minuteText(Date.parse(ca.notAfter)), url: caUrl, qr: qrCode(caUrl) } : null,
    fault: upperFirst(translated(fault)),
    notice: notice ? noticeText(notice) : null,
  };
  return { ...layoutContext(layout, { page: 'https' }), ...shown };
}

function urlOf(name: string, port: number): string {
  return `https://${name.includes(':') ? `[${name}]` : name}${port === 443 ? '' : `:${port}`}/`;
}

/** Returns the status of HTTPS, which is shown as a component of the gateway. */
export function tlsStatus({ state, port, fault }: TlsView): { tone: Severity; status: string } {
  if (fault !== '') return { tone: 'warn', status: t`needs attention` };
  if (state === 'none') return { tone: 'quiet', status: t`not set up` };
  return { tone: 'quiet', status: port === null ? t`not available` : t`available on port ${port}` };
}
