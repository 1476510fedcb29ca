import { type ChannelCredentials, credentials } from '@grpc/grpc-js'

export interface EtcdTlsFiles {
  /** The authorities that may sign etcd's certificate; the system's when absent. All in PEM. */
  readonly ca?: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
}

export interface EtcdAddress {
  readonly address: string
  readonly credentials: ChannelCredentials
}

/** `https://host:port`, `http://host:port`, or `host:port`, which means TLS when TLS is configured. */
export function parseEndpoint(endpoint: string, tls: EtcdTlsFiles | undefined): EtcdAddress {
  const [, scheme, address] = /^(?:(https?):\/\/)?([^/\s]+)\/?$/.exec(endpoint) ?? []
  if (address === undefined) throw new RangeError(`not an etcd endpoint, expected https://host:port: ${endpoint}`)
  const secure = scheme === undefined ? tls !== undefined : scheme === 'https'
  if (!secure && tls !== undefined) {
    throw new RangeError(`TLS is configured, but the endpoint says http: ${endpoint}`)
  }
  return { address, credentials: secure ? secureCredentials(tls ?? {}) : credentials.createInsecure() }
}

function secureCredentials(tls: EtcdTlsFiles): ChannelCredentials {
  return credentials.createSsl(toBuffer(tls.ca), toBuffer(tls.key), toBuffer(tls.cert))
}

function toBuffer(pem: string | Buffer | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem)
}
