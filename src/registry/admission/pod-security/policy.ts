import { type FieldError, invalidField } from '../../../api/field-error.ts'
import { baselineChecks } from './baseline.ts'
import type { CheckedPod, SecurityCheck, Violation } from './check.ts'
import { restrictedChecks } from './restricted.ts'

/** Prefix of namespace labels, and of audit annotations about Pods. */
export const podSecurityPrefix = 'pod-security.kubernetes.io/'
const prefix = podSecurityPrefix
const levels = ['privileged', 'baseline', 'restricted'] as const
const modes = ['enforce', 'audit', 'warn'] as const

export type SecurityLevel = (typeof levels)[number]
export type Mode = (typeof modes)[number]

/** The policy for pods of a namespace; `version` is `latest` or `v1.x`. */
export interface Policy {
  readonly level: SecurityLevel
  readonly version: string
}

type Labels = Readonly<Record<string, string>> | undefined

/** Without a `warn` label, callers are warned of what `enforce` refuses, since templates are never refused. */
export function securityPolicyOf(labels: Labels, mode: Mode): Policy {
  if (mode !== 'warn' || labels?.[`${prefix}warn`] !== undefined) return labeledPolicy(labels, mode)
  const { level, version } = labeledPolicy(labels, 'enforce')
  return level === 'privileged'
    ? labeledPolicy(labels, 'warn')
    : { level, version: labels?.[`${prefix}warn-version`] ?? version }
}

/** An invalid label counts as the strictest policy. */
function labeledPolicy(labels: Labels, mode: Mode): Policy {
  const level = labels?.[`${prefix}${mode}`] ?? 'privileged'
  const version = labels?.[`${prefix}${mode}-version`] ?? 'latest'
  const isSensible = isLevel(level) && isVersion(version)
  return isSensible ? { level, version } : { level: 'restricted', version: 'latest' }
}

export function policyText({ level, version }: Policy): string {
  return `${level}:${version}`
}

/** Whether `after` may refuse pods that `before` allows. */
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
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length))
  return checksOf(level, minor).flatMap((check) => check.find(pod, minor) ?? [])
}

const noChecks: readonly SecurityCheck[] = []

function checksOf(level: SecurityLevel, minor: number): readonly SecurityCheck[] {
  if (level === 'privileged') return noChecks
  const inForce = (checks: readonly SecurityCheck[]) => checks.filter(({ since }) => since <= minor)
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
