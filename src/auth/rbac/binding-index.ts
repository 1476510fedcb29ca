import type { Decision } from '../../api/access.ts'
import type { RbacSubject, RoleReference, SubjectKey } from './subject.ts'

/** One subject of one binding. */
export interface SubjectGrant {
  readonly binding: string
  readonly role: RoleReference
  /** The decision when the role allows a request, created once. */
  readonly allowed: Decision
}

/** The grants of one subject by the name of their binding. */
export type Grants = ReadonlyMap<string, SubjectGrant>

/**
 * The bindings of one scope: the cluster or one namespace. Finds the grants of a subject without checking those of
 * others.
 */
export interface BindingIndex {
  put(binding: IndexedBinding): void
  remove(binding: string): void
  ofUser(name: string): Grants | undefined
  ofGroup(name: string): Grants | undefined
  readonly isEmpty: boolean
}

export interface IndexedBinding {
  readonly name: string
  readonly role: RoleReference
  readonly subjects: readonly RbacSubject[]
  /** The binding as named in reasons, up to and including ` to `. */
  readonly text: string
}

type GrantsBySubject = Map<string, Map<string, SubjectGrant>>

export function createBindingIndex(): BindingIndex {
  const subjectsOfBinding = new Map<string, readonly SubjectKey[]>()
  const byKind: Readonly<Record<SubjectKey['kind'], GrantsBySubject>> = { user: new Map(), group: new Map() }

  function remove(name: string): void {
    for (const key of subjectsOfBinding.get(name) ?? []) {
      const grants = byKind[key.kind].get(key.name)
      grants?.delete(name)
      if (grants?.size === 0) byKind[key.kind].delete(key.name)
    }
    subjectsOfBinding.delete(name)
  }

  return {
    put(binding) {
      remove(binding.name)
      subjectsOfBinding.set(
        binding.name,
        binding.subjects.map((each) => each.key),
      )
      for (const subject of binding.subjects) addGrant(byKind[subject.key.kind], binding, subject)
    },
    remove,
    ofUser: (name) => byKind.user.get(name),
    ofGroup: (name) => byKind.group.get(name),
    get isEmpty() {
      return subjectsOfBinding.size === 0
    },
  }
}

/** If several subjects match the same user, reasons name the first. */
function addGrant(grantsBySubject: GrantsBySubject, binding: IndexedBinding, subject: RbacSubject): void {
  const grants = grantsBySubject.get(subject.key.name) ?? new Map<string, SubjectGrant>()
  grantsBySubject.set(subject.key.name, grants)
  if (grants.has(binding.name)) return
  const allowed = { verdict: 'allow', reason: `RBAC: allowed by ${binding.text}${subject.text}` } as const
  grants.set(binding.name, { binding: binding.name, role: binding.role, allowed })
}
