import { isJsonObject } from '../../base/json/member.ts'
import type { AuditRule } from './policy.ts'

const lists = ['users', 'groups', 'verbs', 'resources', 'namespaces', 'paths'] as const
const members: ReadonlySet<string> = new Set(['level', ...lists])

/** Reads an operator's audit policy: `rules`, each with a level and what it matches. Errors name the invalid place. */
export function readAuditPolicy(value: unknown): readonly AuditRule[] {
  const rules = isJsonObject(value) ? value.rules : value
  if (!Array.isArray(rules)) throw new Error('an audit policy is a list of rules, or an object with one under "rules"')
  return rules.map((rule, index) => ruleOf(rule, `rules[${index}]`))
}

function ruleOf(value: unknown, place: string): AuditRule {
  if (!isJsonObject(value)) throw new Error(`${place} must be an object`)
  const unknown = Object.keys(value).find((member) => !members.has(member))
  if (unknown !== undefined) throw new Error(`${place}.${unknown} is not known: there are ${[...members].join(', ')}`)
  const { level } = value
  if (level !== 'none' && level !== 'metadata') throw new Error(`${place}.level must be none or metadata`)
  const given = lists.flatMap((member) =>
    value[member] === undefined ? [] : [[member, textsOf(value[member], `${place}.${member}`)]],
  )
  return { level, ...Object.fromEntries(given) }
}

function textsOf(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new Error(`${place} must be a list of strings`)
}
