import type { NameTranslator, ObjectName, ReferencedKind } from './contract.ts'

/** Virtual names by names on the host. */
export type NameMemory = Map<string, ObjectName>

/** Host names cannot be reversed, so assigned names are remembered. Other names are left to `findVirtual`. */
export function rememberingNames(
  names: Pick<NameTranslator, 'multiNamespace' | 'toHost'>,
  memory: NameMemory = new Map(),
  findVirtual: NameTranslator['toVirtual'] = () => undefined,
): NameTranslator {
  return {
    multiNamespace: names.multiNamespace,
    toHost: (kind, namespace, name) => {
      const host = names.toHost(kind, namespace, name)
      if (host !== undefined) memory.set(keyOf(kind, host), { namespace, name })
      return host
    },
    toVirtual: (kind, namespace, name) =>
      memory.get(keyOf(kind, { namespace, name })) ?? findVirtual(kind, namespace, name),
  }
}

function keyOf({ apiVersion, kind }: ReferencedKind, { namespace, name }: ObjectName): string {
  return JSON.stringify([apiVersion, kind, namespace, name])
}
