/** What the platform's answer allows styles by that are made while the page runs. */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')
  return meta?.nonce ?? ''
}
