import { type Actor, actorName } from '../../shared/actor.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { CertificateNames, IssueCertificate } from '../../shared/ports/certificates.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { type Pair, pairOf, publicPart } from './certificate.js';
import { tlsMessage } from './messages.js';
import type { StoredPairs, TlsFiles } from './tls-files.js';
import { BACKDATED_MS, CA_MS, clockFault, isRenewalDue, leafEnd, validityFault } from './validity.js';

/** Maximum time until a new address, an expired certificate or a file from `npm run tls` is detected. */
const CHECK_MS = 60_000;

export interface LocalTlsDeps {
  files: TlsFiles;
  issue: IssueCertificate;
  /** Names and addresses that the certificate must currently cover. */
  wanted: () => CertificateNames;
  caName: () => string;
  /** DNS names and suffixes for which a new CA may issue certificates. */
  permittedDns: readonly string[];
  clock: Clock;
  log: Log;
}

/**
 * The gateway's own CA and the server certificate that it issues. The certificate is renewed 30 days before
 * it expires, or when it lacks one of the gateway's names or addresses. A certificate stays in use until its
 * renewal succeeds.
 */
export class LocalTls {
  readonly #deps: LocalTlsDeps;
  readonly #queue = new SerialQueue();
  #pairs: StoredPairs = {};
  #redirect = false;
  /**
   * Names in the latest request; they are not requested again, because a certificate omits names that the CA forbids.
   */
  #requested = '';
  #failure: Text = '';
  #reported = '';
  #cancel: Cancel = () => undefined;

  private constructor(deps: LocalTlsDeps) {
    this.#deps = deps;
  }

  /** Reads the certificates. Damaged files are reported as a fault but do not prevent startup. */
  static async open(deps: LocalTlsDeps): Promise<LocalTls> {
    const tls = new LocalTls(deps);
    await tls.#read();
    return tls;
  }

  get ca(): Pair | undefined {
    return this.#pairs.ca;
  }

  get leaf(): Pair | undefined {
    return this.#pairs.leaf;
  }

  get redirect(): boolean {
    return this.#redirect;
  }

  /** Rejects with `WRITE_FAILED`. */
  setRedirect(isOn: boolean, by: Actor): Promise<void> {
    return this.#queue.take(async () => {
      await this.#deps.files.writeRedirect(isOn);
      this.#redirect = isOn;
      this.#deps.log.info('tls.redirect_set', { on: isOn, by: actorName(by) });
    });
  }

  /** Throws `NOT_FOUND` if there is no CA. */
  caPem(): string {
    if (this.#pairs.ca) return publicPart(this.#pairs.ca.pem);
    throw new GatewayError('NOT_FOUND', tlsMessage('no-ca'), { hint: tlsMessage('no-ca-hint') });
  }

  /** Returns the problem and its remedy, or an empty string if there is no problem. */
  fault(): Text {
    const { ca, leaf } = this.#pairs;
    const found = ca && validityFault((leaf ?? ca).facts, ca.facts, this.#deps.clock.wallTime());
    return found ?? this.#failure;
  }

  /**
   * Checks the certificates now and once a minute.
   * @param checked called after each check.
   */
  start(checked: () => void): void {
    const check = (): void => void this.check().then(checked);
    this.#cancel = this.#deps.clock.every(CHECK_MS, check);
    check();
  }

  /** Stops the checks and waits for any renewal in progress. */
  close(): Promise<void> {
    this.#cancel();
    return this.#queue.ended();
  }

  /** Reads the files again and renews the certificate if necessary. Never rejects. */
  check(): Promise<void> {
    return this.#queue.take(async () => {
      if (await this.#read()) await this.#renew();
      this.#report();
    });
  }

  /**
   * Issues a new certificate and, if no usable CA exists or `replaceCa` is true, creates a CA. Rejects with
   * `CLOCK_UNSET` or `WRITE_FAILED`, and keeps the previous certificate in that case.
   */
  create({ replaceCa = false, by }: { replaceCa?: boolean; by: Actor }): Promise<void> {
    return this.#queue.take(async () => {
      const isIntact = await this.#read();
      const { ca } = this.#pairs;
      const now = this.#deps.clock.wallTime();
      const fault = clockFault(now, replaceCa ? undefined : ca?.facts);
      if (fault) throw new GatewayError('CLOCK_UNSET', fault);
      const isUsable = ca && now < ca.facts.notAfter && !replaceCa;
      // Overwrites a damaged CA file with the CA in memory, because devices already trust that CA.
      if (isUsable && !isIntact) await this.#deps.files.write('ca', ca.pem);
      await this.#issueLeaf(isUsable ? ca : await this.#issueCa(now, by), now);
      this.#failure = '';
      this.#report();
    });
  }

  async #issueCa(now: number, by: Actor): Promise<Pair> {
    const { issue, files, caName, permittedDns, log } = this.#deps;
    const notBefore = now - BACKDATED_MS;
    const name = caName();
    const pem = await issue({ kind: 'ca', name, permittedDns, notBefore, notAfter: notBefore + CA_MS });
    const ca = pairOf(pem);
    await files.write('ca', pem);
    this.#pairs = { ca };
    log.info('tls.ca_created', { name, fingerprint: ca.facts.fingerprint, by: actorName(by) });
    return ca;
  }

  async #issueLeaf(ca: Pair, now: number): Promise<void> {
    const { issue, files, wanted, log } = this.#deps;
    const names = wanted();
    const notBefore = Math.max(now - BACKDATED_MS, ca.facts.notBefore);
    const times = { notBefore, notAfter: leafEnd(ca.facts, now) };
    const name = names.dns[0] ?? 'localhost';
    const pem = await issue({ kind: 'leaf', name, names, caPem: ca.pem, ...times });
    const leaf = pairOf(pem);
    await files.write('leaf', pem);
    this.#requested = JSON.stringify(names);
    this.#pairs = { ca, leaf };
    const { dns, ip } = leaf.facts.names;
    log.info('tls.certificate_issued', {
      names: [...dns, ...ip],
      expires: new Date(leaf.facts.notAfter).toISOString().slice(0, 10),
    });
  }

  async #renew(): Promise<void> {
    const { ca, leaf } = this.#pairs;
    const now = this.#deps.clock.wallTime();
    this.#failure = '';
    if (!ca || clockFault(now, ca.facts) || now > ca.facts.notAfter) return;
    const wanted = this.#deps.wanted();
    const isNew = JSON.stringify(wanted) !== this.#requested;
    if (leaf && !isRenewalDue(leaf.facts, ca.facts, isNew ? wanted : leaf.facts.names, now)) return;
    try {
      await this.#issueLeaf(ca, now);
    } catch (error) {
      this.#failure = tlsMessage('not-renewed', { reason: errorText(error) });
    }
  }

  /** Returns false and stores the fault if a file is unusable; the certificates in memory stay in use. */
  async #read(): Promise<boolean> {
    try {
      this.#redirect = await this.#deps.files.readRedirect();
      this.#pairs = await this.#deps.files.read();
      return true;
    } catch (error) {
      this.#failure = tlsMessage('files-unusable', { reason: errorText(error) });
      return false;
    }
  }

  #report(): void {
    const reason = textOf(this.fault());
    if (reason === this.#reported) return;
    if (reason === '') this.#deps.log.info('tls.fault_cleared');
    else this.#deps.log.warn('tls.fault_detected', { reason });
    this.#reported = reason;
  }
}
