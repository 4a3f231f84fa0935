/** Asks the domain name system. */
export interface DnsLookup {
  /** The TXT records of a name, each as one text. None where the name or the type is not there. @throws DnsFault */
  txt(name: string): Promise<string[]>;
  /** The CNAME record of a name, in lower case and without a trailing dot. None where there is none. @throws DnsFault */
  cname(name: string): Promise<string[]>;
}

/** No answer could be had, which says nothing about the records. The message is safe to show to the owner of a site. */
export class DnsFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DnsFault';
  }
}
