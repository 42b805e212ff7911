import { declareMessages } from '../../shared/messages/message.js';

export const tlsMessage = declareMessages('tls', {
  'clock-implausible':
    'the gateway\'s clock shows {time}, which cannot be right, so HTTPS certificates are neither created nor renewed; connect the gateway to a time server, or set the clock with "sudo date"',
  'clock-before-ca':
    "the gateway's clock shows {time}, but its CA is not valid before {day}, so HTTPS certificates are not renewed; set the clock or, if it is right, replace the CA on the HTTPS page",
  'ca-expired':
    "the gateway's CA expired on {day}; check the clock and, if it is right, replace the CA on the HTTPS page and install the new one on every device",
  expired:
    "the HTTPS certificate expired on {day}; check the gateway's clock and, if it is right, renew the certificate on the HTTPS page",
  'expired-configured':
    "the HTTPS certificate in {file} expired on {day}; check the gateway's clock and, if it is right, replace the file and its key and restart the gateway",
  'not-yet-valid':
    "the HTTPS certificate is not valid before {day}; check the gateway's clock and, if it is right, renew the certificate on the HTTPS page",
  'not-yet-valid-configured':
    "the HTTPS certificate in {file} is not valid before {day}; check the gateway's clock",
  'files-unusable':
    'the HTTPS certificate files cannot be used ({reason}); create a certificate on the HTTPS page',
  'not-written': 'the file could not be saved: {reason}',
  'not-renewed': 'the HTTPS certificate was not renewed ({reason}); the gateway retries every minute',
  'not-listening': 'HTTPS is not available on port {port} ({reason}); set HTTPS_PORT to a free port',
  configured: 'a certificate is set in the configuration ("tls")',
  'configured-hint': 'Replace the files named under "tls", or remove "tls" from the configuration.',
  'redirect-needs-https': 'this page was not opened over HTTPS',
  'redirect-needs-https-hint':
    'Open this page over HTTPS to show that your device trusts the CA, then turn on the redirect.',
  'redirect-on': 'Pages are redirected to HTTPS',
  'redirect-off': 'Pages are no longer redirected to HTTPS',
  created: 'Certificate created',
  'created-hint': 'Install the CA on every device that opens the gateway over HTTPS.',
  'no-ca': 'there is no CA yet',
  'no-ca-hint': 'An administrator can create a certificate on the HTTPS page.',
});
