import assert from 'node:assert/strict';
import { test } from 'uvu';
import { withLanguage } from '../../../src/i18n/language.js';
import { translated } from '../../../src/i18n/messages.js';
import { networkFault } from '../../../src/shared/network-errors.js';

const HOST = 'mail.example.com';
const failed = (error: object): Error => Object.assign(new Error('getaddrinfo ENOTFOUND host'), error);

for (const [name, error, english, dutch] of [
  [
    'an unknown server name',
    { code: 'ENOTFOUND' },
    'the server name mail.example.com cannot be found',
    'de servernaam mail.example.com is niet gevonden',
  ],
  [
    'an unknown server name that nodemailer reports',
    { code: 'EDNS', originalCode: 'ENOTFOUND' },
    'the server name mail.example.com cannot be found',
    'de servernaam mail.example.com is niet gevonden',
  ],
  [
    'a timeout',
    { code: 'ETIMEDOUT' },
    'the server did not respond in time',
    'de server antwoordde niet op tijd',
  ],
  [
    'an expired certificate',
    { code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' },
    "TLS failed: the certificate has expired (or this machine's clock is wrong)",
    'TLS is mislukt: het certificaat is verlopen (of de klok van deze machine loopt niet goed)',
  ],
] as const) {
  test(`describes ${name} in plain words`, () => {
    const fault = networkFault(failed(error), HOST);
    assert.ok(fault);
    assert.equal(fault.text, english);
    assert.equal(
      withLanguage('nl', () => translated(fault)),
      dutch,
    );
  });
}

test('does not describe unknown error codes or values that are not errors', () => {
  for (const error of [failed({ code: 'EMESSAGE' }), failed({ code: 'toString' }), 'ENOTFOUND', undefined])
    assert.equal(networkFault(error, HOST), undefined);
});

test.run();
