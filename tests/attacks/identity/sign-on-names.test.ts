import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysPath, management } from '../../platform/platform.ts'
import { openStage, type Stage } from '../../sign-on/support/stage.ts'

const rbac = 'rbac.authorization.k8s.io'
const spec = (more: object) => ({ spec: more })
const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'view' }

/** Grants to a name before, or after, a user has it. */
const given: Readonly<Record<string, (name: string) => readonly [path: string, object: object]>> = {
  'a role in a project': (name) => [
    `${management}/projects`,
    spec({ members: [{ kind: 'User', name, role: 'admin' }] }),
  ],
  'a project': (name) => [`${management}/projects`, spec({ owner: { user: name } })],
  'a place in a team': (name) => [`${management}/teams`, spec({ users: [name] })],
  'a ClusterRole': (name) => [
    `/apis/${rbac}/v1/clusterrolebindings`,
    { roleRef, subjects: [{ apiGroup: rbac, kind: 'User', name }] },
  ],
  'the group of a user who is gone': (name) => [
    `/apis/${rbac}/v1/clusterrolebindings`,
    { roleRef, subjects: [{ apiGroup: rbac, kind: 'Group', name: `platform:user:${name}` }] },
  ],
  'the subject of another user': (name) => [`${management}/users`, spec({ subject: name })],
  'an access key': (name) => [keysPath, spec({ subject: name })],
}

describe('a user who signs in for the first time with a chosen name does not get', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
    await stage.connect('corp')
  }, 240_000)
  afterAll(() => stage?.stop())

  const signedInAs = async (name: string): Promise<string> => {
    stage.issuer.script = { claims: { sub: `subject of ${name}`, preferred_username: name } }
    const { session } = await stage.signIn('corp')
    expect(session.status).toBe(200)
    return JSON.parse(session.text).user
  }

  test.each(Object.entries(given))('%s', async (what, of) => {
    const name = `wanted-${what.replaceAll(/\W+/g, '-').toLowerCase()}`
    const [path, object] = of(name)
    await stage.platform.must('POST', path, { metadata: { name: `given-${name}` }, ...object })
    expect(await signedInAs(name)).toMatch(new RegExp(`^${name}-[0-9a-f]{8}$`))
  })

  test('a name without grants is used unchanged', async () => {
    expect(await signedInAs('newcomer')).toBe('newcomer')
  })
})
