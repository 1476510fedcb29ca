import { quoted } from '../../api/human/go-syntax.ts'
import { objectAt, objectsAt, textAt, type UnknownMembers } from '../member.ts'
import { serviceAccountUserName } from '../service-account-name.ts'

/** What a request can be matched with: a user name or a group. A service account is a user name. */
export interface SubjectKey {
  readonly kind: 'user' | 'group'
  readonly name: string
}

export interface RbacSubject {
  readonly key: SubjectKey
  /** The subject as named in reasons: `User "alice"`, `ServiceAccount "builder/default"`. */
  readonly text: string
}

export interface RoleReference {
  readonly kind: 'Role' | 'ClusterRole'
  readonly name: string
}

/** Subjects that can match a user. `bindingNamespace` applies to service accounts without a namespace. */
export function subjectsOf(binding: object, bindingNamespace: string): readonly RbacSubject[] {
  return objectsAt(binding, 'subjects').flatMap((each) => {
    const subject = subjectOf(each, bindingNamespace)
    return subject === undefined ? [] : [subject]
  })
}

export function roleReferenceOf(binding: object): RoleReference | undefined {
  const reference = objectAt(binding, 'roleRef')
  const kind = textAt(reference, 'kind')
  const name = textAt(reference, 'name')
  return kind === 'Role' || kind === 'ClusterRole' ? { kind, name } : undefined
}

function subjectOf(subject: UnknownMembers, bindingNamespace: string): RbacSubject | undefined {
  const name = textAt(subject, 'name')
  switch (textAt(subject, 'kind')) {
    case 'User':
      return { key: { kind: 'user', name }, text: `User ${quoted(name)}` }
    case 'Group':
      return { key: { kind: 'group', name }, text: `Group ${quoted(name)}` }
    case 'ServiceAccount':
      return serviceAccountSubject(name, textAt(subject, 'namespace') || bindingNamespace)
    default:
      return undefined
  }
}

function serviceAccountSubject(name: string, namespace: string): RbacSubject | undefined {
  if (namespace === '') return undefined
  return {
    key: { kind: 'user', name: serviceAccountUserName(namespace, name) },
    text: `ServiceAccount ${quoted(`${name}/${namespace}`)}`,
  }
}
