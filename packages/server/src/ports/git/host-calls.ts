/** A request to the API of a server of repositories. */
export interface HostRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  body?: object;
}

/** Whose limit at a server a request counts for. */
export interface HostCaller {
  organizationId: string;
  /** Value of the header; undefined for none. */
  authorization: string | undefined;
}

/** Calls the APIs of servers of repositories, and leaves those alone that ask for it. */
export interface HostCalls {
  /**
   * @returns the parsed response
   * @throws HostFault, `busy` also if the server cannot be reached, or asked this caller to wait;
   *   the signal's reason
   */
  call(caller: HostCaller, request: HostRequest, signal?: AbortSignal): Promise<unknown>;
}
