import { type OwnerReference, parseApiVersion } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { uidOf } from './owner-state.ts'

const mostRemembered = 1_000

/** Called when an object names an owner that exists only in another namespace, and so does not count. */
export type ReportForeignOwner = (context: ResourceContext, document: StoredDocument, reference: OwnerReference) => void

/** Finds references to owners in other namespaces. Each owner is searched for once, however many objects name it. */
export class ForeignOwners {
  readonly #tell: ReportForeignOwner
  /** Whether an owner exists elsewhere, by uid; the most recent one is last. */
  readonly #known = new Map<string, boolean>()

  constructor(tell: ReportForeignOwner) {
    this.#tell = tell
  }

  /** The owner existed in the right place, so references to it are not reported. */
  gone(uid: string): void {
    this.#remember(uid, false)
  }

  look(context: ResourceContext, document: StoredDocument, reference: OwnerReference): void {
    if (this.#isElsewhere(context, document, reference)) this.#tell(context, document, reference)
  }

  #isElsewhere({ engine }: ResourceContext, document: StoredDocument, reference: OwnerReference): boolean {
    const { apiVersion, kind, name, uid } = reference
    const owners = engine.find(parseApiVersion(apiVersion).group, kind)
    if (owners === undefined || !owners.kind.namespaced) return false
    const known = this.#known.get(uid)
    if (known !== undefined) return known
    for (const { name: namespace } of engine.find('', 'Namespace')?.cache.current().values() ?? []) {
      const found = namespace === document.namespace ? undefined : owners.cache.get({ namespace, name })
      if (found !== undefined && uidOf(found) === uid) return this.#remember(uid, true)
    }
    return this.#remember(uid, false)
  }

  #remember(uid: string, isElsewhere: boolean): boolean {
    this.#known.delete(uid)
    this.#known.set(uid, isElsewhere)
    const [oldest] = this.#known.size > mostRemembered ? this.#known.keys() : []
    if (oldest !== undefined) this.#known.delete(oldest)
    return isElsewhere
  }
}

export function foreignOwnerText({ namespace }: StoredDocument, reference: OwnerReference): string {
  const { apiVersion, kind, name, uid } = reference
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
  return `ownerRef ${owner} does not exist in namespace "${namespace}"`
}
