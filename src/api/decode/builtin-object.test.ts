import { describe, expect, it } from 'vitest'
import { body, refusal } from '../../../tests/support/examples/body.ts'
import { configMap as configMaps } from '../core/config-map.ts'
import { lease as leases } from '../core/lease.ts'
import { pod as pods } from '../core/pods/pod.ts'
import { secret as secrets } from '../core/secret.ts'
import { service as services } from '../core/services/service.ts'
import type { Kind } from '../kind.ts'
import { parseBody } from './body.ts'
import { type DecodeOptions, decodeObject } from './object.ts'

function decoded(kind: Kind, value: unknown) {
  const { object, complaints } = decodeObject(kind, body(JSON.stringify(value)))
  return { object, complaints }
}

describe('a builtin kind', () => {
  it('gives a clean object back without copying it', () => {
    const parsed = body(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"y"}},"data":{"k":""}}',
    )
    const { object, complaints } = decodeObject(configMaps, parsed)
    expect(object).toBe(parsed.value)
    expect(complaints).toEqual([])
  })

  it('fills in apiVersion, kind and metadata', () => {
    expect(decoded(configMaps, {}).object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })
  })

  it('drops unknown members and names them, metadata included', () => {
    const { object, complaints } = decoded(services, {
      metadata: { name: 'a', bogus: 1 },
      spec: { ports: [{ port: 80 }, { port: 81, Port: 1 }], bogus: {} },
      __proto__: 1,
    })
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }, { port: 81 }] },
    })
    expect(complaints).toEqual([
      'unknown field "metadata.bogus"',
      'unknown field "spec.ports[1].Port"',
      'unknown field "spec.bogus"',
    ])
  })

  it('reports duplicate and unknown fields of JSON in text order, and nothing inside unknown ones', () => {
    const text =
      '{"zed":{"a":1,"a":2},"metadata":{"name":"a","foo":1,"name":"a"},"data":{"k":"1","k":"2","k":"3"},"bar":2,"zed":2}'
    expect(decodeObject(configMaps, body(text)).complaints).toEqual([
      'unknown field "zed"',
      'unknown field "metadata.foo"',
      'duplicate field "metadata.name"',
      'duplicate field "data.k"',
      'unknown field "bar"',
    ])
  })

  it('reports duplicate keys of YAML by line, and unknown fields sorted', () => {
    const text = 'metadata:\n  name: a\n  foo: 1\n  name: a\ndata:\n  a: "1"\n  a: "2"\nzed: 1\nbar: 1\n'
    const parsed = parseBody(new TextEncoder().encode(text), 'yaml', configMaps)
    const lines = ['line 4: key "name" already set in map', 'line 7: key "a" already set in map']
    const unknown = ['unknown field "bar"', 'unknown field "metadata.foo"', 'unknown field "zed"']
    expect(decodeObject(configMaps, parsed).complaints).toEqual([...lines, ...unknown])
    expect(() => decodeObject(configMaps, parsed, { strict: true })).toThrow(
      `strict decoding error: yaml: unmarshal errors:\n  ${lines.join('\n  ')}, ${unknown.join(', ')}`,
    )
  })

  it('treats names of the prototype as unknown fields, or as keys of a map', () => {
    const { object, complaints } = decodeObject(
      configMaps,
      body(
        '{"__proto__":1,"constructor":{},"metadata":{"name":null},"data":{"__proto__":"x","toString":"y","n":null}}',
      ),
    )
    expect(complaints).toEqual(['unknown field "__proto__"', 'unknown field "constructor"'])
    expect(JSON.stringify(object.data)).toBe('{"__proto__":"x","toString":"y","n":""}')
  })

  it.each([
    [
      'empty values that Go leaves out',
      { spec: { hostNetwork: false, nodeName: '', volumes: [], nodeSelector: {} } },
      { spec: {} },
    ],
    ['null', { metadata: { creationTimestamp: null, labels: null } }, { metadata: {} }],
  ])('%s are the same as absence', (_title, sent, kept) => {
    expect(decoded(pods, sent).object).toMatchObject({ metadata: {}, ...kept })
    expect(decoded(pods, sent).object).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: {}, ...kept })
  })

  it.each([
    [configMaps, { immutable: false }],
    [
      pods,
      { spec: { automountServiceAccountToken: false, containers: [{ name: '', resources: {} }], securityContext: {} } },
    ],
    [services, { spec: { ports: [{ port: 0, targetPort: 0 }] } }],
    [leases, { spec: { holderIdentity: '', leaseTransitions: 0 } }],
  ])('keeps zeros that differ from absence', (kind, sent) => {
    expect(decoded(kind, { metadata: {}, ...sent }).object).toMatchObject(sent)
  })

  it.each([
    [secrets, { data: { a: 'YWJj\nZA==' } }, { data: { a: 'YWJjZA==' } }],
    [secrets, { data: { a: 'YR==' } }, { data: { a: 'YQ==' } }],
    [
      pods,
      { metadata: { deletionTimestamp: '2024-02-29T02:00:00.5+02:00' } },
      { metadata: { deletionTimestamp: '2024-02-29T00:00:00Z' } },
    ],
    [
      leases,
      { spec: { renewTime: '2024-01-01T00:00:00.123456+01:00' } },
      { spec: { renewTime: '2023-12-31T23:00:00.123456Z' } },
    ],
    [pods, { spec: { overhead: { cpu: 1, memory: '1024Mi' } } }, { spec: { overhead: { cpu: '1', memory: '1Gi' } } }],
  ])('brings values to their canonical form', (kind, sent, kept) => {
    expect(decoded(kind, sent).object).toMatchObject(kept)
  })

  it.each([
    [
      configMaps,
      '{"data":{"a":1}}',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      configMaps,
      '{"data":"x"}',
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      configMaps,
      '{"metadata":[]}',
      'json: cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      configMaps,
      '{"metadata":{"labels":{"a":true}}}',
      'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      pods,
      '{"spec":{"containers":[{"env":[{"value":1}]}]}}',
      'json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
    ],
    [
      services,
      '{"spec":{"ports":[{"port":"a"}]}}',
      'json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32',
    ],
    [
      services,
      '{"spec":{"ports":[{"port":1.5}]}}',
      'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.port of type int32',
    ],
    [
      services,
      '{"spec":{"ports":[{"port":2147483648}]}}',
      'json: cannot unmarshal number 2147483648 into Go struct field ServicePort.spec.ports.port of type int32',
    ],
    [
      services,
      '{"spec":{"ports":{}}}',
      'json: cannot unmarshal object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort',
    ],
    [
      services,
      '{"spec":{"ports":[{"targetPort":true}]}}',
      'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
    ],
    [secrets, '{"data":{"c":"not base64!"}}', 'illegal base64 data at input byte 3'],
    [secrets, '{"data":{"c":"YQ="}}', 'illegal base64 data at input byte 3'],
    [
      pods,
      '{"metadata":{"deletionTimestamp":"x"}}',
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      pods,
      '{"spec":{"overhead":{"cpu":"x"}}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('%# refuses a value of the wrong type with 400', (kind, text, reason) => {
    expect(refusal(kind, text)).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: `${kind.kind} in version "v1" cannot be handled as a ${kind.kind}: ${reason}`,
    })
  })

  it.each([
    [
      '{"apiVersion":"apps/v1","kind":"ConfigMap"}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      '{"apiVersion":"a/b/c","kind":"ConfigMap"}',
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
    ],
    [
      '{"apiVersion":"v1","kind":"Secret"}',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"kind":1}',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})',
    ],
  ])('refuses %s', (text, message) => {
    expect(refusal(configMaps, text)).toMatchObject({ code: 400, message })
  })

  it('shows the whole patched object when a patch made something impossible', () => {
    const status = refusal(configMaps, '{"data":{"a":1}}', { source: 'patch' })
    expect(status).toMatchObject({
      code: 422,
      message:
        ' "" is invalid: patch: Invalid value: "{\\"data\\":{\\"a\\":1}}": json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      details: { causes: [{ field: 'patch', reason: 'FieldValueInvalid' }] },
    })
  })

  it.each([
    [configMaps, { data: { a: 5 } }, 'map[data:map[a:5]]', 'cannot convert int64 to string'],
    [configMaps, { data: { a: 1.5 } }, 'map[data:map[a:1.5]]', 'unrecognized type: string'],
    [configMaps, { data: { a: true } }, 'map[data:map[a:true]]', 'unrecognized type: string'],
    [configMaps, { data: ['a'] }, 'map[data:[a]]', 'cannot restore map from slice'],
    [configMaps, { immutable: 'yes' }, 'map[immutable:yes]', 'unrecognized type: bool'],
    [configMaps, { immutable: 1 }, 'map[immutable:1]', 'unrecognized type: bool'],
    [configMaps, { binaryData: { a: 1 } }, 'map[binaryData:map[a:1]]', 'cannot restore slice from int64'],
    [configMaps, { metadata: 'x' }, 'map[metadata:x]', 'cannot restore struct from: string'],
    [
      configMaps,
      { metadata: { finalizers: 'x' } },
      'map[metadata:map[finalizers:x]]',
      'cannot restore slice from string',
    ],
    [
      configMaps,
      { metadata: { generation: 1.5 } },
      'map[metadata:map[generation:1.5]]',
      'cannot convert float64 to int64',
    ],
    [services, { spec: { ports: [{ port: 'x' }] } }, 'map[spec:map[ports:[map[port:x]]]]', 'unrecognized type: int32'],
    [services, { spec: 5 }, 'map[spec:5]', 'cannot restore struct from: int64'],
  ])('shows the strategic patch that made something impossible: %#', (kind, strategicPatch, shown, reason) => {
    const options: DecodeOptions = { source: 'patch', strategicPatch }
    const message = ` "" is invalid: patch: Invalid value: "${shown}": ${reason}`
    expect(refusal(kind, JSON.stringify(strategicPatch), options)).toMatchObject({ code: 422, message })
  })

  it('ignores kind and apiVersion in a strategic patch', () => {
    const strategicPatch = { kind: 'Secret', apiVersion: 'v9' }
    const { object } = decodeObject(configMaps, body(JSON.stringify(strategicPatch)), {
      source: 'patch',
      strategicPatch,
    })
    expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })
  })

  it('shows the strategic patch that strict decoding objects to', () => {
    const options: DecodeOptions = { source: 'patch', strategicPatch: { datas: {} }, strict: true }
    const message =
      ' "" is invalid: patch: Invalid value: "map[datas:map[]]": strict decoding error: unknown field "datas"'
    expect(refusal(configMaps, '{"datas":{}}', options)).toMatchObject({ code: 422, message })
  })
})

describe('types with a name in Go', () => {
  it.each<[Kind, object, string]>([
    [services, { spec: { type: 5 } }, 'number into Go struct field ServiceSpec.spec.type of type v1.ServiceType'],
    [
      services,
      { spec: { ipFamilies: 'IPv4' } },
      'string into Go struct field ServiceSpec.spec.ipFamilies of type []v1.IPFamily',
    ],
    [
      services,
      { spec: { ipFamilies: [4] } },
      'number into Go struct field ServiceSpec.spec.ipFamilies of type v1.IPFamily',
    ],
    [services, { metadata: { uid: 1 } }, 'number into Go struct field ObjectMeta.metadata.uid of type types.UID'],
    [
      pods,
      { spec: { containers: [{ resources: { limits: 'x' } }] } },
      'string into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    ],
  ])('case %#: have that name in errors', (kind, sent, problem) => {
    expect(refusal(kind, JSON.stringify(sent)).message).toContain(`json: cannot unmarshal ${problem}`)
  })
})
