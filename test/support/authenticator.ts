import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Bits of authenticator data (Web Authentication, 6.1). */
const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_KEY = 64;

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

interface Ceremony {
  challenge: string;
  rpId: string;
  /** Of the page, as the browser reports it. */
  origin: string;
  /** Whether it asks for a PIN or a finger; by default it does. */
  isVerifying?: boolean;
}

/**
 * An authenticator with one key, without the browser that would refuse what servers must refuse
 * too.
 */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const prefixed = (prefix: string, value: string | Buffer) =>
    Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.from(value)]);
  const coordinate = (prefix: string, value: string) =>
    prefixed(prefix, Buffer.from(value, 'base64url'));
  // CBOR (RFC 8949) of a COSE key: EC2, ES256, P-256.
  const key = Buffer.concat([coordinate('a5010203262001215820', x), coordinate('225820', y)]);
  const dataOf = ({ rpId, isVerifying = true }: Ceremony, flags: number, ...rest: Buffer[]) => {
    const flag = Buffer.from([flags | USER_PRESENT | (isVerifying ? USER_VERIFIED : 0)]);
    return Buffer.concat([sha256(rpId), flag, Buffer.alloc(4), ...rest]);
  };
  const clientDataOf = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, value.toString('base64url')]),
    ),
  });
  return {
    /** Returns what `navigator.credentials.create` would, as JSON. */
    register(ceremony: Ceremony) {
      const data = dataOf(
        ceremony,
        HAS_KEY,
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      );
      const attestationObject = Buffer.concat([
        prefixed('a363', 'fmt'),
        prefixed('64', 'none'),
        prefixed('67', 'attStmt'),
        prefixed('a068', 'authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return credential({
        clientDataJSON: clientDataOf('webauthn.create', ceremony),
        attestationObject,
      });
    },
    /** Returns what `navigator.credentials.get` would, as JSON. */
    signIn(ceremony: Ceremony) {
      const authenticatorData = dataOf(ceremony, 0);
      const clientDataJSON = clientDataOf('webauthn.get', ceremony);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return credential({ clientDataJSON, authenticatorData, signature });
    },
  };
}
