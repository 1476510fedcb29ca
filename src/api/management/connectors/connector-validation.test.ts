import { describe, expect, it } from 'vitest'
import { validateConnector, validateConnectorUpdate } from './connector-validation.ts'

const oidc = { issuer: 'https://id.example.com', clientId: 'platform' }
const baseDN = 'ou=people,dc=example,dc=com'
const ldap = { url: 'ldaps://ldap.example.com', users: { baseDN } }

function connector(spec: object) {
  return { apiVersion: 'management.example.com/v1', kind: 'Connector', metadata: { name: 'a' }, spec }
}

describe('a connector', () => {
  it('needs an issuer and a client', () => {
    expect(validateConnector(connector({ type: 'oidc', oidc }))).toEqual([])
    expect(validateConnector(connector({})).map(({ field }) => field)).toEqual(['spec.type'])
    expect(validateConnector(connector({ type: 'oidc' })).map(({ field }) => field)).toEqual(['spec.oidc'])
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

  it('has only the settings of its own type', () => {
    const found = validateConnector(connector({ type: 'ldap', ldap, oidc }))
    expect(found.map(({ field }) => field)).toEqual(['spec.oidc'])
    expect(validateConnector(connector({ type: 'ldap' })).map(({ field }) => field)).toEqual(['spec.ldap'])
  })

  it('takes a directory', () => {
    expect(validateConnector(connector({ type: 'ldap', ldap }))).toEqual([])
    const bindPasswordRef = { name: 'directory' }
    const groups = { method: 'inChain', baseDN: 'ou=groups,dc=example,dc=com' }
    const active = { ...ldap, preset: 'activeDirectory', bindDN: 'cn=search,dc=example', bindPasswordRef, groups }
    expect(validateConnector(connector({ type: 'ldap', ldap: active }))).toEqual([])
  })

  it.each<[string, object]>([
    ['url', { url: 'https://ldap.example.com' }],
    ['url', { url: 'ldaps://ldap.example.com/dc=example,dc=com' }],
    ['url', { url: 'ldaps://admin:secret@ldap.example.com' }],
    ['url', { url: 'ldap:///' }],
    ['caBundle', { caBundle: 'not PEM' }],
    ['bindDN', { bindDN: 'EXTERNAL', bindPasswordRef: { name: 'x' } }],
    ['bindPasswordRef', { bindDN: 'cn=search' }],
    ['bindDN', { bindPasswordRef: { name: 'x' } }],
    ['users.baseDN', { users: {} }],
    ['users.baseDN', { users: { baseDN: 'people' } }],
    ['users.filter', { users: { baseDN, filter: '(a=b' } }],
    ['users.filter', { users: { baseDN, filter: '(a=b))(c=d' } }],
    ['users.filter', { users: { baseDN, filter: '(a=b)(c=d)' } }],
    ['users.loginAttributes[1]', { users: { baseDN, loginAttributes: ['uid', 'mail)(a=*'] } }],
    ['users.idAttribute', { users: { baseDN, idAttribute: 'id;binary' } }],
    ['groups.baseDN', { groups: {} }],
    ['groups.method', { groups: { baseDN, method: 'inChain' } }],
    ['groups.depth', { groups: { baseDN, depth: 11 } }],
    ['groups.memberAttribute', { groups: { baseDN, memberAttribute: '1' } }],
  ])('says that spec.ldap.%s is wrong: %j', (field, settings) => {
    const found = validateConnector(connector({ type: 'ldap', ldap: { ...ldap, ...settings } }))
    expect(found.map((error) => error.field)).toEqual([`spec.ldap.${field}`])
  })

  it.each<[string, object]>([
    ['url', { url: 'http://github.example.com' }],
    ['url', { url: 'https://github.example.com/api' }],
    ['clientId', { clientId: '' }],
    ['clientSecretRef', { clientSecretRef: undefined }],
    ['organizations', { organizations: [] }],
    ['organizations[1]', { organizations: ['acme', 'a/b'] }],
    ['redirectUri', { redirectUri: 'https://platform.example.com/' }],
  ])('says that spec.github.%s is wrong: %j', (field, settings) => {
    const github = { clientId: 'app', clientSecretRef: { name: 'github' }, organizations: ['acme'] }
    expect(validateConnector(connector({ type: 'github', github }))).toEqual([])
    const found = validateConnector(connector({ type: 'github', github: { ...github, ...settings } }))
    expect(found.map((error) => error.field)).toEqual([`spec.github.${field}`])
  })

  it.each([
    ['spec.ldap.preset', { preset: 'activeDirectory' }],
    ['spec.ldap.users.idAttribute', { users: { baseDN, idAttribute: 'uid' } }],
  ])('cannot change %s, which identifies users', (field, settings) => {
    const before = connector({ type: 'ldap', ldap })
    const after = connector({ type: 'ldap', ldap: { ...ldap, ...settings } })
    expect(validateConnectorUpdate(after, before).map((error) => error.field)).toEqual([field])
  })

  it('has lists of limited length without empty entries', () => {
    const found = validateConnector(connector({ type: 'oidc', oidc, allowedGroups: ['a', ''] }))
    expect(found.map(({ field }) => field)).toEqual(['spec.allowedGroups[1]'])
    const many = Array.from({ length: 101 }, (_, index) => `g${index}`)
    expect(validateConnector(connector({ type: 'oidc', oidc, groupFilters: many }))).toHaveLength(1)
  })

  it('cannot change its issuer', () => {
    const before = connector({ type: 'oidc', oidc })
    const after = connector({ type: 'oidc', oidc: { ...oidc, issuer: 'https://other.example.com' } })
    expect(validateConnectorUpdate(before, before)).toEqual([])
    expect(validateConnectorUpdate(after, before).map(({ field }) => field)).toEqual(['spec.oidc.issuer'])
  })
})
