import { expect, it } from 'vitest'
import { parseYaml } from '../../base/json/yaml.ts'
import { ownYaml } from '../../base/json/yaml-compose.ts'
import { withEntry, withoutEntry } from '../connect/kubeconfig-text.ts'
import { upKubeconfig } from './up-kubeconfig.ts'

const context = (name: string, token = 't') => ({
  name,
  server: `https://127.0.0.1/${name}`,
  certificateAuthority: 'ca',
  token,
})
const first = ['platform', 'host', 'tenant_demo'].map((name) => context(name))
const more = [...first, context('tenant_mine')]

function read(text: string) {
  const { value } = parseYaml(text, ownYaml)
  return value as {
    readonly contexts: readonly { readonly name: string; readonly context: object }[]
    readonly clusters: readonly { readonly name: string }[]
    readonly users: readonly { readonly name: string; readonly user: { readonly token?: string } }[]
    readonly 'current-context': string
  }
}
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

it('starts with the context of the platform', () => {
  expect(read(upKubeconfig(first, undefined))['current-context']).toBe('platform')
})

it('keeps the current context and namespace of the user', () => {
  const chosen = JSON.parse(upKubeconfig(first, undefined))
  chosen['current-context'] = 'tenant_demo'
  chosen.contexts[2].context.namespace = 'shop'
  const after = read(upKubeconfig(more, JSON.stringify(chosen)))
  expect(after['current-context']).toBe('tenant_demo')
  expect(after.contexts[2]?.context).toEqual({ cluster: 'tenant_demo', user: 'tenant_demo-admin', namespace: 'shop' })
  expect(names(after.contexts)).toEqual(['platform', 'host', 'tenant_demo', 'tenant_mine'])
})

it('keeps contexts of tenant connect, with their previous context', () => {
  const entry = { name: 'tenant_127.0.0.1_default_demo', cluster: { server: 'https://x' }, user: { token: 'mine' } }
  const after = upKubeconfig(more, withEntry(upKubeconfig(first, undefined), entry))
  expect(read(after)).toMatchObject({ 'current-context': entry.name })
  expect(names(read(after).users)).toContain(entry.name)
  expect(withoutEntry(after)).toMatchObject({ state: 'disconnected', to: 'platform' })
})

it('removes deleted virtual clusters, and the current context if it was one of them', () => {
  const chosen = JSON.parse(upKubeconfig(more, undefined))
  chosen['current-context'] = 'tenant_mine'
  const after = read(upKubeconfig(first, JSON.stringify(chosen)))
  expect(after['current-context']).toBe('platform')
  for (const list of [after.contexts, after.clusters]) expect(names(list)).not.toContain('tenant_mine')
  expect(names(after.users)).not.toContain('tenant_mine-admin')
})

it('has the current keys', () => {
  const after = read(upKubeconfig([context('platform', 'new')], upKubeconfig(first, undefined)))
  expect(after.users).toEqual([{ name: 'platform-admin', user: { token: 'new' } }])
})

it.each(['', '{', '- a', 'contexts: 7'])('replaces %j', (before) => {
  expect(upKubeconfig(first, before)).toBe(upKubeconfig(first, undefined))
})
