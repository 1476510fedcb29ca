import { memberOf, type Span, type YamlMap } from '../../../base/yaml-source/node.ts'
import { fieldAt } from '../field-at.ts'
import { yamlValueAt } from '../locate.ts'
import type { ConfigPath, ReportFinding } from '../problem.ts'
import { fitsFormat } from '../text-format.ts'
import { placeName, shown } from '../wording.ts'
import type { KindEntry } from './kind-entries.ts'

interface Mapping {
  readonly path: ConfigPath
  readonly keySpan: Span
  readonly valueSpan: Span
  readonly from: string
  readonly to: string
}

/** Every mapping must be valid by itself, and no two may lead to the same object. */
export function checkMappings(entry: KindEntry, report: ReportFinding): void {
  const byName = yamlValueAt(entry.settings, ['mappings', 'byName'])
  const given = byName?.type === 'map' ? byName.members : []
  if (given.length === 0) checkMappingsGiven(entry, report)
  const mappings = byName?.type === 'map' ? readableMappings(byName, [...entry.path, 'mappings', 'byName']) : []
  const sound = mappings.filter((mapping) => checkMapping(mapping, entry, report))
  checkCollisions(sound, report)
}

/** Invalid names have already been reported. */
function readableMappings(byName: YamlMap, path: ConfigPath): readonly Mapping[] {
  const field = fieldAt(path)
  if (field?.type !== 'map' || field.values.type !== 'text') return []
  const { keys, values } = field
  return byName.members.flatMap(({ key, keySpan, value }) => {
    if (value.type !== 'scalar' || typeof value.value !== 'string') return []
    if (!fitsFormat(key, keys) || !fitsFormat(value.value, values.format)) return []
    return [{ path: [...path, key], keySpan, valueSpan: value.span, from: key, to: value.value }]
  })
}

function needsMappings({ section, path, custom }: KindEntry): boolean {
  return section === 'fromHost' || (!custom && path.at(-1) === 'namespaces')
}

function checkMappingsGiven(entry: KindEntry, report: ReportFinding): void {
  const enabled = memberOf(entry.settings, 'enabled')
  const isEnabled = enabled?.value.type === 'scalar' && enabled.value.value === true
  if (enabled === undefined || !isEnabled || !needsMappings(entry)) return
  report({
    code: 'missing-field',
    path: entry.path,
    span: enabled.keySpan,
    message: `${placeName(entry.path)} is enabled without a mapping, so nothing would be synced`,
    suggestion: `add ${placeName([...entry.path, 'mappings', 'byName'])}`,
  })
}

function checkMapping(mapping: Mapping, entry: KindEntry, report: ReportFinding): boolean {
  const { from, to, path, valueSpan } = mapping
  const refuse = (message: string, suggestion: string) => {
    report({ code: 'bad-value', path, span: valueSpan, message, suggestion })
    return false
  }
  if (isPattern(from) !== isPattern(to)) {
    return refuse(`${shown(from)} and ${shown(to)} do not fit together`, 'end both with * or none of them')
  }
  if (entry.section === 'fromHost' && from.includes('/') !== to.includes('/')) {
    return refuse(`${shown(from)} and ${shown(to)} do not fit together`, 'name a namespace in both or in none of them')
  }
  if (entry.section === 'toHost' && from === '*' && to === '*') warnOfSameNames(mapping, report)
  return true
}

function warnOfSameNames({ path, valueSpan }: Mapping, report: ReportFinding): void {
  report({
    severity: 'warning',
    code: 'risk',
    path,
    span: valueSpan,
    message:
      'every namespace of the virtual cluster, kube-system too, becomes the namespace of the same name in the host',
    suggestion: `keep them apart, for example with \${name}-*`,
  })
}

/**
 * Sorted by target, a mapping directly follows those that cover it. Two that cover the same place are valid only if
 * they mean the same object there.
 */
function checkCollisions(mappings: readonly Mapping[], report: ReportFinding): void {
  const sorted = [...mappings].sort((left, right) => compareTexts(prefixOf(left.to), prefixOf(right.to)))
  const covering: Mapping[] = []
  for (const mapping of sorted) {
    while (covering.length > 0 && !covers(covering.at(-1), mapping)) covering.pop()
    const other = covering.at(-1)
    if (other !== undefined && !agree(other, mapping)) reportCollision(other, mapping, report)
    covering.push(mapping)
  }
}

function reportCollision(first: Mapping, second: Mapping, report: ReportFinding): void {
  const [earlier, later] = first.keySpan.start < second.keySpan.start ? [first, second] : [second, first]
  report({
    code: 'conflict',
    path: later.path,
    span: later.valueSpan,
    message: `${shown(later.from)} can end up in the same place as ${shown(earlier.from)}`,
    suggestion: 'give them different targets',
  })
}

function covers(outer: Mapping | undefined, inner: Mapping): boolean {
  if (outer === undefined) return false
  return isPattern(outer.to) ? prefixOf(inner.to).startsWith(prefixOf(outer.to)) : outer.to === inner.to
}

function agree(outer: Mapping, inner: Mapping): boolean {
  const rest = prefixOf(inner.to).slice(prefixOf(outer.to).length)
  return prefixOf(outer.from) + rest === prefixOf(inner.from)
}

function isPattern(name: string): boolean {
  return name.endsWith('*')
}

function prefixOf(name: string): string {
  return isPattern(name) ? name.slice(0, -1) : name
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
