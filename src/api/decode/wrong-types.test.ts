import { describe, expect, it } from 'vitest'
import { refusal } from '../../../tests/support/examples/body.ts'
import { deployment as deployments } from '../apps/deployment.ts'
import { configMap as configMaps } from '../core/config-map.ts'
import { limitRange as limitRanges } from '../core/quotas/limit-range.ts'
import { service as services } from '../core/services/service.ts'
import type { Kind } from '../kind.ts'
import { parseBody } from './body.ts'
import { type DecodeOptions, decodeObject } from './object.ts'

/** The expected words are those of the libraries of Kubernetes 1.32.4. */
const cannotUnmarshal = 'json: cannot unmarshal'
const notQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function handled(kind: Kind, reason: string): string {
  return `${kind.kind} in version "v1" cannot be handled as a ${kind.kind}: ${reason}`
}

function read(kind: Kind, text: string, format: 'json' | 'yaml' = 'json', options: DecodeOptions = {}) {
  try {
    return decodeObject(kind, parseBody(new TextEncoder().encode(text), format, kind), options).object
  } catch (error) {
    return error
  }
}

describe('an integer that is written with a fraction or an exponent', () => {
  it.each([
    [
      deployments,
      '{"spec":{"replicas":3.0}}',
      'number 3.0 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployments,
      '{"spec":{"replicas":1e1}}',
      'number 1e1 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      services,
      '{"spec":{"ports":[{"port":80},{"port":81.0}]}}',
      'number 81.0 into Go struct field ServicePort.spec.ports.port of type int32',
    ],
    [
      services,
      '{"spec":{"ports":[{"port":80,"targetPort":8e1}]}}',
      'number 8e1 into Go struct field ServicePort.spec.ports.targetPort of type int32',
    ],
  ])('is not an integer in JSON: %#', (kind, text, problem) => {
    expect(read(kind, text)).toMatchObject({
      status: { code: 400, message: handled(kind, `${cannotUnmarshal} ${problem}`) },
    })
  })

  it('is one in YAML, as a quantity, and where it is unknown', () => {
    expect(read(deployments, 'spec:\n  replicas: 3.0\n', 'yaml')).toMatchObject({ spec: { replicas: 3 } })
    const limits = '{"spec":{"limits":[{"type":"Pod","max":{"cpu":2.0},"bogus":1.0}]}}'
    expect(read(limitRanges, limits)).toMatchObject({ spec: { limits: [{ max: { cpu: '2' } }] } })
  })
})

describe('of several values of the wrong type', () => {
  it('the first one is named', () => {
    const problem = `${cannotUnmarshal} number into Go struct field ConfigMap.data of type map[string]string`
    expect(refusal(configMaps, '{"data":1,"metadata":2}').message).toBe(handled(configMaps, problem))
  })

  it('one that parses itself ends the decoding, so that only it is named', () => {
    const text = '{"metadata":1,"spec":{"limits":[{"type":2,"max":{"cpu":"x"}}]}}'
    expect(refusal(limitRanges, text).message).toBe(handled(limitRanges, notQuantity))
  })

  it('the first one by name is named in YAML', () => {
    const problem = `${cannotUnmarshal} number into Go struct field ConfigMap.data of type map[string]string`
    expect(read(configMaps, 'metadata: 2\ndata: 1\n', 'yaml')).toMatchObject({
      status: { message: handled(configMaps, problem) },
    })
  })
})

it.each(['{}', '[]', 'true', '[1]'])('a quantity is read from the text of any value, such as %s', (value) => {
  const text = `{"spec":{"limits":[{"type":"Pod","max":{"cpu":${value}}}]}}`
  expect(refusal(limitRanges, text).message).toBe(handled(limitRanges, notQuantity))
})

describe('the result of a patch', () => {
  const options: DecodeOptions = { source: 'patch' }

  it.each([
    [
      '{"apiVersion":1}',
      `couldn't get version/kind; ${'json parse error: '}${cannotUnmarshal} number into Go struct field .apiVersion of type string`,
    ],
    ['{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    [
      '{"kind":"Other"}',
      'no kind "Other" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    ['{"kind":"Secret"}', 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
  ])('that has no longer the type of the object is refused as a patch: %s', (text, reason) => {
    const message = ` "" is invalid: patch: Invalid value: ${JSON.stringify(text)}: ${reason}`
    expect(refusal(configMaps, text, options)).toMatchObject({ code: 422, message })
  })

  it('of a strategic patch names a wrong type as the conversion does, without the place', () => {
    const strategicPatch = { apiVersion: true }
    const shown = ' "" is invalid: patch: Invalid value: "map[apiVersion:true]": unrecognized type: string'
    expect(refusal(configMaps, JSON.stringify(strategicPatch), { ...options, strategicPatch }).message).toBe(shown)
    const time = { metadata: { creationTimestamp: false } }
    expect(refusal(configMaps, JSON.stringify(time), { ...options, strategicPatch: time }).message).toMatch(
      /json: cannot unmarshal bool into Go value of type string$/,
    )
  })
})
