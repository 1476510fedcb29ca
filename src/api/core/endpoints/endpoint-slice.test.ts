import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { endpointSlice } from './endpoint-slice.ts'

const metadata = { name: 'es', namespace: 'default' }
const slice = { metadata, addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ port: 80 }] }

describe('EndpointSlice', () => {
  it('gives ports a name and a protocol, and endpoints their conditions', () => {
    expect(previewCreate(endpointSlice, slice).object).toEqual({
      ...slice,
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      endpoints: [{ addresses: ['10.1.1.1'], conditions: {} }],
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
    })
  })

  it('distinguishes an endpoint that is not ready from one with unknown readiness', () => {
    const endpoints = [{ addresses: ['10.1.1.1'], conditions: { ready: false }, deprecatedTopology: { a: 'b' } }]
    expect(previewCreate(endpointSlice, { ...slice, endpoints }).object.endpoints).toEqual([
      { addresses: ['10.1.1.1'], conditions: { ready: false } },
    ])
  })

  it.each([
    [
      'no type and no addresses',
      { addressType: undefined, endpoints: [{ addresses: [] }] },
      ['addressType: Required value', 'endpoints[0].addresses: Required value: must contain at least 1 address'],
    ],
    [
      'an unknown type',
      { addressType: 'IPv5' },
      ['addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [
      'the other family',
      { addressType: 'IPv6' },
      ['endpoints[0].addresses[0]: Invalid value: "10.1.1.1": must be a valid IPv6 address'],
    ],
    [
      'an invalid host name',
      { addressType: 'FQDN', endpoints: [{ addresses: ['localhost'] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "localhost": should be a domain with at least two segments separated by dots',
      ],
    ],
    [
      'more than a thousand endpoints',
      { endpoints: Array(1001).fill({ addresses: ['10.1.1.1'] }) },
      ['endpoints: Too many: 1001: must have at most 1000 items'],
    ],
    ['ports of one name', { ports: [{ port: 1 }, { port: 2 }] }, ['ports[1].name: Duplicate value: ""']],
    [
      'zones twice',
      { endpoints: [{ addresses: ['10.1.1.1'], hints: { forZones: [{ name: 'a' }, { name: 'a' }] } }] },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    ],
  ])('validates %s', (_, change, errors) => {
    expect(errorTexts(previewCreate(endpointSlice, { ...slice, ...change }))).toEqual(errors)
  })

  it('keeps the type of its addresses', () => {
    const { object: old } = previewCreate(endpointSlice, slice)
    const changed = previewUpdate(endpointSlice, { metadata, addressType: 'IPv6', endpoints: [] }, old)
    expect(errorTexts(changed)).toEqual(['addressType: Invalid value: "IPv6": field is immutable'])
  })

  it('warns of host names', () => {
    const body = { metadata, addressType: 'FQDN', endpoints: [] }
    expect(previewCreate(endpointSlice, body).warnings).toEqual(['spec.addressType: FQDN endpoints are deprecated'])
  })

  it.each([
    [{}, ['es', 'IPv4', '80', '10.1.1.1']],
    [{ endpoints: [], ports: [] }, ['es', 'IPv4', '<unset>', '<unset>']],
    [
      { ports: [{ name: 'web' }], endpoints: [{ addresses: ['1.0.0.1', '1.0.0.2', '1.0.0.3', '1.0.0.4'] }] },
      ['es', 'IPv4', 'web', '1.0.0.1,1.0.0.2,1.0.0.3 + 1 more...'],
    ],
  ])('prints %j', (change, cells) => {
    const { object } = previewCreate(endpointSlice, { ...slice, ...change })
    expect(endpointSlice.columns?.slice(0, 4).map((each) => each.value(object, 0))).toEqual(cells)
  })

  it('counts its generations', () => {
    expect(endpointSlice.hasGeneration).toBe(true)
  })
})
