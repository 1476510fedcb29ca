import { isPlainHost } from '../../server/request/plain-host.ts'

/**
 * Limits what a page of the console may do. Nothing is loaded from elsewhere, and only built scripts and styles run:
 * they come from a single folder, because an API behind the platform may answer other paths of the origin. `host` is
 * the name by which the browser reached the platform; if it is not a plain host name, no script runs.
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
 * Makes a browser that connected over HTTPS use it for a year. Omitted on loopback, where all ports of a machine share
 * one name.
 */
export function transportSecurity(host: string): readonly string[] {
  return loopback.test(host) || host === '' ? [] : ['Strict-Transport-Security', 'max-age=31536000']
}

/** Sent with every file of the console. */
export const securityHeaders: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** Sent with pages, which other sites might frame or open. */
export const pageHeaders: readonly string[] = [
  ...securityHeaders,
  ...['X-Frame-Options', 'DENY'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]
