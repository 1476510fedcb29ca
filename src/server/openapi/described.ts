import type { Kind } from '../../api/kind.ts'
import type { Schema } from '../../api/schema.ts'

/** A served resource as the documents describe it. Kinds have all fields, reviews only the first half. */
export interface Described {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly schema: Schema
  /** The resource of the core group that this is a subresource of. */
  readonly parent?: string
  /** The parent belongs to the same group instead. */
  readonly hasOwnParent?: boolean
  /** A review that is read instead of created. */
  readonly isRead?: boolean
  /** The supported operations; reviews are only created or read. */
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

/** Cached per kind, because building any document asks for all kinds. */
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
    // Schemas of users' kinds are parsed on first use.
    get schema() {
      return kind.schema
    },
    stored: { flavor, verbs, subresources: [...status, ...partial] },
  }
}

/** The path of the document of a group and version. */
export function documentPath({ group, version, parent, hasOwnParent }: Described): string {
  if (parent !== undefined && hasOwnParent !== true) return 'api/v1'
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}
