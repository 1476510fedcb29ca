import { translateServiceAddress } from '../../api/service-address.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { ServiceTranslation } from '../../expression/contract.ts'
import type { NameTranslator, ObjectName } from '../../patches/contract.ts'
import { hostName } from './host-name.ts'
import { mappedNamespace } from './namespace-mapping.ts'

export interface TenantPlace {
  readonly tenant: string
  readonly hostNamespace: string
}

/** The place of a tenant's object on the host; undefined if its namespace is not mapped. */
export function hostNameOf(
  { tenant, hostNamespace }: TenantPlace,
  config: EffectiveConfig,
  { namespace, name }: ObjectName,
): ObjectName | undefined {
  const translated = hostName({ hostNamespace, tenant, namespace, name })
  if (namespace === '') return { namespace, name: translated }
  const { enabled, mappings } = config.sync.toHost.namespaces
  if (!enabled) return { namespace: hostNamespace, name: translated }
  const mapped = mappedNamespace(mappings.byName, namespace, tenant)
  return mapped === undefined ? undefined : { namespace: mapped, name }
}

export function tenantNames(
  identity: TenantPlace,
  config: EffectiveConfig,
): Pick<NameTranslator, 'multiNamespace' | 'toHost'> {
  return {
    multiNamespace: config.sync.toHost.namespaces.enabled,
    toHost: (_kind, namespace, name) => hostNameOf(identity, config, { namespace, name }),
  }
}

/** `virtualToHostDNS` of a tenant. */
export function serviceTranslation(
  identity: TenantPlace,
  config: EffectiveConfig,
): (service: string) => ServiceTranslation {
  return (service) => {
    let unmapped: string | undefined
    const translated = translateServiceAddress(service, {
      ...config.networking,
      hostService: (namespace, name) => {
        const host = hostNameOf(identity, config, { namespace, name })
        if (host === undefined) unmapped = namespace
        return host ?? { namespace, name }
      },
    })
    if (unmapped === undefined) return translated
    return { ok: false, message: `the namespace ${unmapped} is not mapped to a namespace of the host` }
  }
}

export function sameName(left: ObjectName, right: ObjectName): boolean {
  return left.namespace === right.namespace && left.name === right.name
}

export function nameOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name?: string }
}): ObjectName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

/** A name as one word, for queues and messages: `namespace/name`, or only the name. */
export function printName({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

export function parseName(text: string): ObjectName {
  const slash = text.indexOf('/')
  return slash < 0 ? { namespace: '', name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}
