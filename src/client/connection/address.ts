export interface Address {
  /** Without the brackets of an IPv6 address in a URL. */
  readonly host: string
  readonly port: number
}

/** Where the server of a URL listens. */
export function addressOf(url: URL): Address {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? usualPort(url) : Number(url.port) }
}

function usualPort({ protocol }: URL): number {
  return protocol === 'https:' ? 443 : 80
}

/** What the paths of a server begin with: none for most, and never a slash at the end. */
export function pathPrefix({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}
