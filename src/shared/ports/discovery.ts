/** What the local network is told of this gateway. */
export interface Announcement {
  /** For people; 63 bytes at most. */
  name: string;
  /** The host name of the service, `….local`. */
  host: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** Tells it until the answer is closed, which takes it back. Rejects when nobody can be told. */
export type Announce = (what: Announcement) => Promise<{ close(): Promise<void> }>;
