import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'

let server: RunningApiServer
let port: number

const core = '/api/v1/namespaces/default'
const storage = '/apis/storage.k8s.io/v1'
const apps = '/apis/apps/v1/namespaces/default'
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const uid = '11111111-1111-1111-1111-111111111111'

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
  await send('POST', `${core}/configmaps`, { metadata: { name: 'c' } })
  await send('POST', `${core}/pods`, { metadata: { name: 'p' }, spec: template.spec })
  await send('POST', `${apps}/controllerrevisions`, { metadata: { name: 'r' }, revision: 1, data: { a: 1 } })
  await send('POST', '/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'i' },
    spec: { controller: 'a.b/c' },
  })
  await send('POST', `${storage}/csidrivers`, { metadata: { name: 'd' }, spec: {} })
  const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }
  await send('POST', `${storage}/volumeattachments`, { metadata: { name: 'a' }, spec })
})

afterAll(() => server.stop())

const send = (method: string, path: string, body?: object) => sendJson(port, method, path, body)

/** Answers observed from a kube-apiserver 1.32.4. */
const refusals: readonly (readonly [
  method: string,
  path: string,
  body: object | undefined,
  code: number,
  text: string,
])[] = [
  [
    'POST',
    `${core}/configmaps`,
    { apiVersion: 'v2', metadata: { name: 'x' } },
    400,
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    'POST',
    `${core}/configmaps`,
    { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'x' } },
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    'POST',
    `${core}/configmaps`,
    { apiVersion: 'v1', kind: 'configmap', metadata: { name: 'x' } },
    400,
    'configmap in version "v1" cannot be handled as a ConfigMap: no kind "configmap" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    'POST',
    `${apps}/deployments`,
    { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'x' } },
    400,
    'the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
  ],
  [
    'POST',
    `${apps}/deployments`,
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
    400,
    'Secret in version "v1" cannot be handled as a Deployment: converting (v1.Secret) to (apps.Deployment): unknown conversion',
  ],
  [
    'POST',
    `${core}/configmaps`,
    { apiVersion: 'extensions/v1beta1', kind: 'Deployment', metadata: { name: 'x' } },
    400,
    'Deployment in version "v1beta1" cannot be handled as a ConfigMap: converting (v1beta1.Deployment) to (core.ConfigMap): unknown conversion',
  ],
  [
    'POST',
    `${core}/configmaps`,
    { apiVersion: 'v1', kind: 'List', metadata: { name: 'x' } },
    400,
    'List in version "v1" cannot be handled as a ConfigMap: converting (v1.List) to (core.ConfigMap): unknown conversion',
  ],
  [
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
    400,
    'Secret in version "v1" cannot be handled as a CustomResourceDefinition: no kind "Secret" is registered for version "v1" in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:53"',
  ],
  [
    'PUT',
    `${core}/configmaps/c`,
    { metadata: { name: 'c', namespace: 'q' } },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  ['POST', `${core}/pods/p/eviction`, {}, 400, 'name in URL does not match name in Eviction object'],
  [
    'POST',
    `${core}/pods/p/binding`,
    { metadata: { name: 'x' }, target: { name: 'n' } },
    400,
    'name in URL does not match name in Binding object',
  ],
  ['POST', `${core}/bindings`, { target: { name: 'n' } }, 400, 'Name parameter required.'],
  [
    'GET',
    `${core}/configmaps?resourceVersionMatch=x`,
    undefined,
    422,
    'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, ' +
      'resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""]',
  ],
  [
    'POST',
    `${apps}/controllerrevisions`,
    { metadata: { name: 'x' }, revision: 1, data: 5 },
    422,
    'ControllerRevision.apps "x" is invalid: data: Required value: data must be a valid JSON object',
  ],
  [
    'PATCH',
    '/apis/networking.k8s.io/v1/ingressclasses/i',
    { spec: { controller: null } },
    422,
    'IngressClass.networking.k8s.io "i" is invalid: [spec.controller: Invalid value: "": field is immutable, spec.controller: Required value]',
  ],
  [
    'PATCH',
    `${storage}/csidrivers/d`,
    { spec: { volumeLifecycleModes: ['Ephemeral'] } },
    422,
    'CSIDriver.storage.k8s.io "d" is invalid: spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: field is immutable',
  ],
  [
    'PATCH',
    `${storage}/volumeattachments/a/status`,
    { status: { attachError: { message: 'x'.repeat(1025) } } },
    422,
    'VolumeAttachment.storage.k8s.io "a" is invalid: status.attachError.message: Too long: may not be more than 262144 bytes',
  ],
  [
    'POST',
    `${storage}/volumeattachments`,
    {
      metadata: { name: 'x' },
      spec: {
        attacher: 'a',
        nodeName: 'n',
        source: { inlineVolumeSpec: { capacity: { storage: '1Gi' }, accessModes: ['x'] } },
      },
    },
    422,
    'VolumeAttachment.storage.k8s.io "x" is invalid: [spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes, ' +
      'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes, ' +
      'spec.source.inlineVolumeSpec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", ' +
      'spec.source.inlineVolumeSpec: Required value: must specify a volume type]',
  ],
  [
    'POST',
    `${core}/replicationcontrollers`,
    { metadata: { name: 'x' }, spec: { replicas: -1, minReadySeconds: -1, template } },
    422,
    'ReplicationController "x" is invalid: [spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0, ' +
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0]',
  ],
]

