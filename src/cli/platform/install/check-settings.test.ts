import { describe, expect, it } from 'vitest'
import { checkSettings } from './check-settings.ts'
import { type InstallChoices, rememberedChoices, settingsOf, usualFacts } from './settings.ts'

const check = (choices: InstallChoices, namespace = 'platform') =>
  checkSettings(settingsOf(namespace, choices, usualFacts))

describe('settings of a platform', () => {
  it.each<[InstallChoices]>([
    [{}],
    [{ store: 'etcd:http://a:2379,http://b:2379', replicas: 3 }],
    [{ etcdSecret: 'platform-etcd', replicas: 3 }],
    [{ etcdSecret: 'platform-etcd', store: 'etcd:https://a:2379?prefix=/http' }],
    [{ expose: 'ingress', address: 'platform.example.com' }],
    [{ expose: 'node-port', address: '10.0.0.1' }],
    [{ expose: 'load-balancer', address: '2001:db8::1' }],
    [{ requests: { memory: '0.1Gi' }, limits: { memory: '200Mi', 'example.com/gpu': '1' } }],
  ])('%j is fine', (choices) => {
    expect(() => check(choices)).not.toThrow()
  })

  it.each<[InstallChoices, string]>([
    [{ replicas: 2 }, 'an embedded store has one server'],
    [{ store: 'file:/data' }, 'name an etcd'],
    [{ etcdSecret: 'a', store: 'etcd:https://a:2379,http://b:2379' }, 'write https instead of http'],
    [{ etcdSecret: 'a', store: 'etcd:https://a:2379?prefix=/a&keyfile=/k' }, 'leave keyfile out of --store'],
    [{ etcdSecret: 'Not A Name' }, '--etcd-secret Not A Name'],
    [{ expose: 'ingress' }, '--expose ingress needs --address'],
    [{ expose: 'node-port' }, '--expose node-port needs --address'],
    [{ expose: 'ingress', address: '10.0.0.1' }, 'an Ingress needs a name'],
    [{ address: 'https://platform.example.com' }, '--address https://platform.example.com'],
    [{ storageSize: 'much' }, '--storage-size much'],
    [{ requests: { cpu: 'much' } }, '--requests cpu=much'],
    [{ limits: { memory: '1 GB' } }, '--limits memory=1 GB'],
    [{ requests: { cpu: '-1' } }, '--requests cpu=-1: it must not be negative'],
    [
      { limits: { memory: '200Mi' } },
      '--limits memory=200Mi: a Pod requests 256Mi; lower that with --requests memory=200Mi',
    ],
    [{ tlsSecret: 'Not A Name' }, '--tls-secret Not A Name'],
    [{ domain: '..' }, '--domain ..'],
  ])('%j is not: %s', (choices, message) => {
    expect(() => check(choices)).toThrow(message)
  })

  it('all errors are reported at once', () => {
    expect(() => check({ replicas: 2, expose: 'ingress' }, 'A B')).toThrow(/one server.*--address.*--namespace/s)
  })
})

describe('choices', () => {
  const image = (choices: InstallChoices) => settingsOf('platform', choices, usualFacts).image

  it('the default image is that of this release', () => {
    expect(image({})).toMatch(/^localhost\/tenant-platform:\d/)
    expect(image({ image: 'registry.example.com/platform:1' })).toBe('registry.example.com/platform:1')
  })

  it('an empty value removes a choice', () => {
    const settings = settingsOf('platform', { tlsSecret: '', storageClass: '', address: '' }, usualFacts)
    expect(settings).not.toHaveProperty('tlsSecret')
    expect(settings).not.toHaveProperty('storageClass')
    expect(settings).not.toHaveProperty('address')
    const lists = settingsOf('platform', { serveOptions: [''], imagePullSecrets: [''] }, usualFacts)
    expect(lists).toMatchObject({ serveOptions: [], imagePullSecrets: [] })
  })

  it('the discovered address is used only with a load balancer and without an explicit address', () => {
    const found = { foundAddress: '192.0.2.7' }
    expect(settingsOf('p', { ...found, expose: 'load-balancer' }, usualFacts)).toHaveProperty('address', '192.0.2.7')
    expect(settingsOf('p', found, usualFacts)).not.toHaveProperty('address')
    expect(rememberedChoices({ ...found, expose: 'load-balancer' })).toHaveProperty('foundAddress')
    expect(rememberedChoices({ ...found, expose: 'cluster' })).toEqual({ expose: 'cluster' })
    const named: InstallChoices = { ...found, expose: 'load-balancer', address: 'a.example.com' }
    expect(settingsOf('p', named, usualFacts)).toHaveProperty('address', 'a.example.com')
  })
})
