import { checkLabelName, checkSubdomain } from '../core/field-checks.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { validateLabel } from '../names.ts'
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from '../types/flowcontrol-v1.ts'

type Texts = readonly string[] | null

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

/** The member of a subject that belongs to its kind. */
const members = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const
type SubjectKind = keyof typeof members

export function validateFlowRule(field: string, rule: PolicyRulesWithSubjects): readonly FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule
  const subjects = rule.subjects ?? []
  return [
    ...(subjects.length === 0
      ? [requiredField(`${field}.subjects`, 'subjects must contain at least one value')]
      : subjects.flatMap((subject, index) => validateSubject(`${field}.subjects[${index}]`, subject))),
    ...(resourceRules.length === 0 && nonResourceRules.length === 0
      ? [requiredField(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resourceRules.flatMap((each, index) => validateResourceRule(`${field}.resourceRules[${index}]`, each)),
    ...nonResourceRules.flatMap((each, index) => validatePathRule(`${field}.nonResourceRules[${index}]`, each)),
  ]
}

function validateSubject(field: string, subject: Subject): readonly FieldError[] {
  const { kind } = subject
  if (!isSubjectKind(kind)) return [notSupportedField(`${field}.kind`, kind, Object.keys(members).sort())]
  const own = members[kind]
  return [
    ...(subject[own] === undefined
      ? [requiredField(`${field}.${own}`, `${own} is required when subject kind is '${kind}'`)]
      : validateNamed(`${field}.${own}`, kind, subject)),
    ...subjectKinds
      .filter((other) => other !== kind && subject[members[other]] !== undefined)
      .map((other) => {
        const member = members[other]
        return forbiddenField(`${field}.${member}`, `${member} is forbidden when subject kind is not '${other}'`)
      }),
  ]
}

/** In the order in which Kubernetes checks. */
const subjectKinds: readonly SubjectKind[] = ['ServiceAccount', 'User', 'Group']

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(members, kind)
}

function validateNamed(field: string, kind: SubjectKind, subject: Subject): readonly FieldError[] {
  const { serviceAccount, user, group } = subject
  if (kind === 'ServiceAccount') return serviceAccount === undefined ? [] : validateAccount(field, serviceAccount)
  const named = kind === 'User' ? user : group
  return named?.name === '' ? [requiredField(`${field}.name`)] : []
}

function validateAccount(field: string, { name, namespace }: ServiceAccountSubject): readonly FieldError[] {
  return [
    ...(name === '' ? [requiredField(`${field}.name`)] : []),
    ...(name === '' || name === '*' ? [] : checkSubdomain(`${field}.name`, name)),
    ...(namespace === ''
      ? [requiredField(`${field}.namespace`, 'must specify namespace for service account')]
      : checkLabelName(`${field}.namespace`, namespace)),
  ]
}

function validateResourceRule(field: string, rule: ResourcePolicyRule): readonly FieldError[] {
  return [
    ...validateVerbs(`${field}.verbs`, rule.verbs ?? []),
    ...checkSome(`${field}.apiGroups`, rule.apiGroups, 'resource rules must supply at least one api group'),
    ...checkAlone(`${field}.apiGroups`, rule.apiGroups, 'api groups'),
    ...checkSome(`${field}.resources`, rule.resources, 'resource rules must supply at least one resource'),
    ...checkAlone(`${field}.resources`, rule.resources, 'resources'),
    ...validateNamespaces(`${field}.namespaces`, rule),
  ]
}

function validateNamespaces(field: string, { namespaces, clusterScope }: ResourcePolicyRule): readonly FieldError[] {
  const names = namespaces ?? []
  if (names.length === 0 && clusterScope !== true) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace'
    return [requiredField(field, detail)]
  }
  if (names.includes('*')) return checkAlone(field, names, 'namespaces')
  return names.flatMap((name, index) =>
    validateLabel(name).map((problem) =>
      invalidField(`${field}[${index}]`, name, `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
    ),
  )
}

function validatePathRule(field: string, rule: NonResourcePolicyRule): readonly FieldError[] {
  return [
    ...validateVerbs(`${field}.verbs`, rule.verbs ?? []),
    ...validatePaths(`${field}.nonResourceURLs`, rule.nonResourceURLs ?? []),
  ]
}

function validateVerbs(field: string, given: readonly string[]): readonly FieldError[] {
  if (given.length === 0) return [requiredField(field, 'verbs must contain at least one value')]
  if (given.includes('*')) return checkAlone(field, given, 'verbs')
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupportedField(field, given, verbs)]
}

function checkSome(field: string, given: Texts, detail: string): readonly FieldError[] {
  return given === null || given.length === 0 ? [requiredField(field, detail)] : []
}

/** `*` means all, so it must be the only item. */
function checkAlone(field: string, given: Texts, others: string): readonly FieldError[] {
  if (given === null || given.length < 2 || !given.includes('*')) return []
  return [invalidField(field, given, `if '*' is present, must not specify other ${others}`)]
}

function validatePaths(field: string, paths: readonly string[]): readonly FieldError[] {
  if (paths.length === 0) return [requiredField(field, 'nonResourceURLs must contain at least one value')]
  if (paths.includes('*')) return checkAlone(field, paths, 'non-resource URLs')
  return paths.flatMap((path, index) => {
    const problem = pathProblem(path)
    return problem === undefined ? [] : [invalidField(`${field}[${index}]`, path, problem)]
  })
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (!path.startsWith('/')) return 'must start with slash'
  if (path.includes(' ')) return 'must not contain white-space'
  if (path.includes('//')) return 'must not contain double slash'
  const star = path.indexOf('*')
  const isSuffix = star === -1 || (star === path.length - 1 && path.endsWith('/*'))
  return isSuffix ? undefined : 'wildcard can only do suffix matching'
}