it.each(refusals)('%s %s is refused: %j', async (method, path, body, code, text) => {
  const answer = await send(method, path, body)
  expect([answer.status, answer.body.message]).toEqual([code, text])
})

it('an error about a missing scale names the scale on reads, and its object on writes', async () => {
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'nope' }, spec: { replicas: 1 } }
  const path = `${apps}/deployments/nope/scale`
  expect((await send('GET', path)).body.message).toBe('deployments/scale.apps "nope" not found')
  expect((await send('PUT', path, scale)).body.message).toBe('deployments.apps "nope" not found')
  expect((await send('PATCH', path, { spec: { replicas: 1 } })).body.message).toBe('deployments.apps "nope" not found')
})

it('a uid mismatch is refused with the message of the store', async () => {
  const { status, body } = await send('PUT', `${core}/configmaps/c`, { metadata: { name: 'c', uid } })
  expect(status).toBe(409)
  expect(body.message).toMatch(
    /^Operation cannot be fulfilled on configmaps "c": StorageError: invalid object, Code: 4, Key: \/registry\/configmaps\/default\/c, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 1{8}-/,
  )
})

describe('accepted objects', () => {
  it('a dry-run update has the version of the existing object', async () => {
    const before = await send('GET', `${core}/configmaps/c`)
    const tried = await send('PUT', `${core}/configmaps/c?dryRun=All`, { metadata: { name: 'c' }, data: { a: 'b' } })
    const versionOf = ({ body }: typeof before) => (body as { metadata: object }).metadata
    expect(tried.body).toMatchObject({ data: { a: 'b' } })
    expect(versionOf(tried)).toMatchObject({ resourceVersion: expect.stringMatching(/^\d+$/) })
    expect(versionOf(tried)).toHaveProperty('resourceVersion', Reflect.get(versionOf(before), 'resourceVersion'))
  })

  it('a Job without labels gets those of its template, including generated ones', async () => {
    const spec = { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }
    const path = '/apis/batch/v1/namespaces/default/jobs'
    const { body } = await send('POST', path, { metadata: { name: 'j' }, spec })
    const made = body as { metadata: { labels: object }; spec: { template: { metadata: { labels: object } } } }
    expect(made.metadata.labels).toMatchObject({ a: 'b', 'job-name': 'j' })
    expect(made.metadata.labels).toEqual(made.spec.template.metadata.labels)
    const own = { metadata: { name: 'k', labels: { z: 'y' } }, spec }
    expect((await send('POST', path, own)).body).toMatchObject({ metadata: { labels: { z: 'y' } } })
    const generated = await send('POST', path, { metadata: { generateName: 'g-' }, spec })
    expect(generated.body.metadata).toHaveProperty('labels', { a: 'b' })
  })

  it('the IP of a Pod is among its IPs, and a table shows that it has finished', async () => {
    const status = { podIP: '1.1.1.1', phase: 'Failed' }
    const { body } = await send('PATCH', `${core}/pods/p/status`, { status })
    expect(body.status).toMatchObject({ podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] })
    const headers = { Authorization: 'Bearer admin-token', Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const { text } = await call(port, { method: 'GET', path: `${core}/pods/p`, headers })
    expect(JSON.parse(await text).rows[0].conditions).toEqual([
      { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
    ])
  })

  it('a PriorityClass has no generation', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses'
    await send('POST', path, { metadata: { name: 'x' }, value: 1 })
    const { body } = await send('PATCH', `${path}/x`, { description: 'other' })
    expect(body.metadata).toMatchObject({ generation: 1 })
  })

  it('only one PriorityClass is the default, and those of the system stay', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses'
    await send('POST', path, { metadata: { name: 'first' }, value: 7, globalDefault: true })
    const second = await send('POST', path, { metadata: { name: 'second' }, value: 8, globalDefault: true })
    expect([second.status, second.body.message]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    ])
    expect((await send('PATCH', `${path}/first`, { description: 'still' })).status).toBe(200)
    const gone = await send('DELETE', `${path}/system-node-critical`)
    expect([gone.status, gone.body.message]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
    ])
  })

  it('status.config of a node is dropped', async () => {
    const { body } = await send('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec: { configSource: {} } })
    expect(body.spec).not.toHaveProperty('configSource')
  })

  it('groups are in the order of Kubernetes', async () => {
    const { body } = await send('GET', '/apis')
    const names = (body.groups as readonly { readonly name: string }[]).map(({ name }) => name)
    expect(names.slice(0, 4)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io', 'authentication.k8s.io'])
    expect(names.at(-1)).toBe('flowcontrol.apiserver.k8s.io')
  })
})
