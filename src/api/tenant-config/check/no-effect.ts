import { memberOf, type YamlScalar, type YamlValue } from '../../../base/yaml-source/node.ts'
import { isOnByDefault } from '../field-at.ts'
import { isOn, yamlMemberAt } from '../locate.ts'
import type { ReportFinding } from '../problem.ts'
import { placeName } from '../wording.ts'
import type { KindEntry } from './kind-entries.ts'

/** Settings of a kind that is not synced would silently have no effect. */
export function warnOfDisabled({ path, settings }: KindEntry, report: ReportFinding): void {
  if (isOn(settings, ['enabled'], isOnByDefault([...path, 'enabled']))) return
  for (const name of ['patches', 'mappings', 'all']) {
    const member = memberOf(settings, name)
    if (member === undefined || saysNothing(member.value)) continue
    report({
      severity: 'warning',
      code: 'no-effect',
      path: [...path, name],
      span: member.keySpan,
      message: `${placeName([...path, name])} has no effect, because ${placeName(path)} is not enabled`,
      suggestion: `set enabled: true in ${placeName(path)}`,
    })
  }
}

function saysNothing(value: YamlValue): boolean {
  if (value.type === 'list') return value.items.length === 0
  return value.type === 'map' ? value.members.every((member) => saysNothing(member.value)) : isNothing(value.value)
}

function isNothing(value: YamlScalar['value']): boolean {
  return value === false || value === null
}

/** The host copies of Services have no selectors: without Endpoints they lead nowhere. */
export function warnOfServicesAlone(root: YamlValue, report: ReportFinding): void {
  const path = ['sync', 'toHost', 'endpoints', 'enabled']
  const services = ['sync', 'toHost', 'services', 'enabled']
  const enabled = yamlMemberAt(root, path)
  if (enabled === undefined || isOn(root, path, true)) return
  if (!isOn(root, services, isOnByDefault(services))) return
  report({
    severity: 'warning',
    code: 'risk',
    path,
    span: enabled.value.span,
    message: 'Services are synced and Endpoints are not, so Services have no addresses in the host',
    suggestion: 'enable endpoints, or disable services as well',
  })
}
