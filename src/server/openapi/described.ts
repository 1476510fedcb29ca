import { scaleKind } from '../../api/autoscaling/scale.ts'
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
  /** What is read and written there. Absent: the object itself. */
  readonly shows?: Described
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
  const changeable = new Set(['get', 'patch', 'update'])
  const status = kind.hasStatus ? [{ name: 'status', verbs: changeable }] : []
  const scale = kind.scale ? [{ name: 'scale', verbs: changeable, shows: describedScale(flavor) }] : []
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
    stored: { flavor, verbs, subresources: [...status, ...scale, ...partial] },
  }
}

/** It accepts the patches that its object accepts. */
function describedScale(flavor: Kind['flavor']): Described {
  const { group, version, kind, plural, namespaced, schema } = scaleKind
  const stored = { flavor, verbs: new Set<string>(), subresources: [] }
  return { group, version, kind, plural, namespaced, schema, stored }
}

/** The path of the document of a group and version. */
export function documentPath({ group, version, parent, hasOwnParent }: Described): string {
  if (parent !== undefined && hasOwnParent !== true) return 'api/v1'
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}
