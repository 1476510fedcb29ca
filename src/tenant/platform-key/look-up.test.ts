import { describe, expect, it } from 'vitest'
import type { ExternalConfig } from '../../api/tenant-config/types.ts'
import type { SecretReading } from './contract.ts'
import { lookUpKey } from './look-up.ts'
import { keyPlaces } from './places.ts'
import { lookupProblem } from './wording.ts'

const shared = 'tenant-platform/tenant-platform-api-key'
const own = 'tenant-demo/tenant-platform-api-key'
const variable = JSON.stringify({ host: 'env.example.com', accessKey: 'from-environment' })

const noField: ExternalConfig = {}
const dedicated: ExternalConfig = { platform: {} }
const configured: ExternalConfig = {
  platform: { apiKey: { secretName: 'tenant-platform-api-key', namespace: 'tenant-platform', createRBAC: true } },
}
const ownNamespace: ExternalConfig = { platform: { apiKey: { secretName: 'my-key', createRBAC: true } } }

function key(host: string): SecretReading {
  return { state: 'found', entries: { host, accessKey: `key-of-${host}` } }
}

type Host = Readonly<Record<string, SecretReading>>

function lookUp(external: ExternalConfig, host: Host, license?: string) {
  return lookUpKey({
    license,
    places: keyPlaces(external, 'tenant-demo'),
    readSecret: async ({ namespace, name }) => host[`${namespace}/${name}`] ?? { state: 'absent' },
  })
}

const forbidden: SecretReading = { state: 'forbidden' }

describe('the key of the platform: the first match wins', () => {
  it.each<[string, ExternalConfig, Host, string | undefined, string]>([
    ['environment before everything', configured, { [shared]: key('a'), [own]: key('b') }, variable, 'env.example.com'],
    ['environment without any Secret', configured, {}, variable, 'env.example.com'],
    ['environment before the default Secret', dedicated, { [own]: key('b') }, variable, 'env.example.com'],
    ['environment of a tenant that says nothing', noField, {}, variable, 'env.example.com'],
    [
      'environment before a Secret that may not be read',
      configured,
      { [shared]: forbidden },
      variable,
      'env.example.com',
    ],
    [
      'the environment before an invalid Secret',
      dedicated,
      { [own]: { state: 'found', entries: {} } },
      variable,
      'env.example.com',
    ],
    ['an empty variable does not count', dedicated, { [own]: key('b') }, '  ', 'b'],
    ['configured Secret before the default one', configured, { [shared]: key('a'), [own]: key('b') }, undefined, 'a'],
    ['default Secret if the configured one does not exist', configured, { [own]: key('b') }, undefined, 'b'],
    [
      'configured Secret in the own namespace',
      ownNamespace,
      { 'tenant-demo/my-key': key('c'), [own]: key('b') },
      undefined,
      'c',
    ],
    ['default Secret behind one in the own namespace', ownNamespace, { [own]: key('b') }, undefined, 'b'],
    ['default Secret of the dedicated mode', dedicated, { [shared]: key('a'), [own]: key('b') }, undefined, 'b'],
    ['default Secret of a tenant that says nothing', noField, { [own]: key('b') }, undefined, 'b'],
  ])('%s', async (_name, external, host, license, expected) => {
    expect(await lookUp(external, host, license)).toMatchObject({
      state: 'found',
      key: { url: `https://${expected}`, insecure: false },
    })
  })

  it('names where it was found', async () => {
    const [fromEnvironment, fromSecret] = [
      await lookUp(dedicated, {}, variable),
      await lookUp(dedicated, { [own]: key('b') }),
    ]
    expect(fromEnvironment).toMatchObject({ key: { source: { type: 'environment' }, accessKey: 'from-environment' } })
    expect(fromSecret).toMatchObject({
      key: { source: { type: 'secret', namespace: 'tenant-demo', name: 'tenant-platform-api-key' } },
    })
  })
})

describe('the key of the platform: an invalid one ends the search', () => {
  it.each<[string, ExternalConfig, Host, string | undefined, RegExp]>([
    [
      'a variable that is neither JSON nor base64',
      dedicated,
      { [own]: key('b') },
      'what?',
      /^the environment variable LICENSE is not JSON such as .* or the same in base64$/,
    ],
    [
      'a variable without a key',
      dedicated,
      { [own]: key('b') },
      '{"host":"a"}',
      /^the environment variable LICENSE has no accessKey$/,
    ],
    [
      'a configured Secret without a key',
      configured,
      { [shared]: { state: 'found', entries: { host: 'a' } }, [own]: key('b') },
      undefined,
      /^the Secret tenant-platform-api-key of namespace tenant-platform has no accessKey$/,
    ],
    [
      'a configured Secret without a host',
      configured,
      { [shared]: { state: 'found', entries: { accessKey: 'a' } }, [own]: key('b') },
      undefined,
      /of namespace tenant-platform has no host$/,
    ],
    [
      'a default Secret with empty entries',
      dedicated,
      { [own]: { state: 'found', entries: { accessKey: '', host: '\n' } } },
      undefined,
      /has no accessKey and no host$/,
    ],
  ])('%s', async (_name, external, host, license, message) => {
    const lookup = await lookUp(external, host, license)
    expect(lookup).toMatchObject({ state: 'wrong', message: expect.stringMatching(message) })
    expect(lookupProblem(lookup)).toMatch(message)
  })

  it('a Secret that may not be read: exactly the missing rights are named', async () => {
    const lookup = await lookUp(configured, { [shared]: forbidden, [own]: key('b') })
    expect(lookup).toMatchObject({ state: 'forbidden', source: { namespace: 'tenant-platform' } })
    expect(lookupProblem(lookup)).toContain(
      'get, list and watch on secrets with the resourceName tenant-platform-api-key',
    )
    expect(lookupProblem(lookup)).toContain('createRBAC')
  })
})

describe('the key of the platform: none at all', () => {
  it.each<[string, ExternalConfig, string, readonly string[]]>([
    [
      'is an error that names every place where a Secret is configured',
      configured,
      'configured',
      ['tenant-platform', 'tenant-demo'],
    ],
    [
      'names a place once',
      { platform: { apiKey: { secretName: 'tenant-platform-api-key', createRBAC: true } } },
      'configured',
      ['tenant-demo'],
    ],
    ['is an error in the dedicated mode', dedicated, 'dedicated', ['tenant-demo']],
  ])('%s', async (_name, external, expectation, namespaces) => {
    const lookup = await lookUp(external, {})
    expect(lookup).toEqual({
      state: 'absent',
      expectation,
      looked: [
        { type: 'environment' },
        ...namespaces.map((namespace) => ({ type: 'secret', namespace, name: 'tenant-platform-api-key' })),
      ],
    })
    const problem = lookupProblem(lookup)
    expect(problem).toContain('the environment variable LICENSE')
    for (const namespace of namespaces) expect(problem).toContain(`of namespace ${namespace}`)
  })

  it('is not a problem for a tenant without a configuration', async () => {
    const lookup = await lookUp(noField, {})
    expect(lookup).toMatchObject({ state: 'absent', expectation: 'optional' })
    expect(lookupProblem(lookup)).toBeUndefined()
  })
})

it('an unreachable host is a problem, not the absence of a key', async () => {
  const readSecret = () => Promise.reject(new Error('no route'))
  const places = keyPlaces(dedicated, 'tenant-demo')
  await expect(lookUpKey({ license: undefined, places, readSecret })).rejects.toThrow('no route')
})
