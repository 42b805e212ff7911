import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import type { KeyPair } from '../../http/server/fast-express.js';
import type { Actor } from '../../shared/actor.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { SerialQueue } from '../../shared/queues.js';
import {
  type CertificateFacts,
  certificateFacts,
  configuredFault,
  type TlsView,
  tlsMessage,
  tlsView,
  validityOf,
} from '../../system/index.js';
import type { AppContext } from '../context.js';
import { listen } from '../start/start-checks.js';

type HttpsDeps = Pick<AppContext, 'config' | 'tls' | 'keyPair' | 'clock' | 'log'>;

/**
 * Serves HTTPS on a second port as soon as the gateway has a certificate from its own CA. HTTP stays
 * available for stops and for devices that do not trust the CA. For a certificate from the configuration,
 * this class only reports the certificate's state.
 */
export class Https {
  readonly #deps: HttpsDeps;
  readonly #configured: CertificateFacts | undefined;
  readonly #queue = new SerialQueue();
  #createServer: ((keyPair: KeyPair) => Server) | undefined;
  #server: Server | undefined;
  /** The certificate in use; undefined until the server is listening. */
  #served: { pem: string; certificate: X509Certificate } | undefined;
  #fault: Text = '';

  constructor(deps: HttpsDeps) {
    this.#deps = deps;
    this.#configured = deps.keyPair && certificateFacts(deps.keyPair.cert);
  }

  /**
   * Starts HTTPS as soon as a certificate exists.
   * @param createServer returns a server that is not listening.
   */
  start(createServer: (keyPair: KeyPair) => Server): void {
    if (this.#configured) return;
    this.#createServer = createServer;
    this.#deps.tls.start(() => void this.#serve());
  }

  async close(): Promise<void> {
    await this.#deps.tls.close();
    await this.#queue.ended();
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Creates a certificate and serves it. Rejects with `CONFLICT`, `CLOCK_UNSET` or `WRITE_FAILED`. */
  async create(request: { replaceCa: boolean; by: Actor }): Promise<void> {
    if (this.#configured) {
      throw new GatewayError('CONFLICT', tlsMessage('configured'), { hint: tlsMessage('configured-hint') });
    }
    await this.#deps.tls.create(request);
    await this.#serve();
  }

  /**
   * Redirects pages to HTTPS, or stops doing so. Rejects with `CONFLICT` if an HTTP request enables
   * redirection, because the administrator's device may not trust the CA.
   */
  async setRedirect({ isOn, isSecure, by }: { isOn: boolean; isSecure: boolean; by: Actor }): Promise<void> {
    if (isOn && !isSecure) {
      const hint = tlsMessage('redirect-needs-https-hint');
      throw new GatewayError('CONFLICT', tlsMessage('redirect-needs-https'), { hint });
    }
    await this.#deps.tls.setRedirect(isOn, by);
  }

  caPem(): string {
    return this.#deps.tls.caPem();
  }

  /** Returns the problem with HTTPS and its remedy; empty if there is none. */
  fault(): Text {
    const { tls, clock, config } = this.#deps;
    if (this.#configured) {
      return configuredFault(this.#configured, config.tls?.certFile ?? '', clock.wallTime()) ?? '';
    }
    return tls.fault() || this.#fault;
  }

  view(): TlsView {
    const { tls, clock, config } = this.#deps;
    const leaf = this.#configured ?? tls.leaf?.facts;
    const local = leaf ? 'local' : 'none';
    return tlsView({
      source: this.#configured ? 'configured' : local,
      port: this.#configured ? config.port : (this.#port ?? null),
      redirect: tls.redirect ? (this.#redirects ? 'on' : 'suspended') : 'off',
      fault: this.fault(),
      leaf,
      ca: this.#configured ? undefined : tls.ca?.facts,
      nowMs: clock.wallTime(),
    });
  }

  /** Returns the port that requests for a host are redirected to; undefined if they are not redirected. */
  portFor(host: string): number | undefined {
    const certificate = this.#served?.certificate;
    if (!certificate || !this.#redirects) return undefined;
    const isCovered = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
    return isCovered ? this.#port : undefined;
  }

  get #port(): number | undefined {
    return this.#served && (this.#server?.address() as AddressInfo | null)?.port;
  }

  /** Pages are redirected only while the certificate is valid; otherwise, browsers would show a warning. */
  get #redirects(): boolean {
    const { tls, clock } = this.#deps;
    if (!tls.redirect || !this.#served || !tls.leaf || tls.fault() !== '') return false;
    return validityOf(tls.leaf.facts, clock.wallTime()) === 'valid';
  }

  /** Starts the server, or replaces its certificate without closing connections. Never rejects. */
  #serve(): Promise<void> {
    return this.#queue.take(async () => {
      const { tls, config, log } = this.#deps;
      const pem = tls.leaf?.pem;
      if (!pem || !this.#createServer || pem === this.#served?.pem) return;
      const keyPair = { cert: Buffer.from(pem), key: Buffer.from(pem) };
      const served = { pem, certificate: new X509Certificate(pem) };
      if (this.#server) this.#server.setSecureContext(keyPair);
      else this.#server = this.#createServer(keyPair);
      if (this.#server.listening) {
        this.#served = served;
        return;
      }
      const { host, httpsPort: port } = config;
      try {
        await listen(this.#server, { host, port });
        this.#served = served;
        this.#fault = '';
        log.info('tls.listening', { host, port: this.#port });
      } catch (error) {
        // Listening is retried at the next certificate check.
        if (this.#fault === '') log.warn('tls.listen_failed', { reason: errorText(error) });
        this.#fault = tlsMessage('not-listening', { port, reason: errorText(error) });
      }
    });
  }
}
