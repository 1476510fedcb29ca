import { describe, expect, it } from 'vitest'
import { validateConnector, validateConnectorUpdate } from './connector-validation.ts'

const oidc = { issuer: 'https://id.example.com', clientId: 'platform' }

function connector(spec: object) {
  return { apiVersion: 'management.example.com/v1', kind: 'Connector', metadata: { name: 'a' }, spec }
}

describe('a connector', () => {
  it('needs an issuer and a client', () => {
    expect(validateConnector(connector({ type: 'oidc', oidc }))).toEqual([])
    expect(validateConnector(connector({})).map(({ field }) => field)).toEqual(['spec.type', 'spec.oidc'])
    expect(validateConnector(connector({ type: 'oidc', oidc: {} })).map(({ field }) => field)).toEqual([
      'spec.oidc.issuer',
      'spec.oidc.clientId',
    ])
  })

  it.each<[string, object, object]>([
    ['issuer', { issuer: 'http://id.example.com' }, {}],
    ['issuer', { issuer: 'https://user:secret@id.example.com' }, {}],
    ['issuer', { issuer: 'https://id.example.com/?a=b' }, {}],
    ['issuer', { issuer: 'id.example.com' }, {}],
    ['redirectUri', { redirectUri: 'https://platform.example.com/' }, {}],
    ['redirectUri', { redirectUri: 'http://platform.example.com/auth/callback/a' }, {}],
    ['clockSkewSeconds', { clockSkewSeconds: 601 }, {}],
    ['clockSkewSeconds', { clockSkewSeconds: -1 }, {}],
    ['caBundle', { caBundle: 'not PEM' }, {}],
    ['clientSecretRef.name', { clientSecretRef: {} }, {}],
    ['clientSecretRef.name', { clientSecretRef: { name: '../x' } }, {}],
    ['clientSecretRef.namespace', { clientSecretRef: { name: 'x', namespace: 'A b' } }, {}],
  ])('says that spec.oidc.%s is wrong: %j', (field, settings, more) => {
    const found = validateConnector(connector({ type: 'oidc', oidc: { ...oidc, ...settings }, ...more }))
    expect(found.map((error) => error.field)).toEqual([`spec.oidc.${field}`])
  })

  it('has lists without empty entries, and not too long ones', () => {
    const found = validateConnector(connector({ type: 'oidc', oidc, allowedGroups: ['a', ''] }))
    expect(found.map(({ field }) => field)).toEqual(['spec.allowedGroups[1]'])
    const many = Array.from({ length: 101 }, (_, index) => `g${index}`)
    expect(validateConnector(connector({ type: 'oidc', oidc, groupFilters: many }))).toHaveLength(1)
  })

  it('keeps its issuer', () => {
    const before = connector({ type: 'oidc', oidc })
    const after = connector({ type: 'oidc', oidc: { ...oidc, issuer: 'https://other.example.com' } })
    expect(validateConnectorUpdate(before, before)).toEqual([])
    expect(validateConnectorUpdate(after, before).map(({ field }) => field)).toEqual(['spec.oidc.issuer'])
  })
})
