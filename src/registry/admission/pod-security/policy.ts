import { type FieldError, invalidField } from '../../../api/field-error.ts'
import { baselineChecks } from './baseline.ts'
import type { CheckedPod, SecurityCheck, Violation } from './check.ts'
import { restrictedChecks } from './restricted.ts'

/** Of labels of namespaces, and of what is on record about Pods. */
export const podSecurityPrefix = 'pod-security.kubernetes.io/'
const prefix = podSecurityPrefix
const levels = ['privileged', 'baseline', 'restricted'] as const
const modes = ['enforce', 'audit', 'warn'] as const

export type SecurityLevel = (typeof levels)[number]
export type Mode = (typeof modes)[number]

/** What pods of a namespace are held against; `version` is `latest` or `v1.x`. */
export interface Policy {
  readonly level: SecurityLevel
  readonly version: string
}

type Labels = Readonly<Record<string, string>> | undefined

/** Where callers are not said to be warned of something else, they are warned of what is refused: templates are never refused. */
export function securityPolicyOf(labels: Labels, mode: Mode): Policy {
  if (mode !== 'warn' || labels?.[`${prefix}warn`] !== undefined) return labeledPolicy(labels, mode)
  const { level, version } = labeledPolicy(labels, 'enforce')
  return level === 'privileged'
    ? labeledPolicy(labels, 'warn')
    : { level, version: labels?.[`${prefix}warn-version`] ?? version }
}

/** A label that says nothing sensible is taken for the strictest policy there is. */
function labeledPolicy(labels: Labels, mode: Mode): Policy {
  const level = labels?.[`${prefix}${mode}`] ?? 'privileged'
  const version = labels?.[`${prefix}${mode}-version`] ?? 'latest'
  const isSensible = isLevel(level) && isVersion(version)
  return isSensible ? { level, version } : { level: 'restricted', version: 'latest' }
}

export function policyText({ level, version }: Policy): string {
  return `${level}:${version}`
}

/** Whether everything the one allows is allowed by the other too. */
export function isStricter(after: Policy, before: Policy): boolean {
  return levels.indexOf(after.level) > levels.indexOf(before.level) || after.version !== before.version
}

export function checkPolicyLabels(labels: Labels = {}): readonly FieldError[] {
  return modes.flatMap((mode) => {
    const level = labels[`${prefix}${mode}`]
    const version = labels[`${prefix}${mode}-version`]
    return [
      ...(level === undefined || isLevel(level)
        ? []
        : [invalidField(fieldOf(mode), level, `must be one of ${levels.join(', ')}`)]),
      ...(version === undefined || isVersion(version)
        ? []
        : [invalidField(fieldOf(`${mode}-version`), version, 'must be "latest" or "v1.x"')]),
    ]
  })
}

export function securityViolations(pod: CheckedPod, { level, version }: Policy): readonly Violation[] {
  return checksOf(level, version).flatMap((check) => check.find(pod) ?? [])
}

function checksOf(level: SecurityLevel, version: string): readonly SecurityCheck[] {
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length))
  const inForce = (checks: readonly SecurityCheck[]) => checks.filter(({ since }) => since <= minor)
  if (level === 'privileged') return []
  if (level === 'baseline') return inForce(baselineChecks)
  const restricted = inForce(restrictedChecks)
  const replaced = new Set(restricted.map(({ replaces }) => replaces))
  return [...inForce(baselineChecks).filter(({ id }) => !replaced.has(id)), ...restricted]
}

function fieldOf(label: string): string {
  return `metadata.labels[${prefix}${label}]`
}

export function isLevel(text: string): text is SecurityLevel {
  return levels.some((level) => level === text)
}

function isVersion(text: string): boolean {
  return text === 'latest' || /^v1\.(0|[1-9]\d{0,2})$/.test(text)
}
