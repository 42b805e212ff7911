import * as t from '../../http/openapi/schema-helpers.js';
import type { TlsView } from '../tls/tls-view.js';

const at = t.orNull(t.moment);
const view = t.record<TlsView>({
  source: t.oneOf(['none', 'local', 'configured']),
  state: t.oneOf(['none', 'valid', 'not-yet-valid', 'expired']),
  port: { ...t.orNull(t.whole), description: 'The HTTPS port; `null` if HTTPS is not served' },
  names: { ...t.listOf(t.text), description: 'Names and addresses in the certificate' },
  notBefore: at,
  notAfter: at,
  fault: t.text,
  redirect: {
    ...t.oneOf(['off', 'on', 'suspended']),
    description: 'Whether pages are redirected to HTTPS; `suspended` while the certificate is not valid',
  },
  ca: t.orNull(
    t.record<NonNullable<TlsView['ca']>>({ ...t.each(t.text, 'name', 'fingerprint'), notAfter: t.moment }),
  ),
});

export const CA_TYPE = 'application/x-x509-ca-cert';

const tlsChapter = { name: 'System', schemas: { Tls: view } };
export const tlsApi = t.api(tlsChapter, {
  'GET /ca.crt': t.anyone("Downloads the gateway's CA certificate in PEM format", {
    description:
      "This route is public, because devices need the CA before they can open the gateway's pages over HTTPS without a warning.",
    ok: { content: t.contentOf([CA_TYPE], t.text) },
    fails: [404],
  }),
  'GET /system/tls': t.user('Returns the state of HTTPS', { ok: t.jsonOrPage(t.ref('Tls')) }),
  'POST /system/tls': t.admin('Creates a certificate, and a CA if none exists', {
    body: t.optionalBody(
      t.open([], { replaceCa: { ...t.text, description: 'Set to `yes` to also replace the CA' } }),
    ),
    created: t.jsonOrPage(t.ref('Tls')),
    fails: [409, 503],
  }),
  'POST /system/tls/redirect': t.admin('Turns the redirection of pages to HTTPS on or off', {
    description:
      "Redirection can be turned on only over HTTPS, which shows that the administrator's device trusts the CA.",
    body: t.formBody(t.open(['redirect'], { redirect: t.oneOf(['on', 'off']) }), { redirect: 'off' }, 4),
    ok: t.jsonOrPage(t.ref('Tls')),
    fails: [409],
  }),
});
