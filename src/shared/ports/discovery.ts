export interface Announcement {
  /** Display name, at most 63 bytes. */
  name: string;
  /** Host name, ending in `.local`. */
  host: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** Announces a service until the announcement is closed. Rejects if the network is not available. */
export type Announce = (announcement: Announcement) => Promise<{ close(): Promise<void> }>;
