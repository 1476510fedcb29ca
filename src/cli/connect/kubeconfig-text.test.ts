import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { platformEntry } from './entry.ts'
import { kubeconfigOf, withEntry, withoutEntry } from './kubeconfig-text.ts'

const platform = {
  name: 'p',
  url: 'https://platform.example.com/base',
  domain: 'platform.internal',
  trust: { mode: 'authority', authority: 'PEM' },
  accessKey: 'my-key',
} as const

const demo = platformEntry(platform, { project: 'shop', name: 'demo' }, { token: 'my-key' })
const other = platformEntry(platform, { project: 'shop', name: 'other' }, { token: 'my-key' })

const mine = `# mine
apiVersion: v1
kind: Config
clusters:
- name: work # at the office
  cluster: {server: https://work.example}
contexts:
- {name: work, context: {cluster: work, user: me}}
users:
- {name: me, user: {token: abc}}
current-context: work
preferences: {colors: true}
`

describe('an entry of a kubeconfig', () => {
  it('leads through the platform with the key of the user', () => {
    expect(parse(kubeconfigOf(demo))).toMatchObject({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'tenant_demo_shop_p',
      clusters: [
        {
          name: 'tenant_demo_shop_p',
          cluster: {
            server: 'https://platform.example.com/base/kubernetes/project/shop/virtualcluster/demo',
            'certificate-authority-data': 'UEVN',
          },
        },
      ],
      users: [{ name: 'tenant_demo_shop_p', user: { token: 'my-key' } }],
      contexts: [{ context: { cluster: 'tenant_demo_shop_p', user: 'tenant_demo_shop_p' } }],
    })
  })

  it('keeps everything else, including comments', () => {
    const after = withEntry(mine, demo)
    expect(after).toContain('# mine')
    expect(after).toContain('# at the office')
    expect(parse(after)).toMatchObject({
      preferences: { colors: true },
      clusters: [{ name: 'work' }, { name: 'tenant_demo_shop_p' }],
      'current-context': 'tenant_demo_shop_p',
    })
  })

  it('is added once, however often the user connects', () => {
    expect(withEntry(withEntry(mine, demo), demo)).toBe(withEntry(mine, demo))
  })

  it('is removed again, and the previous context is restored', () => {
    const outcome = withoutEntry(withEntry(mine, demo))
    expect(outcome).toMatchObject({ state: 'disconnected', from: 'tenant_demo_shop_p', to: 'work' })
    expect(outcome.state === 'disconnected' && parse(outcome.text)).toEqual(parse(mine))
  })

  it('remembers the context before the first of several connections', () => {
    const outcome = withoutEntry(withEntry(withEntry(mine, demo), other))
    expect(outcome).toMatchObject({ from: 'tenant_other_shop_p', to: 'work' })
  })

  it('restores no context if the previous one is missing', () => {
    expect(withoutEntry(kubeconfigOf(demo))).toMatchObject({ state: 'disconnected', to: '' })
    const gone = withEntry(mine, demo)
      .replace('{name: work, context', '{name: renamed, context')
      .replace('{ name: work, context', '{ name: renamed, context')
    expect(withoutEntry(gone)).toMatchObject({ state: 'disconnected', to: '' })
  })

  it('is kept while another context is current', () => {
    expect(withoutEntry(mine)).toEqual({ state: 'not-connected' })
    expect(withoutEntry('')).toEqual({ state: 'not-connected' })
  })

  it('restores a context of tenant up, which it does not own', () => {
    const up = mine.replaceAll('work', 'tenant_demo')
    expect(withoutEntry(up)).toEqual({ state: 'not-connected' })
    expect(withoutEntry(withEntry(up, other))).toMatchObject({ state: 'disconnected', to: 'tenant_demo' })
  })

  it.each(['[1]', '"text"', 'a: [', '\tx'])('is not put into %j', (text) => {
    expect(() => withEntry(text, demo)).toThrow(/^it (is not valid YAML|does not hold an object)$/)
  })

  it('cannot be created if only a fingerprint is trusted', () => {
    const trust = { mode: 'fingerprint', fingerprint: 'ab' } as const
    expect(() => platformEntry({ ...platform, trust }, { project: 'a', name: 'b' }, {})).toThrow('--ca FILE')
  })
})
