import type { NameTranslator, ObjectName, ReferencedKind } from '../contract.ts'

/** Host names cannot be turned back, so the names given out are remembered. */
export function rememberingNames(names: Pick<NameTranslator, 'multiNamespace' | 'toHost'>): NameTranslator {
  const known = new Map<string, ObjectName>()
  return {
    multiNamespace: names.multiNamespace,
    toHost: (kind, namespace, name) => {
      const host = names.toHost(kind, namespace, name)
      known.set(keyOf(kind, host), { namespace, name })
      return host
    },
    toVirtual: (kind, namespace, name) => known.get(keyOf(kind, { namespace, name })),
  }
}

function keyOf({ apiVersion, kind }: ReferencedKind, { namespace, name }: ObjectName): string {
  return JSON.stringify([apiVersion, kind, namespace, name])
}
