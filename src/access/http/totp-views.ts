import { type Notice, noticeTold } from '../../web/layout/context.js';
import type { TotpText } from '../second-factor/totp.js';
import { qrCode } from './qr-code.js';

/** Either a secret to confirm or the recovery codes. */
export interface SecondFactorPage {
  enrolment?: TotpText;
  recoveryCodes?: readonly string[];
  notice?: Notice;
}

/** What `access/second-factor.html` shows. */
export function secondFactorContext({ enrolment, recoveryCodes, notice }: SecondFactorPage): object {
  return {
    notice: notice ? noticeTold(notice) : null,
    enrolment: enrolment
      ? { ...enrolment, groups: enrolment.secret.match(/.{1,4}/g), qr: qrCode(enrolment.uri) }
      : null,
    recovery: recoveryCodes ? { codes: recoveryCodes } : null,
  };
}
