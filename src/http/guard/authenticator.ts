import { type Actor, ANONYMOUS_ACTOR, keyActor, LAN_ACTOR, userActor } from '../../shared/actor.js';

/** The roles, in ascending order of rights. */
export const ROLES = ['customer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `lan` is an anonymous client on a trusted network. */
export type Principal =
  | {
      kind: 'user';
      userId: number;
      username: string;
      role: Role;
      sessionId: string;
      /** True if the session is kept in memory because it could not be saved; it permits only reading and stopping. */
      stopsOnly?: true;
    }
  | { kind: 'key'; keyId: number; name: string; scopes: readonly string[] }
  | { kind: 'lan' }
  | { kind: 'anonymous' };

export function actorOfPrincipal(principal: Principal): Actor {
  switch (principal.kind) {
    case 'user':
      return userActor(principal.username);
    case 'key':
      return keyActor(principal.name);
    case 'lan':
      return LAN_ACTOR;
    case 'anonymous':
      return ANONYMOUS_ACTOR;
  }
}

export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

export type UserPrincipal = Extract<Principal, { kind: 'user' }>;

export interface SessionToken {
  /** A UUID, not a credential. */
  id: string;
  secret: string;
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;
const KEY = /^gk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

export function parseToken(text: string): SessionToken | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id && secret ? { id, secret } : undefined;
}

export function isApiKey(text: string): boolean {
  return KEY.test(text);
}

export interface Credentials {
  /** Values of all session cookies in the request. */
  cookies?: readonly string[];
  apiKey?: string | undefined;
  isLocal: () => boolean;
}

/** Determines who sends a request. The module `access` implements it. */
export interface Authenticator {
  principalOf(credentials: Credentials): Principal;
  /** True if the configuration requires no login on the local network. */
  readonly isTrustedLan: boolean;
  /** Returns true if the request comes from the local network, and no login is required there. */
  isTrusted(credentials: Pick<Credentials, 'isLocal'>): boolean;
  readonly keys: {
    /** Counts a request with an API key that is not valid. */
    recordRejection(address: string): void;
  };
  readonly logins: {
    readonly limits: {
      /** Throws `RATE` after too many failed logins from an address. */
      takeAttempt(address: string): void;
    };
  };
  readonly stopTokens: {
    /** Returns the user or the key that holds a valid stop token. */
    find(token: string): Principal | undefined;
    /** Identifies the holder of a stop token; used only to schedule waiting requests. */
    holderOf(token: string): string | undefined;
    recordUse(holder: Principal): void;
    /** Returns how long the token remains valid, in ms; 0 if it is not valid. */
    leftMs(token: string): number;
  };
}
