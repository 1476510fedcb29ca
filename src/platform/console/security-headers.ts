import { isPlainHost } from '../../server/plain-host.ts'

/**
 * What a page of the console may do. Nothing comes from elsewhere, and nothing runs that was not built: scripts and styles are
 * those of one folder, since other paths of the origin may be answered by an API behind the platform. `host` is what the
 * browser called the platform; by a name that is none, no script runs.
 */
export function contentSecurityPolicy(nonce: string, host: string): string {
  const folder = isPlainHost(host) ? `https://${host}/assets/` : "'none'"
  return [
    "default-src 'none'",
    `script-src ${folder}`,
    `style-src ${folder === "'none'" ? '' : `${folder} `}'nonce-${nonce}'`,
    "img-src 'self' data:",
    `font-src ${folder}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const loopback = /^(?:localhost|[^:]*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * A browser that came over HTTPS must use it for a year. Not on loopback, where all ports of a machine share one name.
 */
export function transportSecurity(host: string): readonly string[] {
  return loopback.test(host) || host === '' ? [] : ['Strict-Transport-Security', 'max-age=31536000']
}

/** For every file of the console. */
export const securityHeaders: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** For pages, which others might frame or open. */
export const pageHeaders: readonly string[] = [
  ...securityHeaders,
  ...['X-Frame-Options', 'DENY'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]
