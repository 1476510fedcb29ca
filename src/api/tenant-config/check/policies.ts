import type { YamlScalar, YamlValue } from '../../../base/yaml-source/node.ts'
import { isActedOn, type KeyMap } from '../../host-controllers.ts'
import { isOn, yamlMemberAt, yamlValueAt } from '../locate.ts'
import type { ConfigPath, ReportFinding } from '../problem.ts'
import { placeName, shown } from '../wording.ts'
import type { KindEntry } from './kind-entries.ts'

const sync = ['policies', 'sync']

/** Operators may allow anything, but should know the consequences. */
export function warnOfOpenPolicies(root: YamlValue, report: ReportFinding): void {
  for (const map of ['labels', 'annotations'] as const) warnOfKeys(map, root, report)
  for (const name of ['externalIPs', 'loadBalancerIP', 'endpointAddresses']) warnOfAllAddresses(name, root, report)
  warnOfPrivilegedPods(root, report)
}

function warnOfPrivilegedPods(root: YamlValue, report: ReportFinding): void {
  const path = ['policies', 'pods', 'security']
  const level = yamlValueAt(root, path)
  if (level?.type !== 'scalar' || level.text !== 'privileged') return
  report({
    severity: 'warning',
    code: 'risk',
    path,
    span: level.span,
    message:
      'a container with all privileges is root on its node, and reaches what runs there of the host and of other tenants',
    suggestion: 'write baseline, or use nodes that no other tenant has',
  })
}

/** Allowing a name that a controller acts on lets tenants give that controller instructions. */
function warnOfKeys(map: KeyMap, root: YamlValue, report: ReportFinding): void {
  for (const { path, item } of textsAt(root, [...sync, map, 'allowed'])) {
    const key = item.text.replace(/^\*\./, '')
    if (key === '*' || !isActedOn(map, key)) continue
    report({
      severity: 'warning',
      code: 'risk',
      path,
      span: item.span,
      message: `components of the host act on ${map} such as ${shown(item.text)}, and tenants could tell them what to do`,
      suggestion: 'name single keys that are harmless, or set them with a patch',
    })
  }
}

function warnOfAllAddresses(name: string, root: YamlValue, report: ReportFinding): void {
  for (const { path, item } of textsAt(root, [...sync, name, 'allowed'])) {
    if (!item.text.endsWith('/0')) continue
    report({
      severity: 'warning',
      code: 'risk',
      path,
      span: item.span,
      message: `${shown(item.text)} means every address, those of the host and of other tenants too`,
      suggestion: 'name the addresses that are meant for this tenant',
    })
  }
}

/** Every Ingress would be held back. */
export function warnOfIngressesAlone(root: YamlValue, report: ReportFinding): void {
  const path = ['sync', 'toHost', 'ingresses', 'enabled']
  const enabled = yamlMemberAt(root, path)
  if (enabled === undefined || !isOn(root, path, false)) return
  const hosts = [...sync, 'ingresses', 'hosts']
  if (textsAt(root, hosts).length > 0) return
  report({
    severity: 'warning',
    code: 'no-effect',
    path,
    span: enabled.value.span,
    message: 'Ingresses are synced, but no host names are allowed, so no Ingress reaches the host',
    suggestion: `name the host names in ${placeName(hosts)}`,
  })
}

/** With these a tenant could give itself rights on the host, or run anything there. */
const powerfulGroups: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'certificates.k8s.io',
  'authentication.k8s.io',
  'storage.k8s.io',
  'scheduling.k8s.io',
  'policy',
  'apps',
  'batch',
])
const powerfulKinds: ReadonlySet<string> = new Set(['nodes', 'persistentvolumes', 'replicationcontrollers'])

export function warnOfPowerfulKinds(
  { section, path, keySpan, settings, custom }: KindEntry,
  report: ReportFinding,
): void {
  const name = String(path.at(-1))
  const [plural = '', ...group] = name.split('.')
  const isPowerful = group.length === 0 ? powerfulKinds.has(plural) : powerfulGroups.has(group.join('.'))
  if (!custom || section !== 'toHost' || !isPowerful || !isOn(settings, ['enabled'], false)) return
  report({
    severity: 'warning',
    code: 'risk',
    path,
    span: keySpan,
    message: `objects of ${shown(name)} are carried as tenants write them, which gives tenants the host`,
    suggestion: 'sync them only for tenants whom you would make administrators of the host',
  })
}

function textsAt(
  root: YamlValue,
  path: ConfigPath,
): readonly { readonly path: ConfigPath; readonly item: YamlScalar }[] {
  const list = yamlValueAt(root, path)
  if (list?.type !== 'list') return []
  return list.items.flatMap((item, index) => (item.type === 'scalar' ? [{ path: [...path, index], item }] : []))
}
