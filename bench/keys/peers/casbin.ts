import { projectOf, users } from '../decisions.ts'
import { type Timing, timed } from '../measure.ts'
import { loadPeer } from './load.ts'

interface Casbin {
  readonly newModelFromString: (text: string) => unknown
  readonly newEnforcer: (model: unknown) => Promise<Enforcer>
}

interface Enforcer {
  addPolicies(rules: readonly (readonly string[])[]): Promise<boolean>
  addGroupingPolicies(rules: readonly (readonly string[])[]): Promise<boolean>
  enforceSync(...request: readonly string[]): boolean
}

/** Roles within projects, the only part of the model that casbin supports: it has no key scopes. */
const model = `
[request_definition]
r = sub, dom, obj, act
[policy_definition]
p = sub, obj, act
[role_definition]
g = _, _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = g(r.sub, p.sub, r.dom) && r.obj == p.obj && r.act == p.act
`

const name = 'casbin, the same users and roles without a scope'

export async function measureCasbin(): Promise<readonly [string, Timing | undefined]> {
  const casbin = await loadPeer('casbin')
  if (!isCasbin(casbin)) return [name, undefined]
  const enforcer = await casbin.newEnforcer(casbin.newModelFromString(model))
  await enforcer.addPolicies(['get', 'list', 'update'].map((verb) => ['member', 'virtualclusterinstances', verb]))
  await enforcer.addGroupingPolicies(
    Array.from({ length: users }, (_, number) => [`user-${number}`, 'member', projectOf(number)]),
  )
  const ask = (number: number) => {
    const user = number % users
    enforcer.enforceSync(`user-${user}`, projectOf(user + (number % 2)), 'virtualclusterinstances', 'get')
  }
  return [name, timed(20_000, ask)]
}

function isCasbin(peer: unknown): peer is Casbin {
  return typeof peer === 'object' && peer !== null && 'newModelFromString' in peer && 'newEnforcer' in peer
}
