/** What is needed to find the host's name for a service of the virtual cluster. */
export interface ServiceDomains {
  readonly clusterDomain: string
  readonly hostClusterDomain: string
  /** Where the copy of a virtual service is on the host. */
  readonly hostService: (namespace: string, name: string) => { readonly namespace: string; readonly name: string }
}

export type TranslatedAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly message: string }

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?'
const form = new RegExp(`^(${label})\\.(${label})\\.svc(?:\\.([a-z0-9.-]*[a-z0-9]))?(\\.?)(?::([0-9]{1,5}))?$`)
const maxLength = 253 + ':65535'.length + 1

/**
 * The host's full name for a virtual service. A trailing dot and a port are kept. Anything but a service is refused: a
 * name that only looks translated would lead elsewhere.
 */
export function translateServiceAddress(address: string, domains: ServiceDomains): TranslatedAddress {
  const match = address.length <= maxLength ? form.exec(address) : null
  const [, name, namespace, domain, dot = '', port] = match ?? []
  if (name === undefined || namespace === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) === 0) {
    return refused(address, domains)
  }
  if (domain !== undefined && domain !== domains.clusterDomain) return refused(address, domains)
  const host = domains.hostService(namespace, name)
  const suffix = port === undefined ? dot : `${dot}:${port}`
  return { ok: true, address: `${host.name}.${host.namespace}.svc.${domains.hostClusterDomain}${suffix}` }
}

function refused(address: string, { clusterDomain }: ServiceDomains): TranslatedAddress {
  const shown = JSON.stringify(address.length > 100 ? `${address.slice(0, 100)}…` : address)
  return {
    ok: false,
    message: `${shown} is not a service; expected is <name>.<namespace>.svc or <name>.<namespace>.svc.${clusterDomain}`,
  }
}
