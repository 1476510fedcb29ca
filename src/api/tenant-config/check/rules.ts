import { memberOf, type Span, type YamlList, type YamlMap } from '../../../base/yaml-source/node.ts'
import type { ObjectField, ObjectRule } from '../field.ts'
import type { ConfigFinding, ConfigPath, ConfigPlace, ReportFinding } from '../problem.ts'
import { either, placeName, printConfigPath, shown } from '../wording.ts'

export function checkRules(field: ObjectField, map: YamlMap, place: ConfigPlace, report: ReportFinding): void {
  for (const rule of field.rules ?? []) {
    const finding = brokenRule(rule, map, place)
    if (finding !== undefined) report(finding)
  }
}

function brokenRule(rule: ObjectRule, map: YamlMap, { path, keySpan }: ConfigPlace): ConfigFinding | undefined {
  const present = (name: string) => memberOf(map, name) !== undefined
  if (rule.type === 'any-of') {
    if (rule.members.some(present)) return undefined
    const message = `${placeName(path)} needs ${either(rule.members)}`
    return { code: 'missing-field', path, span: firstKeySpan(map, keySpan), message }
  }
  const given = rule.groups.flatMap((group) => group.find(present) ?? [])
  if (given.length === 1) return undefined
  const all = either(rule.groups.flat())
  if (given.length === 0) {
    const message = `${placeName(path)} does nothing`
    const suggestion = `give it one of ${all}`
    return { code: 'missing-field', path, span: firstKeySpan(map, keySpan), message, suggestion }
  }
  return {
    code: 'conflict',
    path,
    span: memberOf(map, given[1] ?? '')?.keySpan ?? keySpan,
    message: `${placeName(path)} has ${given.join(' and ')}, and only one of them is allowed`,
    suggestion: 'make two entries with different paths, or remove one of them',
  }
}

/** The first key of a block mapping, so that a mark below it points at something. */
export function firstKeySpan(map: YamlMap, fallback: Span): Span {
  return map.members[0]?.keySpan ?? (map.span.start === map.span.end ? fallback : map.span)
}

export function checkRepeated({ members }: YamlMap, path: ConfigPath, report: ReportFinding): void {
  const seen = new Set<string>()
  for (const { key, keySpan } of members) {
    if (seen.has(key)) {
      const message = `${shown(key)} is given more than once`
      report({ code: 'repeated-field', path: [...path, key], span: keySpan, message, suggestion: 'keep one of them' })
    }
    seen.add(key)
  }
}

/** No two items may have the same value in this member. */
export function checkDistinct({ items }: YamlList, name: string, path: ConfigPath, report: ReportFinding): void {
  const firstAt = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const value = item.type === 'map' ? memberOf(item, name)?.value : undefined
    if (value?.type !== 'scalar' || value.text === '') continue
    const first = firstAt.get(value.text)
    if (first === undefined) {
      firstAt.set(value.text, index)
      continue
    }
    report({
      code: 'conflict',
      path: [...path, index, name],
      span: value.span,
      message: `${printConfigPath([...path, index])} has the same ${name} as ${printConfigPath([...path, first])}`,
      suggestion: 'put both changes into one entry',
    })
  }
}
