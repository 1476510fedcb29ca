import { deepEqual } from '../../../base/equal.ts'
import { type FieldError, notSupportedField, requiredField } from '../../field-error.ts'
import { quoted } from '../../human/go-syntax.ts'
import { validatePathSegment } from '../../names.ts'
import type { RoleBinding, RoleRef, Subject } from '../../types/rbac-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts'
import { checkEach, checkSubdomain } from '../field-checks.ts'
import { invalidPrinted } from '../printed-errors.ts'
import { rbacGroup } from './role.ts'

export const roleBinding = builtinKind<RoleBinding>({
  group: rbacGroup,
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  nameRule: 'path-segment',
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.rbac.v1.RoleBinding',
  columns: bindingColumns(),
  strategy: {
    defaults: withApiGroups,
    validate: (object) => [
      ...validateRoleRef(object.roleRef, ['Role', 'ClusterRole']),
      ...validateSubjects(object.subjects ?? [], 'namespace'),
    ],
    validateUpdate: validateSameRole,
  },
})

export function withApiGroups(object: RoleBinding): RoleBinding {
  const { roleRef, subjects } = object
  return {
    ...object,
    roleRef: roleRef.apiGroup === '' ? { ...roleRef, apiGroup: rbacGroup } : roleRef,
    ...(subjects === undefined ? {} : { subjects: subjects.map(withApiGroup) }),
  }
}

function withApiGroup(subject: Subject): Subject {
  const isNamed = subject.kind === 'User' || subject.kind === 'Group'
  return isNamed && subject.apiGroup === undefined ? { ...subject, apiGroup: rbacGroup } : subject
}

export function validateRoleRef({ apiGroup, kind, name }: RoleRef, kinds: readonly string[]): readonly FieldError[] {
  return [
    ...(apiGroup === rbacGroup ? [] : [notSupportedField('roleRef.apiGroup', apiGroup, [rbacGroup])]),
    ...(kinds.includes(kind) ? [] : [notSupportedField('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [requiredField('roleRef.name')] : checkEach('roleRef.name', name, validatePathSegment(name))),
  ]
}

export function validateSubjects(subjects: readonly Subject[], scope: 'namespace' | 'cluster'): readonly FieldError[] {
  return subjects.flatMap((subject, index) => [
    ...(subject.name === '' ? [requiredField(`subjects[${index}].name`)] : []),
    ...validateSubject(`subjects[${index}]`, subject, scope),
  ])
}

function validateSubject(field: string, subject: Subject, scope: 'namespace' | 'cluster'): readonly FieldError[] {
  const { kind, apiGroup = '', name, namespace = '' } = subject
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...(name === '' ? [] : checkSubdomain(`${field}.name`, name)),
        ...(apiGroup === '' ? [] : [notSupportedField(`${field}.apiGroup`, apiGroup, [''])]),
        ...(scope === 'cluster' && namespace === '' ? [requiredField(`${field}.namespace`)] : []),
      ]
    case 'User':
    case 'Group':
      return apiGroup === rbacGroup ? [] : [notSupportedField(`${field}.apiGroup`, apiGroup, [rbacGroup])]
    default:
      return [notSupportedField(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
}

/** A user who could change the role could grant more rights than they have. */
export function validateSameRole(after: RoleBinding, before: RoleBinding): readonly FieldError[] {
  if (deepEqual(after.roleRef, before.roleRef)) return []
  const { apiGroup, kind, name } = after.roleRef
  const printed = `rbac.RoleRef{APIGroup:${quoted(apiGroup)}, Kind:${quoted(kind)}, Name:${quoted(name)}}`
  return [invalidPrinted('roleRef', printed, 'cannot change roleRef')]
}

export function bindingColumns() {
  return [
    nameColumn,
    column<RoleBinding>('Role', 'Role that is granted.', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
    ageColumn,
    wideColumn<RoleBinding>('Users', 'Users that have the role.', (object) => namesOf(object, 'User')),
    wideColumn<RoleBinding>('Groups', 'Groups that have the role.', (object) => namesOf(object, 'Group')),
    wideColumn<RoleBinding>('ServiceAccounts', 'Service accounts that have the role.', (object) =>
      namesOf(object, 'ServiceAccount'),
    ),
  ]
}

function namesOf({ subjects = [] }: RoleBinding, kind: string): string {
  return subjects
    .filter((each) => each.kind === kind)
    .map(({ name, namespace = '' }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name))
    .join(', ')
}
