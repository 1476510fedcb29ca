/** The nonce that the platform's answer allows for styles created at run time. */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')
  return meta?.nonce ?? ''
}
