import { expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { node } from '../../api/core/nodes/node.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { importAnnotations, importedLabel } from '../../sync/names/import-marks.ts'
import { planNode } from '../../sync/nodes/plan-node.ts'
import { syncerUser } from '../clusters.ts'
import { importedObjects } from './imported-objects.ts'

type Part = Readonly<Record<string, unknown>>

const place = { namespace: 'default', name: 'settings' }
const onHost = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place, uid: 'u' }, data: { a: '1' } }
const settings: KubeObject = {
  ...onHost,
  metadata: {
    ...place,
    labels: { [importedLabel]: 'mapping', team: 'a' },
    annotations: importAnnotations(onHost, place),
  },
}

function nodeWith(spec: Part): KubeObject {
  const metadata = { name: 'simulated', uid: 'u', labels: { 'kubernetes.io/hostname': 'simulated' } }
  const host = { apiVersion: 'v1', kind: 'Node', metadata, spec, status: {} } as never
  const plan = planNode(host, undefined, { labels: {}, now: '2030-01-01T00:00:00Z' })
  return 'node' in plan ? plan.node : ({} as never)
}

function over(object: KubeObject, metadata: Part, fields: Part = {}): KubeObject {
  const { labels, annotations } = object.metadata
  const merged = {
    ...object.metadata,
    labels: { ...labels, ...(metadata.labels as object) },
    annotations: { ...annotations, ...(metadata.annotations as object) },
  }
  return { ...object, ...fields, metadata: merged }
}

function warnings(kind: Kind, old: KubeObject, now: KubeObject | 'deleted', user = 'admin'): readonly string[] {
  const told: string[] = []
  const admission = { kind, old, request: { user: { name: user }, warn: (text: string) => told.push(text) } } as never
  if (now === 'deleted') importedObjects.remove?.(old, admission)
  else void importedObjects.inspect?.(now, admission)
  return told
}

const open = nodeWith({})
const cordoned = nodeWith({ unschedulable: true })
const lifted = { spec: { ...(cordoned as { spec?: Part }).spec, unschedulable: false } }
const unscheduled = { spec: { ...(open as { spec?: Part }).spec, unschedulable: true } }

it.each<[string, Kind, KubeObject, KubeObject, readonly string[]]>([
  ['a label of a node', node, open, over(open, { labels: { tier: 'gold' } }), ['metadata.labels["tier"]']],
  ['a taint', node, open, over(open, {}, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }), ['spec.taints']],
  ['the end of a cordon by the host', node, cordoned, over(cordoned, {}, lifted), ['spec.unschedulable']],
  ['an own cordon', node, open, over(open, {}, unscheduled), []],
  ['an annotation of a node', node, open, over(open, { annotations: { note: 'x' } }), []],
  ['data', configMap, settings, over(settings, {}, { data: { a: '2' } }), ['data']],
  ['new data', configMap, settings, over(settings, {}, { binaryData: { b: '' } }), ['binaryData']],
  [
    'an annotation',
    configMap,
    settings,
    over(settings, { annotations: { note: 'x' } }),
    ['metadata.annotations["note"]'],
  ],
  [
    "kubectl's record",
    configMap,
    settings,
    over(settings, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }),
    [],
  ],
  ['nothing', configMap, settings, settings, []],
  ['an object of its own', configMap, onHost, over(onHost, {}, { data: { a: '2' } }), []],
])('who changes %s of an imported object is warned of what the host overrides', (_, kind, old, now, undone) => {
  const told = undone.map((each) => expect.stringContaining(`, whose value returns to ${each}: change it on the host`))
  expect(warnings(kind, old, now)).toEqual(told)
  expect(warnings(kind, old, now, syncerUser)).toEqual([])
})

it('who deletes an imported object is warned that it returns', () => {
  const told = 'ConfigMap default/settings is imported from the host and returns while it is there'
  expect(warnings(configMap, settings, 'deleted')).toEqual([expect.stringContaining(told)])
  expect(warnings(configMap, settings, 'deleted', syncerUser)).toEqual([])
  expect(warnings(configMap, onHost, 'deleted')).toEqual([])
})
