import type { Kind } from '../../api/kind.ts'
import type { Schema } from '../../api/schema.ts'

/** What the documents say about something served. A kind has all of it, a review only the first half. */
export interface Described {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly schema: Schema
  /** Served as a subresource of this resource of the core group instead of on its own. */
  readonly parent?: string
  /** The parent is of the same group instead. */
  readonly hasOwnParent?: boolean
  /** A review that is read instead of created. */
  readonly isRead?: boolean
  /** What can be asked of it; reviews are only ever created or read. */
  readonly stored?: {
    readonly flavor: Kind['flavor']
    readonly verbs: ReadonlySet<string>
    readonly subresources: readonly DescribedSubresource[]
  }
}

export interface DescribedSubresource {
  readonly name: string
  readonly verbs: ReadonlySet<string>
}

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

const described = new WeakMap<Kind, Described>()

/** The same for a kind each time: every question about documents asks it of all kinds. */
export function describeKind(kind: Kind): Described {
  const known = described.get(kind) ?? describe(kind)
  described.set(kind, known)
  return known
}

function describe(kind: Kind): Described {
  const { group, version, plural, namespaced, flavor, withoutVerbs = [] } = kind
  const verbs = new Set(allVerbs.filter((verb) => !withoutVerbs.includes(verb)))
  const partial = Object.entries(kind.partialUpdates ?? {})
    .filter(([, { verbs }]) => verbs.length > 0)
    .map(([name, { verbs }]) => ({ name, verbs: new Set<string>(verbs) }))
  const status = kind.hasStatus ? [{ name: 'status', verbs: new Set(['get', 'patch', 'update']) }] : []
  return {
    group,
    version,
    kind: kind.kind,
    plural,
    namespaced,
    // Those that users bring are read when they are first asked for.
    get schema() {
      return kind.schema
    },
    stored: { flavor, verbs, subresources: [...status, ...partial] },
  }
}

/** The name under which the document of a group and version is asked for. */
export function documentPath({ group, version, parent, hasOwnParent }: Described): string {
  if (parent !== undefined && hasOwnParent !== true) return 'api/v1'
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}
