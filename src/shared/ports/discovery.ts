/** This gateway's mDNS service. */
export interface Announcement {
  /** Displayed name, at most 63 bytes. */
  name: string;
  /** Host name of the service, ending in `.local`. */
  host: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** Announces a service until the returned object is closed. Rejects if the network is not available. */
export type Announce = (announcement: Announcement) => Promise<{ close(): Promise<void> }>;
