import { minuteText, type Severity, upperFirst } from '../../i18n/format.js';
import { begun } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { TlsPage, TlsView } from '../../system/index.js';
import { type LayoutContext, type LayoutData, noticeText } from '../layout/context.js';
import { layoutContext } from '../layout/layout-context.js';
import { qrCode } from '../layout/qr-code.js';

/** Names that every device resolves to itself. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** Returns the template context of `tls/tls.html`. */
export function tlsContext(
  layout: LayoutData,
  { view, caUrl, isAdmin, isSecure, notice }: TlsPage & { isAdmin: boolean },
): LayoutContext {
  const { source, names, port, ca, notAfter, fault } = view;
  const { tone, status } = tlsStatus(view);
  const addresses = names.filter((name) => !LOOPBACK.includes(name));
  const shown = {
    tone,
    tlsStatus: upperFirst(status),
    isAdmin,
    addresses,
    isRedirectOn: view.redirect !== 'off',
    isConfigured: source === 'configured',
    hasCertificate: notAfter !== null,
    mayRedirect: isAdmin && source === 'local' && (isSecure || view.redirect !== 'off'),
    mayCreate: isAdmin && source !== 'configured',
    isCaShown: source !== 'configured' || ca !== null,
    expires: notAfter === null ? '' : minuteText(Date.parse(notAfter)),
    links: port === null ? [] : addresses.map((name) => urlOf(name, port)),
    ca: ca ? { ...ca, until: minuteText(Date.parse(ca.notAfter)), url: caUrl, qr: qrCode(caUrl) } : null,
    fault: begun(fault),
    notice: notice ? noticeText(notice) : null,
  };
  return { ...layoutContext(layout, { page: 'https' }), ...shown };
}

function urlOf(name: string, port: number): string {
  return `https://${name.includes(':') ? `[${name}]` : name}${port === 443 ? '' : `:${port}`}/`;
}

/** Returns whether HTTPS is on, as a sentence for the System page. */
export function httpsText({ source, port, redirect, fault }: TlsView): string {
  if (fault !== '') return t('Needs attention');
  if (port === null) return t('Off');
  if (source === 'configured') return t('On, port {0}.', port);
  return redirect === 'on'
    ? t('On, port {0}. Pages are redirected to HTTPS.', port)
    : t('On, port {0}. Pages are also available over HTTP.', port);
}

/** Returns the status of HTTPS, which pages list as a component of the gateway. */
export function tlsStatus({ state, port, fault }: TlsView): { tone: Severity; status: string } {
  if (fault !== '') return { tone: 'warn', status: t('needs attention') };
  if (state === 'none') return { tone: 'quiet', status: t('not set up') };
  return { tone: 'quiet', status: port === null ? t('not available') : t('available on port {0}', port) };
}
