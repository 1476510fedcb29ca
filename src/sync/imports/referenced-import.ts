import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind } from '../contract.ts'
import { managedBy } from '../names/markers.ts'
import { nameOf, printName } from '../names/names.ts'
import type { KindRules } from '../plan/rules.ts'
import type { ImportConfig } from './contract.ts'
import { isSecretOfProcess } from './process-secrets.ts'

/** The objects of one kind that synced objects refer to, by their place on the host. */
export class ReferencedPlaces {
  readonly #virtualOf = new Map<string, ObjectName>()
  readonly #hostOf: (virtual: ObjectName) => ObjectName | undefined

  constructor(hostOf: (virtual: ObjectName) => ObjectName | undefined) {
    this.#hostOf = hostOf
  }

  get size(): number {
    return this.#virtualOf.size
  }

  set(virtual: ObjectName, isReferenced: boolean): void {
    const host = this.#hostOf(virtual)
    if (host === undefined) return
    if (isReferenced) this.#virtualOf.set(printName(host), virtual)
    else this.#virtualOf.delete(printName(host))
  }

  virtualOf(host: ObjectName): ObjectName | undefined {
    return this.#virtualOf.get(printName(host))
  }

  hostOf(virtual: ObjectName): ObjectName | undefined {
    const host = this.#hostOf(virtual)
    return host !== undefined && this.#virtualOf.has(printName(host)) ? host : undefined
  }
}

/** The tenant whose references these are. */
export interface ReferencingTenant {
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether all references are known. */
  isComplete(): boolean
  /** Whether the tenant may see objects of the host namespace that a virtual one is mapped to. */
  mayRead(namespace: string, signal: AbortSignal): Promise<boolean>
}

/**
 * Imports objects that synced objects refer to and that exist only on the host, in the place of the copy. Objects of
 * another tenant are never imported, nor are credentials for the host.
 */
export function referencedImport(
  kind: SyncKind,
  places: ReferencedPlaces,
  { hostNamespace, isComplete, mayRead }: ReferencingTenant,
): ImportConfig {
  return {
    rules: { kind, cause: 'reference', patch: unpatched },
    virtualOf: (host) => places.virtualOf(host),
    hostOf: (virtual) => places.hostOf(virtual),
    isComplete,
    mayImport: async (object, signal) => {
      const isOpen =
        object.metadata.labels?.[managedBy] === undefined && !isCredentialOfHost(object) && !isSecretOfProcess(object)
      const virtual = isOpen ? places.virtualOf(nameOf(object)) : undefined
      return virtual !== undefined && mayRead(virtual.namespace, signal)
    },
    sources: [
      {
        labelSelector: `!${managedBy}`,
        keep: nameAlone,
        ...(hostNamespace !== undefined && { namespace: hostNamespace }),
      },
    ],
    readsContent: true,
  }
}

const credentialTypes: ReadonlySet<unknown> = new Set([
  'kubernetes.io/service-account-token',
  'bootstrap.kubernetes.io/token',
])

/** Tenants choose what their objects refer to, and such a Secret grants access to the API of the host. */
function isCredentialOfHost({ kind, type }: KubeObject): boolean {
  return kind === 'Secret' && credentialTypes.has(type)
}

const unpatched: KindRules['patch'] = (object) =>
  Promise.resolve({ state: 'applied', object, references: [], counters: [] })

function nameAlone({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  }
}
