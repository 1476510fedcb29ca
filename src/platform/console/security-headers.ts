/** What a page of the console may do. Nothing comes from elsewhere, and nothing that was not built runs. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
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
