export interface Address {
  /** Without the brackets of an IPv6 address in a URL. */
  readonly host: string
  readonly port: number
}

/** The address of a URL's server. */
export function addressOf(url: URL): Address {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? usualPort(url) : Number(url.port) }
}

function usualPort({ protocol }: URL): number {
  return protocol === 'https:' ? 443 : 80
}

/** The path prefix of a server: usually empty, and never with a trailing slash. */
export function pathPrefix({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}
