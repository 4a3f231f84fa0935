/** Queries the domain name system. */
export interface DnsLookup {
  /**
   * Returns the TXT records of a name, each as one text. Empty if the name or the type does not
   * exist. @throws DnsFault
   */
  txt(name: string): Promise<string[]>;
  /**
   * Returns the CNAME record of a name, in lower case and without a trailing dot, if there is one.
   * @throws DnsFault
   */
  cname(name: string): Promise<string[]>;
}

/**
 * There was no response, so nothing is known about the records. The message is safe to show to the
 * owner of a site.
 */
export class DnsFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DnsFault';
  }
}
